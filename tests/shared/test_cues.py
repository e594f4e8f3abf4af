"""WebVTT read as it comes, and written as SubRip and as text."""

import pytest
from hypothesis import example, given
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
        Cue(5.0, 6.0, "A comma is forgiven."),
        Cue(62.25, 64.0, "Fruta boa"),
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
    assert cues.parse_vtt(cues.as_srt(written)) == tuple(sorted(written, key=lambda cue: cue.start))


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


TIMES = "00:01.000 --> 00:02.000"
LATER = "00:02.000 --> 00:03.000"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("WEBVTT\n", "right after the signature"),
        ("WEBVTT - a title\nKind: captions\nLanguage: en\n", "right after a header line"),
        ("WEBVTT\n1\n", "with its number, right after the signature"),
        ("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n", "right after a line of a live stream"),
        ("WEBVTT\n\nNOTE\na remark\nof two lines\n", "right after a comment"),
        ("WEBVTT\n\nSTYLE\n::cue { color: red }\n", "right after a style"),
        ("WEBVTT\n\nREGION\nid:fred\n", "right after a region"),
        ("WEBVTT\n\nwords that are no cue\nand more\n", "right after words without a time"),
        ("WEBVTT\n\nNOTE this is a name\n", "whose name begins like a comment"),
        ("\ufeffWEBVTT\t\n", "after a byte order mark"),
        ("", "without a signature"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_cue_is_read(head: str, name: str, end: str) -> None:
    vtt = f"{head}{TIMES}\nHello\n\n{LATER}\nthere"
    assert cues.parse_vtt(vtt.replace("\n", end)) == (Cue(1, 2, "Hello"), Cue(2, 3, "there")), name


def test_a_line_of_times_inside_a_cue_ends_it_and_begins_another() -> None:
    assert cues.parse_vtt(f"WEBVTT\n\n{TIMES}\nHello\n{LATER}\nthere\n") == (Cue(1, 2, "Hello"), Cue(2, 3, "there"))
    assert cues.parse_vtt(f"WEBVTT\n\n{TIMES}\nHello\na --> b\nlost\n\n{LATER}\nthere") == (
        Cue(1, 2, "Hello"),
        Cue(2, 3, "there"),
    ), "browsers end the cue at any arrow"
    assert cues.parse_vtt(f"WEBVTT\n\n{TIMES}\nwrite --&gt; in words")[0].text == "write --> in words"


def test_a_line_of_one_space_inside_a_cue_is_text_and_nul_is_a_letter() -> None:
    assert cues.parse_vtt(f"WEBVTT\n\n{TIMES}\nHello\n \nthe\0re") == (Cue(1, 2, "Hello\n \nthe\ufffdre"),)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("<v Ana>Ready?\n<v Rui>Yes!", [("Ana", "Ready?"), ("Rui", "Yes!")]),
        ("<v Ana>Ready?</v> <v.loud Rui>Yes!</v>", [("Ana", "Ready?"), ("Rui", "Yes!")]),
        ("<v Ana>One <v Rui>two</v> three</v>", [("Ana", "One"), ("Rui", "two"), ("Ana", "three")]),
        ("<v Ana>One</v>\n(applause)\n<v Rui>two</v>", [("Ana", "One"), ("", "(applause)"), ("Rui", "two")]),
        ("<v Ana>One <00:01.500>two <i>three</i></v>", [("Ana", "One two three")]),
        ("<v Ana>One</v> <v Ana>two</v>", [("Ana", "One two")]),
        ("<v Ana></v><v Rui>two</v>", [("Rui", "two")]),
        ("<v Tom &amp; Ana>One <v>two</v>", [("Tom & Ana", "One two")]),
    ],
)
def test_each_voice_of_a_cue_has_its_own_words(words: str, parts: list[tuple[str, str]]) -> None:
    found = cues.parse_vtt(f"WEBVTT\n\n{TIMES}\n{words}")
    assert [(cue.voice, cue.text) for cue in found] == parts
    assert {(cue.start, cue.end) for cue in found} == {(1.0, 2.0)}
    assert [cue.text for cue in cues.parse_vtt(cues.as_srt(found))] == ["\n".join(text for _voice, text in parts)]
    assert cues.as_text(found).splitlines() == [text for _voice, text in parts]


def test_two_people_who_say_the_same_are_both_told() -> None:
    assert cues.as_text((Cue(0, 1, "Yes", "Ana"), Cue(0, 1, "Yes", "Rui"))) == "Yes\nYes\n"


def test_subrip_is_read_although_lines_of_it_are_missing() -> None:
    times, later = "00:00:01,000 --> 00:00:02,000", "00:00:02,000 --> 00:00:03,000"
    both = (Cue(1, 2, "Hello"), Cue(2, 3, "there"))
    assert cues.parse_vtt(f"1\n{times}\nHello\n2\n{later}\nthere\n") == both, "no empty line, and no 2 that is said"
    assert cues.parse_vtt(f"1\n{times}\nHello\n \n2\n{later}\nthere\n") == both, "a space for an empty line"
    assert cues.parse_vtt(f"{times}\nHello\n{later}\nthere\n") == both, "no numbers"
    assert cues.parse_vtt(f"{times}\n7\n{later}\nthere\n")[0].text == "7", "what is said without numbers beside it"
    assert cues.parse_vtt(f"1\n{times}\na --> b\n\n2\n{later}\nthere\n")[0].text == "a --> b"


def test_subrip_has_no_empty_line_inside_a_cue() -> None:
    found = cues.parse_vtt(f"WEBVTT\n\n{TIMES}\nHello\n<i></i>\n&#13;&#10;there")
    assert cues.as_srt(found) == "1\n00:00:01,000 --> 00:00:02,000\nHello\nthere\n"


def collect_blocks(lines: list[str]) -> list[tuple[str, list[str]]]:
    """The times and words of the cues of a file, step by step as in "collect a WebVTT block" of the standard."""
    found: list[tuple[str, list[str]]] = []
    at, in_header = 1, True
    while at < len(lines):
        count, seen_arrow, timing, buffer = 0, False, "", list[str]()
        while at < len(lines):
            line = lines[at]
            count += 1
            if "-->" in line:
                if not in_header and (count == 1 or (count == 2 and not seen_arrow)):
                    seen_arrow, timing, buffer = True, line, []
                else:
                    break
            elif not line:
                at += 1
                break
            else:
                buffer.append(line)
            at += 1
        if timing:
            found.append((timing, buffer))
        in_header = False
    return found


@given(st.lists(st.sampled_from(["", " ", "1", "NOTE", "NOTE x", "STYLE", "a", "b", "a --> b", TIMES, LATER])))
@example(["NOTE", TIMES, "a", TIMES])
def test_cues_are_those_of_the_standards_own_steps(lines: list[str]) -> None:
    blocks = sorted(collect_blocks(["WEBVTT", *lines]), key=lambda block: block[0])  # by their start, as they are shown
    expected = [body for timing, body in blocks if timing != "a --> b"]
    found = cues.parse_vtt("\n".join(["WEBVTT", *lines]))
    assert [cue.text for cue in found] == [words for body in expected if (words := "\n".join(body).strip())]


def test_cues_out_of_order_are_read_by_their_start() -> None:
    found = cues.parse_vtt("WEBVTT\n\n00:05.000 --> 00:06.000\nlate\n\n00:01.000 --> 00:07.000\nearly\n")
    assert [cue.text for cue in found] == ["early", "late"]


@pytest.mark.parametrize(
    "srt",
    [
        "1\r\r\n00:00:01,000 --> 00:00:02,000\r\r\nHello\r\r\n\r\r\n2\r\r\n00:00:02,000 --> 00:00:03,000\r\r\nthere\r\r\n",
        "1\n00:00:01,000 --> 00:00:02,000\n\nHello\n\n\n2\n00:00:02,000 --> 00:00:03,000\nthere\n\n3\n",
        "1\n00:00:01 --> 00:00:02\nHello\n\n2\n0:00:02,0 --> 0:00:03.00\nthere",
        "1\n00:00:01,000-->00:00:02,000\n{\\an8}Hello\n\n2\n00:00:02,000 --> 00:00:03,000 X1:1 X2:9\n{\\i1}there{\\i0}\n",
    ],
    ids=["line ends doubled", "empty lines in cues", "times without thousandths", "codes of an editor"],
)
def test_subrip_is_read_as_programs_write_it(srt: str) -> None:
    assert cues.parse_vtt(srt) == (Cue(1, 2, "Hello"), Cue(2, 3, "there"))


def test_subrip_keeps_all_words_and_numbers_that_are_said() -> None:
    found = cues.parse_vtt(
        "1\n00:00:01,000 --> 00:00:02,000\nA\n\nB {c} I <3 you\n3 < 4 and 5 > 2 <i>now</i>\n2012\n\n2\n"
    )
    assert [cue.text for cue in found] == ["A\nB {c} I <3 you\n3 < 4 and 5 > 2 now\n2012"]
    assert cues.parse_vtt("1\n00:00:01,000 --> 00:00:02,000\nIn\n2012")[0].text == "In\n2012"
    assert [cue.text for cue in cues.parse_vtt(f"WEBVTT\n\n{TIMES}\n{{\\an8}}a")] == ["{\\an8}a"], "text in WebVTT"


def test_times_of_another_kind_are_no_times() -> None:
    assert cues.parse_vtt("1\n00:00:01:12 --> 00:00:02:10\nframes") == ()


def test_a_voice_is_the_same_however_its_name_is_spaced() -> None:
    found = cues.parse_vtt(f"WEBVTT\n\n{TIMES}\n<v.first.loud Esme  Mary>one</v> <v\nEsme Mary><i.x>two</i></v>")
    assert found == (Cue(1, 2, "one two", "Esme Mary"),)


def test_how_a_word_is_read_follows_it_in_brackets() -> None:
    ruby = f"WEBVTT\n\n{TIMES}\n<ruby>\u6f22<rt.x>kan</rt>\u5b57<rt>ji</ruby> <lang en>x</lang>"
    assert cues.parse_vtt(ruby)[0].text == "\u6f22(kan)\u5b57(ji) x"


ROLLING = """WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.389 align:start position:0%
\x20
hello<00:00:00.640><c> everyone</c><00:00:00.960><c> welcome</c>

00:00:02.389 --> 00:00:02.399 align:start position:0%
hello everyone welcome
\x20

00:00:02.399 --> 00:00:04.070 align:start position:0%
hello everyone welcome
to<00:00:02.560><c> my</c>

00:00:04.070 --> 00:00:04.080 align:start position:0%
to my
\x20
"""


def test_lines_that_scroll_are_told_once() -> None:
    found = cues.parse_vtt(ROLLING)
    assert cues.unroll(found) == (Cue(0.16, 2.399, "hello everyone welcome"), Cue(2.399, 4.08, "to my"))
    assert cues.as_text(found) == "hello everyone welcome\nto my\n"
    assert len(cues.parse_vtt(cues.as_srt(found))) == 4, "a file of subtitles shows what was shown"


def test_words_that_somebody_says_again_stay() -> None:
    said = (Cue(0, 1, "Run!"), Cue(1, 2, "Run!\nNow!"), Cue(2, 3, "No."), Cue(3, 4, "Yes."))
    assert cues.unroll(said) == said
