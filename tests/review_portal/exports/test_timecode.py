"""Timecode: whatever the rate, a label means the frame that opentimelineio says it means."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentimelineio import opentime

from review_portal.exports.timecode import DAY, RATES, BadTimecode, FrameRate, frame_of, label, parse

ALL = list(RATES.values())
rates = st.sampled_from(ALL)
frames = st.integers(0, 60 * DAY)


@pytest.mark.parametrize(
    ("key", "frame", "expected"),
    [
        ("25", 0, "00:00:00:00"),
        ("25", 90_000, "01:00:00:00"),
        ("24", 24 * 3600 * 24 - 1, "23:59:59:23"),
        ("23.976", 86_400, "01:00:00:00"),
        ("29.97df", 1799, "00:00:59;29"),
        ("29.97df", 1800, "00:01:00;02"),
        ("29.97df", 17_981, "00:09:59;29"),
        ("29.97df", 17_982, "00:10:00;00"),
        ("29.97df", 107_892, "01:00:00;00"),
        ("59.94df", 3600, "00:01:00;04"),
        ("59.94df", 35_964, "00:10:00;00"),
    ],
)
def test_a_frame_has_the_label_that_the_standard_gives_it(key: str, frame: int, expected: str) -> None:
    assert label(frame, RATES[key]) == expected


@given(rates, frames)
def test_every_label_is_the_one_that_opentimelineio_writes(rate: FrameRate, frame: int) -> None:
    frame %= frame_of(DAY - 1, rate)
    theirs = opentime.RationalTime(frame, float(rate.exact)).to_timecode(float(rate.exact), rate.drop)
    assert label(frame, rate) == theirs


@given(rates, frames)
def test_a_label_reads_back_as_its_frame(rate: FrameRate, frame: int) -> None:
    frame %= frame_of(DAY - 1, rate)
    assert parse(label(frame, rate), rate) == frame


@pytest.mark.parametrize("rate", [rate for rate in ALL if not rate.drop], ids=lambda rate: rate.key)
def test_a_comment_is_at_the_first_frame_of_its_second(rate: FrameRate) -> None:
    for seconds in [*range(4000), 7199, 7200, 36_000]:
        assert 0 <= frame_of(seconds, rate) / rate.exact - seconds < 1 / rate.exact


@pytest.mark.parametrize("rate", [rate for rate in ALL if rate.drop], ids=lambda rate: rate.key)
def test_in_drop_frame_a_comment_carries_the_time_its_writer_saw(rate: FrameRate) -> None:
    for seconds in range(7200):
        minutes, second = divmod(seconds, 60)
        shown = label(frame_of(seconds, rate), rate)
        assert shown.startswith(f"{minutes // 60:02}:{minutes % 60:02}:{second:02};")
        assert -Fraction(1, 10) < frame_of(seconds, rate) / rate.exact - seconds < Fraction(1, 10)


def test_hours_past_a_day_start_again_and_keep_two_digits() -> None:
    assert label(25 * (DAY + 1), RATES["25"]) == "00:00:01:00"
    assert label(parse("23:59:59:24", RATES["25"]) + 1, RATES["25"]) == "00:00:00:00"


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("", "25", "form"),
        ("1:00", "25", "form"),
        ("01:00:00", "25", "form"),
        ("aa:00:00:00", "25", "form"),
        ("٠١:00:00:00", "25", "form"),
        ("24:00:00:00", "25", "hours"),
        ("01:60:00:00", "25", "minutes"),
        ("01:00:60:00", "25", "seconds"),
        ("01:00:00:25", "25", "frames"),
        ("01:00:00:24", "23.976", "frames"),
        ("00:01:00;00", "29.97df", "dropped"),
        ("00:01:00;01", "29.97df", "dropped"),
        ("00:01:00:03", "59.94df", "dropped"),
    ],
)
def test_a_timecode_that_cannot_be_is_refused_with_the_part_that_is_wrong(text: str, key: str, reason: str) -> None:
    with pytest.raises(BadTimecode) as caught:
        parse(text, RATES[key])
    assert caught.value.reason == reason


@pytest.mark.parametrize("text", ["00:10:00;00", "00:01:00;02", " 1:00:00.00 ", "23:59:59,29"])
def test_a_timecode_may_be_typed_the_way_people_type_it(text: str) -> None:
    assert label(parse(text, RATES["29.97df"]), RATES["29.97df"]).endswith(text.strip()[-2:])
