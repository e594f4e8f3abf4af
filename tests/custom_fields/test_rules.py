"""What a field may be, and what a line of a file does."""

import pytest

from dashboard.custom_fields import rules
from dashboard.custom_fields.rules import FieldProblem, FileProblem, Unreadable
from dashboard.platform_api.records.custom_fields import CustomField

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
