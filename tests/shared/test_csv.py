"""Files that can be trusted: formulas are neutral, numbers are numbers, names are plain."""

import csv as reader
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.shared import csv

texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"))


@given(texts)
def test_no_text_cell_begins_like_a_formula(text: str) -> None:
    written = csv.written(["A"], [[text]])[1:]
    cell = list(reader.reader(io.StringIO(written, newline="")))[1:]
    value = cell[0][0] if cell and cell[0] else ""
    assert not value.startswith(tuple("=+-@\t\r\n＝＋－＠"))
    assert csv.read_text(value) == text


@given(drawn=st.text(st.sampled_from("'=+-@\t\r\n＝＋－＠1 ")))
@pytest.mark.parametrize("text", ["＝1+1", "＋5511999", "'=1", "''=1", "-1", "@x", "'twas", "'", ""])
def test_what_is_made_harmless_is_read_back_as_it_was(text: str, drawn: str) -> None:
    for each in (text, drawn, text + drawn):
        assert csv.read_text(csv.neutral(each)) == each


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_text_that_a_spreadsheet_would_calculate_gets_an_apostrophe(start: str) -> None:
    heads, cells = list(reader.reader(io.StringIO(csv.written([f"{start}A"], [[f"{start}1+1"]])[1:], newline="")))
    assert (heads, cells) == ([f"'{start}A"], [f"'{start}1+1"])


def test_text_with_such_a_character_further_on_stays_as_it_is() -> None:
    assert csv.written(["A"], [["a=1 +2 -3 @b"], [" =1"]])[1:].split("\r\n")[1:3] == ["a=1 +2 -3 @b", " =1"]


@pytest.mark.parametrize(
    ("value", "cell"),
    [(-4.5, "-4.5"), (-3, "-3"), (1e15, "1000000000000000"), (0.1 + 0.2, "0.3"), (1234567.0, "1234567")],
)
def test_numbers_stay_numbers_even_below_zero(value: float, cell: str) -> None:
    assert csv.written(["A"], [[value]]).split("\r\n")[1] == cell


def test_an_unknown_value_is_an_empty_cell_and_not_a_zero() -> None:
    assert csv.written(["A", "B"], [[None, 0]]).split("\r\n")[1] == ",0"


def test_a_file_is_named_by_content_and_period_in_plain_letters() -> None:
    assert csv.file_name("Référents", "2026-08-01_2026-08-31_UTC") == "referents_2026-08-01_2026-08-31_UTC.csv"
    assert csv.file_name("../../etc\r\n", "", "svg") == "etc.svg"
    assert csv.file_name("日本") == "table.csv"
    response = csv.download("a", csv.file_name('x"; filename=evil'))
    assert response["Content-Disposition"] == 'attachment; filename="x-filename-evil.csv"'


TABLE = "video_id;nome;valor, em R$\r\n1;x;a,b,c,d,e\r\n"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (TABLE.encode("utf-8-sig"), "CSV UTF-8 of a spreadsheet that writes semicolons"),
        (TABLE.replace(";", "\t").encode("utf-16"), "Unicode text of Excel"),
        (b"\xfe\xff" + TABLE.replace(";", "\t").encode("utf-16-be"), "the other way round"),
        (TABLE.replace("\r\n", "\r").encode(), "CSV of an old Macintosh, with commas in the cells"),
    ],
)
def test_a_table_is_read_as_spreadsheets_save_it(content: bytes, name: str) -> None:
    text = csv.decode(content)
    assert list(csv.read_rows(text)) == [["video_id", "nome", "valor, em R$"], ["1", "x", "a,b,c,d,e"]], name


@pytest.mark.parametrize("content", ["prova;ação".encode("cp1252"), "\ud800".encode("utf-16", "surrogatepass")])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(UnicodeDecodeError):
        csv.decode(content)


@pytest.mark.parametrize("heading", ["Questão", "QUESTA\u0303O", " quest\u00e3o\u00a0", "\ufeffquestao", "ｑuestao"])
def test_a_heading_is_read_however_it_is_written(heading: str) -> None:
    assert csv.fold_heading(heading) == "questao"
