"""WebVTT read as it comes, and written as SubRip and as text."""

from hypothesis import given
from hypothesis import strategies as st

from dashboard.shared import cues
from dashboard.shared.cues import Cue

VTT = """WEBVTT - a title

NOTE written by hand
00:00.000 --> 00:01.000 is not a cue here

STYLE
::cue { color: red }

1
00:00:01.000 --> 00:00:03.500 align:start position:10%
<v Ana>Fruta <i>boa</i></v>
n&atilde;o tem pressa.

01:02.250 --> 01:04.000
Fruta boa

00:00:05,000 --> 00:00:06,000
A comma is forgiven.

00:00:bad --> 00:00:09.000
left out

100:00:00.000 --> 100:00:01.000
"""


def test_cues_are_read_with_their_times_and_without_markup() -> None:
    assert cues.parse_vtt(VTT) == (
        Cue(1.0, 3.5, "Fruta boa\nnão tem pressa.", "Ana"),
        Cue(62.25, 64.0, "Fruta boa"),
        Cue(5.0, 6.0, "A comma is forgiven."),
    )


def test_line_ends_and_a_byte_order_mark_make_no_difference() -> None:
    assert cues.parse_vtt("\ufeff" + VTT.replace("\n", "\r\n")) == cues.parse_vtt(VTT)


def test_subrip_is_numbered_and_has_commas() -> None:
    assert cues.as_srt((Cue(1.0, 3.5, "One"), Cue(3661.0426, 3662.0, "Two\nlines"))) == (
        "1\n00:00:01,000 --> 00:00:03,500\nOne\n\n2\n01:01:01,043 --> 01:01:02,000\nTwo\nlines\n"
    )


def test_text_has_a_line_a_cue_and_tells_a_repetition_once() -> None:
    assert cues.as_text((Cue(0, 1, "Two\nlines"), Cue(1, 2, "Two lines"), Cue(2, 3, "End"))) == "Two lines\nEnd\n"


@given(st.text())
def test_any_text_at_all_is_read_without_complaint(text: str) -> None:
    for cue in cues.parse_vtt(text):
        assert cue.text.strip() == cue.text != ""


@given(st.lists(st.tuples(st.integers(0, 10**7), st.integers(1, 9999)), max_size=20))
def test_what_is_written_as_subrip_is_read_back_the_same(times: list[tuple[int, int]]) -> None:
    written = tuple(Cue(start / 1000, (start + length) / 1000, "word") for start, length in times)
    assert cues.parse_vtt(cues.as_srt(written)) == written


def test_markup_without_an_end_is_text_and_is_read_at_once() -> None:
    cue = "WEBVTT\n\n00:00.000 --> 00:01.000\n"
    assert cues.parse_vtt(cue + "a <b <c> d> e <i")[0].text == "a  d> e <i"
    assert cues.parse_vtt(cue + "<" * 1_900_000)[0].text == "<" * 1_900_000
    assert cues.parse_vtt(cue + ">" + "<" * 1_900_000 + ">x")[0].text == ">x"


def test_a_number_that_is_none_breaks_no_file() -> None:
    digits = "9" * 5_000
    cue = "WEBVTT\n\n00:00.000 --> 00:01.000\n"
    assert cues.parse_vtt(f"{cue}&#{digits}; &#233;")[0].text == "\ufffd é"
    assert cues.parse_vtt(f"WEBVTT\n\n{digits}:00:00.000 --> {digits}:00:01.000\nx") == ()


def test_a_voice_is_read_from_its_tag_and_from_nothing_like_it() -> None:
    cue = "WEBVTT\n\n00:00.000 --> 00:01.000\n"
    assert cues.parse_vtt(cue + "<v.loud Jo&atilde;o>Fora!</v> <v Ana>Sim.")[0].voice == "João"
    for no_voice in ("<very>a", "<v>a", "<v >a", "<v Ana a", "a <b Ana>", f"<v {'A' * 500}>a", "<v" + " " * 9 + "A>a"):
        assert cues.parse_vtt(cue + no_voice)[0].voice == ""
    assert cues.parse_vtt(f"{cue}<v{' ' * 1_900_000}")[0].voice == ""
