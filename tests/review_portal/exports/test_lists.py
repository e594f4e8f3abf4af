"""CSV, text and JSON: what is read back is what was said, and nothing runs in a spreadsheet."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_portal.exports.files import write
from review_portal.exports.notes import Note, Options, Reply, Words
from tests.pages import rows_of_file

FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝")


def test_csv_keeps_the_order_of_the_page_and_one_row_per_comment(notes: list[Note], options: Options) -> None:
    head, *body = rows_of_file(write("csv", notes, options).content)
    assert head[0] == "Time"
    assert [row[2] for row in body] == ["3599", "600", "60", "60", "0"]
    assert {len(row) for row in body} == {len(head)}


def test_csv_folds_replies_into_their_comment(notes: list[Note], options: Options) -> None:
    row = rows_of_file(write("csv", notes, options).content)[3]
    assert row[7] == "Téo Martins: Two seconds more, then?\nOr three.\nAna Lúcia Prado: @Téo Martins Three."


def test_csv_says_where_a_span_ends(notes: list[Note], options: Options) -> None:
    body = rows_of_file(write("csv", notes, options).content)[1:]
    assert [row[1] for row in body] == ["", "", "0:01:12", "", ""]


def test_csv_starts_with_the_mark_that_lets_spreadsheets_read_accents(notes: list[Note], options: Options) -> None:
    assert write("csv", notes, options).content.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])
def test_no_cell_runs_as_a_formula(start: str, options: Options) -> None:
    note = Note(1, start, start, start, None, (Reply(start, start),), link=start)
    for cell in rows_of_file(write("csv", [note], options).content)[1]:
        assert not cell.startswith((*FORMULA, "\n"))


@given(st.text(max_size=80), st.text(max_size=20))
def test_no_text_breaks_the_table_or_starts_a_formula(text: str, name: str) -> None:
    content = write("csv", [Note(5, name, text)], Options("Film")).content
    head, body = rows_of_file(content)
    assert len(head) == len(body)
    assert not any(cell.startswith(FORMULA) for cell in body)


def test_csv_names_the_link_only_where_comments_come_through_several(notes: list[Note], options: Options) -> None:
    assert "Review link" not in rows_of_file(write("csv", notes, options).content)[0]
    several = [replace(notes[0], link="Cut 3"), replace(notes[1], link="Cut 2")]
    assert [row[-1] for row in rows_of_file(write("csv", several, options).content)] == [
        "Review link",
        "Cut 3",
        "Cut 2",
    ]


def test_headings_and_states_are_in_the_language_of_the_reader(notes: list[Note], options: Options) -> None:
    words = Words(time="Tempo", open="aberto", resolved="resolvido")
    table = rows_of_file(write("csv", notes, replace(options, words=words)).content)
    assert table[0][0] == "Tempo"
    assert [row[5] for row in table[1:]] == ["aberto", "paused", "aberto", "resolvido", "resolvido"]


def test_text_reads_like_a_list_with_indented_replies(notes: list[Note], options: Options) -> None:
    text = write("txt", notes, options).content.decode()
    first = "Serra Alta, launch film\nCut 3\n\n0:59:59  Priya Nair  open\n    The very last frame | is black\n"
    assert text.startswith(first)
    assert "0:01:00 - 0:01:12  Ana Lúcia Prado  open\n    1:00-1:12 Legal" in text
    assert "      Téo Martins: Two seconds more, then?\n        Or three.\n" in text


def test_text_of_nothing_says_so(options: Options) -> None:
    assert "No comments." in write("txt", [], options).content.decode()


def test_json_says_everything_and_translates_nothing(notes: list[Note], options: Options) -> None:
    found = json.loads(write("json", notes, replace(options, words=Words(open="aberto"))).content)
    assert found["frame_rate"] == "25"
    assert found["start_timecode"] == "01:00:00:00"
    assert found["comments"][2] == {
        "id": "n3",
        "time": 60,
        "until": 72,
        "timecode": "01:01:00:00",
        "author": "Ana Lúcia Prado",
        "by_owner": False,
        "text": "1:00-1:12 Legal needs the origin line",
        "status": "open",
        "created_at": "2026-11-20T14:00:00Z",
        "link": "",
        "replies": [
            {
                "author": "Téo Martins",
                "by_owner": False,
                "text": "Two seconds more, then?\nOr three.",
                "created_at": "2026-11-20T14:00:00Z",
            },
            {
                "author": "Ana Lúcia Prado",
                "by_owner": False,
                "text": "@Téo Martins Three.",
                "created_at": "2026-11-20T14:00:00Z",
            },
        ],
    }


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Serra Alta, launch film", "Serra Alta, launch film - Cut 3.csv"),
        ("a/b\\c:d*e?f", "a b c d e f - Cut 3.csv"),
        ("../../etc/passwd", "etc passwd - Cut 3.csv"),
        ("x" * 300, "x" * 100 + ".csv"),
        ('"\r\nSet-Cookie: x', "Set-Cookie x - Cut 3.csv"),
    ],
)
def test_a_file_name_fits_every_file_system(title: str, name: str, options: Options) -> None:
    assert write("csv", [], replace(options, title=title)).name == name
