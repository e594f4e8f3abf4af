"""What a field may be, and what a line of a file does."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.custom_fields import rules, views
from dashboard.custom_fields.rules import FieldProblem, FileProblem, Unreadable
from dashboard.platform_api.videos import CustomField
from dashboard.shared import csv

VIDEO = "3f2b6c1e-0000-4000-8000-000000000000"


def field(key: str, value: str = "v", identifier: str = "") -> CustomField:
    return CustomField(identifier or key, VIDEO, key, value, None, None)


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("", FieldProblem.KEY_EMPTY),
        ("a", None),
        ("Ação7", None),
        ("k" * 200, None),
        ("k" * 201, FieldProblem.KEY_LONG),
        ("two words", FieldProblem.KEY_CHARACTERS),
        ("with-hyphen", FieldProblem.KEY_CHARACTERS),
        ("with_underscore", FieldProblem.KEY_CHARACTERS),
    ],
)
def test_a_key_has_1_to_200_letters_and_digits(key: str, problem: FieldProblem | None) -> None:
    assert rules.key_problem(key) is problem


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("", FieldProblem.VALUE_EMPTY),
        ("  ", FieldProblem.VALUE_EMPTY),
        ("v", None),
        ("v" * 500, None),
        ("v" * 501, FieldProblem.VALUE_LONG),
    ],
)
def test_a_value_has_1_to_500_characters_and_is_never_empty(value: str, problem: FieldProblem | None) -> None:
    assert rules.value_problem(value) is problem


def test_a_key_is_taken_only_by_another_field() -> None:
    fields = (field("color"), field("size"))
    assert rules.is_taken("size", "color", fields)
    assert not rules.is_taken("color", "color", fields)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_is_read_with_any_delimiter(delimiter: str, mark: str) -> None:
    text = f"{mark}Video_ID,title,KEY,value\r\n{VIDEO},T,color,red\r\n\r\n".replace(",", delimiter)
    (line,) = rules.parse_lines(text.encode())
    assert (line.number, line.video_id, line.key, line.value, line.problem) == (2, VIDEO, "color", "red", None)


def test_what_our_own_file_made_harmless_is_read_as_it_was() -> None:
    (line,) = rules.parse_lines(f"video_id,key,value\n{VIDEO},color,'=1+1".encode())
    assert line.value == "=1+1"


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=50))
@example("＝1+1")
@example("＋5511999")
@example("'=1")
@example("''=1")
@example("=1\r\n@x")
def test_a_value_that_went_out_comes_back_as_it_was(value: str) -> None:
    (line,) = rules.parse_lines(csv.written(views.HEADS, [[VIDEO, value, "color", value, value]]).encode())
    assert (line.video_id, line.key, line.value) == (VIDEO, "color", value)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("nonsense,color,red,", FieldProblem.NO_VIDEO_ID),
        (f"{VIDEO},,red,", FieldProblem.KEY_EMPTY),
        (f"{VIDEO},color,,", FieldProblem.VALUE_EMPTY),
        (f"{VIDEO},color,{'v' * 501},", FieldProblem.VALUE_LONG),
        (f"{VIDEO},color,red,new key", FieldProblem.KEY_CHARACTERS),
        (f"{VIDEO},old key,red,newkey", None),
        (f"{VIDEO},color,red,color", None),
    ],
)
def test_a_line_that_is_wrong_by_itself_is_known_at_once(row: str, problem: FieldProblem | None) -> None:
    (line,) = rules.parse_lines(f"video_id,key,value,new_key\n{row}".encode())
    assert line.problem is problem


def test_the_second_line_for_one_field_is_refused() -> None:
    lines = list(rules.parse_lines(f"video_id,key,value\n{VIDEO},a,1\n{VIDEO},a,2\n{VIDEO},b,2".encode()))
    assert [line.problem for line in lines] == [None, FieldProblem.TWICE, None]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", FileProblem.EMPTY),
        (b"video_id,key,value\n", FileProblem.EMPTY),
        (b"video,key,value\nx,y,z", FileProblem.COLUMNS),
        ("video_id,key,value\nção".encode("latin-1"), FileProblem.NOT_TEXT),
        (b"video_id,key,value\na,b,c\x00d", FileProblem.NOT_TEXT),
        (b"x" * (rules.BYTES_MAX + 1), FileProblem.TOO_LARGE),
    ],
)
def test_a_file_that_cannot_be_read_says_why(content: bytes, problem: FileProblem) -> None:
    with pytest.raises(Unreadable) as raised:
        list(rules.parse_lines(content))
    assert raised.value.args[0] is problem


def lines(count: int) -> list[rules.FileLine]:
    """What is read of a file with so many lines."""
    text = "video_id,key,value\n" + "".join(f"{VIDEO},k{n},v\n" for n in range(count))
    return list(rules.parse_lines(text.encode()))


def test_50_000_lines_are_taken_and_one_more_is_not() -> None:
    assert len(lines(rules.LINES_MAX)) == rules.LINES_MAX
    with pytest.raises(Unreadable) as raised:
        lines(rules.LINES_MAX + 1)
    assert raised.value.args[0] is FileProblem.TOO_LONG


@pytest.mark.parametrize(
    ("key", "new_key", "value", "changes", "problem"),
    [
        ("color", "", "red", False, None),
        ("color", "", "blue", True, None),
        ("color", "hue", "red", True, None),
        ("color", "size", "red", False, FieldProblem.KEY_TAKEN),
        ("weight", "", "1", False, FieldProblem.NO_FIELD),
    ],
)
def test_a_line_is_compared_with_what_is_there(
    key: str, new_key: str, value: str, changes: bool, problem: FieldProblem | None
) -> None:
    found = rules.compare_line(key, new_key, value, (field("color", "red"), field("size", "xl")))
    assert (found.changes, found.problem) == (changes, problem)


def test_lines_are_counted_as_the_file_has_them_and_empty_ones_are_passed_over() -> None:
    text = f"video_id,key,value,new_key\n{VIDEO},a,1\n , ,\n\n{VIDEO},b,2,c,more\n"
    first, second = rules.parse_lines(text.encode())
    assert (first.number, first.key, first.value, first.new_key) == (2, "a", "1", "")
    assert (second.number, second.key, second.value, second.new_key) == (5, "b", "2", "c")


@pytest.mark.parametrize(("new_key", "renames"), [("", ""), ("color", ""), ("Color2", "Color2")])
def test_a_new_key_that_is_the_old_one_renames_nothing(new_key: str, renames: str) -> None:
    (line,) = rules.parse_lines(f"video_id,key,value,new_key\n{VIDEO},color,red,{new_key}".encode())
    assert line.new_key == renames


@pytest.mark.parametrize(
    ("row", "problem"),
    [("", None), (VIDEO, FieldProblem.KEY_EMPTY), (f"{VIDEO},a", FieldProblem.VALUE_EMPTY)],
)
def test_a_line_that_ends_early_lacks_what_comes_after(row: str, problem: FieldProblem | None) -> None:
    lines = list(rules.parse_lines(f"video_id,key,value\n{VIDEO},z,1\n{row}".encode()))
    assert [line.problem for line in lines[1:]] == ([] if problem is None else [problem])
    assert all(line.value == "" for line in lines[1:])


def test_an_apostrophe_that_people_wrote_stays() -> None:
    (line,) = rules.parse_lines(f"video_id,key,value\n{VIDEO},a,'twas".encode())
    assert line.value == "'twas"


def test_the_delimiter_is_the_one_of_the_first_line_and_a_value_may_have_line_ends() -> None:
    text = f'video_id;key;value\r\n{VIDEO};a;"1,2,3\r\n4,5,6"\r\n'
    (line,) = rules.parse_lines(text.encode())
    assert line.value == "1,2,3\r\n4,5,6"


def test_a_file_of_the_most_bytes_is_read() -> None:
    head = f"video_id,key,value\n{VIDEO},a,".encode()
    (line,) = rules.parse_lines(head + b"v" * (100_000 - len(head)))
    assert line.problem is FieldProblem.VALUE_LONG
    with pytest.raises(Unreadable) as raised:
        list(rules.parse_lines(b" " * rules.BYTES_MAX))
    assert raised.value.args[0] is not FileProblem.TOO_LARGE


def test_a_file_in_another_encoding_says_so() -> None:
    with pytest.raises(Unreadable) as raised:
        list(rules.parse_lines("video_id,key,value\nx,y,z".encode("utf-16-le")))
    assert raised.value.args[0] is FileProblem.NOT_TEXT


@pytest.mark.parametrize(
    ("new_key", "value", "expected", "changes", "problem"),
    [
        ("", "blue", "red", True, None),
        ("", "blue", "green", False, FieldProblem.CHANGED_SINCE),
        ("", "red", "green", False, None),
        ("size", "blue", "", False, FieldProblem.KEY_TAKEN),
        ("color", "red", "", False, None),
    ],
)
def test_a_line_tells_of_the_field_that_it_is_about(
    new_key: str, value: str, expected: str, changes: bool, problem: FieldProblem | None
) -> None:
    color = field("color", "red", "c1")
    found = rules.compare_line("color", new_key, value, (field("size"), color), expected)
    assert found == rules.LineComparison(color, changes, problem)


def test_line_ends_inside_a_value_are_no_change() -> None:
    """Spreadsheets write them as two characters, the platform keeps one."""
    head = f"video_id,key,value\r\n{VIDEO},color,"
    (line,) = rules.parse_lines(f'{head}"a\r\nb"'.encode())
    assert not rules.compare_line("color", "", line.value, (field("color", "a\nb"),)).changes
    assert not rules.compare_line("color", "", "a\nb", (field("color", line.value),)).changes
    assert rules.compare_line("color", "", line.value, (field("color", "ab"),)).changes


def test_unicode_text_of_excel_is_read() -> None:
    (line,) = rules.parse_lines(f"\u00a0Video_ID\tkey\tvalue\r\n{VIDEO}\tcolor\tcafé\r\n".encode("utf-16"))
    assert (line.key, line.value, line.problem) == ("color", "café", None)
