"""The range engine: equal lengths, no overlap, whole days, in every zone and over every change of the clock."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.ranges import (
    EARLIEST,
    MAX_DAYS,
    MAX_HOUR_DAYS,
    Compare,
    Days,
    Preset,
    RangeProblem,
    RangeReason,
    Selection,
    get_day_start,
    get_preset_days,
    list_hours,
    parse_range,
)

NOW = datetime(2026, 11, 20, 15, 30, tzinfo=UTC)
ZONES = [f"Etc/GMT{offset:+}" for offset in range(-14, 13) if offset] + [
    "UTC",
    "America/Sao_Paulo",
    "America/New_York",
    "America/Havana",  # repeats midnight
    "Asia/Beirut",  # skips midnight
    "Australia/Lord_Howe",  # moves by half an hour
    "Asia/Kathmandu",
    "Pacific/Apia",  # left out 30 December 2011
    "Pacific/Kiritimati",
    "Europe/Lisbon",
]

zones = st.sampled_from(ZONES)
moments = st.integers(1_104_537_600, 2_051_222_400).map(lambda second: datetime.fromtimestamp(second, UTC))
comparisons = st.sampled_from([Compare.PREVIOUS, Compare.LAST_YEAR])


@st.composite
def selections(draw: st.DrawFn, longest: int = MAX_DAYS) -> Selection:
    now, zone = draw(moments), ZoneInfo(draw(zones))
    today = now.astimezone(zone).date()
    end = today - timedelta(days=draw(st.integers(0, 400)))
    start = end - timedelta(days=draw(st.integers(0, longest - 1)))
    start = max(start, EARLIEST)
    grains = [Granularity.DAY, Granularity.TOTAL] + ([Granularity.HOUR] if (end - start).days < MAX_HOUR_DAYS else [])
    asked = {
        "start": start.isoformat(),
        "end": end.isoformat(),
        "granularity": draw(st.sampled_from(grains)).value,
        "compare": draw(comparisons).value,
        "zone": zone.key,
    }
    selection = parse_range(asked, now=now, zone="UTC").selection
    assert selection is not None
    return selection


def ask(**params: str) -> Selection:
    got = parse_range(params, now=NOW, zone="America/Sao_Paulo")
    assert got.selection is not None, got.problems
    return got.selection


def refuse(**params: str) -> tuple[RangeProblem, ...]:
    got = parse_range(params, now=NOW, zone="America/Sao_Paulo")
    assert got.selection is None
    return got.problems


@given(selections())
def test_a_comparison_has_as_many_days_and_none_in_common(selection: Selection) -> None:
    assert selection.against is not None
    assert len(selection.against) == len(selection.days)
    assert not set(selection.against) & set(selection.days)
    assert selection.against.end < selection.days.start


@given(selections())
def test_last_year_meets_the_same_weekday(selection: Selection) -> None:
    assert selection.against is not None
    if selection.compare is Compare.LAST_YEAR:
        assert selection.against.start.weekday() == selection.days.start.weekday()
        assert len(selection.days) > 364 or selection.windows.shift == 364
    else:
        assert selection.against.end == selection.days.start - timedelta(days=1)


@given(selections())
def test_totals_count_whole_days_of_equal_number_on_both_sides(selection: Selection) -> None:
    windows = selection.windows
    whole, against = selection.whole, windows.compared
    assert windows.shown_days == selection.days
    unfinished = list(windows.unfinished or ())
    assert [*windows.counted, *unfinished] == list(selection.days)
    if whole is None:
        assert selection.days.start >= selection.settled
        assert against is None and windows.counted == selection.days and windows.partial
    else:
        assert against is not None
        assert selection.today not in whole
        assert selection.now.astimezone(UTC).date() not in whole
        assert len(whole) == len(against)
        assert not whole.touches(against)
        assert windows.counted == whole and windows.past == against


@given(selections(longest=MAX_HOUR_DAYS))
def test_buckets_tell_every_day_once_and_only_today_is_unfinished(selection: Selection) -> None:
    buckets = selection.buckets()
    assert len({bucket.key for bucket in buckets}) == len(buckets)
    assert [bucket.key for bucket in buckets] == sorted(bucket.key for bucket in buckets)
    # A day without any hour exists only where a zone left it out.
    shown = {bucket.day for bucket in buckets}
    assert {day for day in selection.days if day not in shown} <= {date(2011, 12, 30)}
    for bucket in buckets:
        assert bucket.whole == (bucket.day < selection.settled)
        assert bucket.begun or (not bucket.whole and bucket.hour is not None)


@given(selections(longest=MAX_HOUR_DAYS))
def test_each_bucket_meets_the_same_hour_of_the_day_it_is_compared_with(selection: Selection) -> None:
    buckets, partners = selection.buckets(), selection.partners()
    assert len(buckets) == len(partners)
    for bucket, partner in zip(buckets, partners, strict=True):
        if bucket.day not in selection.windows.counted:
            assert partner is None, "a day that is not added up is drawn beside nothing"
        elif partner is None:
            missing = bucket.day - timedelta(days=selection.windows.shift)
            assert bucket.hour is not None and bucket.hour not in list_hours(missing, selection.zone)
        else:
            assert (bucket.day - partner.day).days == selection.windows.shift
            assert selection.windows.past is not None and partner.day in selection.windows.past
            assert bucket.hour == partner.hour


@given(selections())
def test_an_address_gives_back_the_same_choice(selection: Selection) -> None:
    again = parse_range(selection.query(), now=selection.now, zone="Pacific/Kiritimati")
    assert again.selection == selection


@given(selections())
def test_stepping_back_and_forth_returns(selection: Selection) -> None:
    earlier = selection.earlier()
    if earlier is not None:
        assert len(earlier) == len(selection.days)
        assert earlier.end == selection.days.start - timedelta(days=1)
    later = selection.later()
    if later is None:
        assert selection.days.end == selection.today
    else:
        assert later.start == selection.days.end + timedelta(days=1)
        assert later.end <= selection.today


@given(st.dates(date(2005, 1, 1), date(2035, 1, 1)), zones)
def test_days_follow_each_other_without_gap_in_every_zone(day: date, name: str) -> None:
    zone = ZoneInfo(name)
    start, end = get_day_start(day, zone), get_day_start(day + timedelta(days=1), zone)
    skipped = name == "Pacific/Apia" and day == date(2011, 12, 30)
    assert start == end if skipped else timedelta(hours=22) < end - start < timedelta(hours=26)
    assert skipped or start.astimezone(zone).date() == day
    assert (start - timedelta(microseconds=1)).astimezone(zone).date() < day


@given(zones, moments, st.sampled_from(list(Preset)))
def test_every_preset_ends_on_the_zones_own_today(name: str, now: datetime, preset: Preset) -> None:
    got = parse_range({"range": preset.value, "zone": name}, now=now, zone="UTC").selection
    assert got is not None
    assert got.days.end == now.astimezone(ZoneInfo(name)).date()
    assert got.days == get_preset_days(preset, got.today)


def test_a_day_is_over_only_when_it_is_over_for_the_platform_too() -> None:
    now = datetime(2026, 11, 20, 15, 30, tzinfo=UTC)
    auckland = parse_range({"range": "7d", "zone": "Pacific/Auckland"}, now=now, zone="UTC").selection
    assert auckland is not None and auckland.today == date(2026, 11, 21)
    assert auckland.whole is not None and auckland.whole.end == date(2026, 11, 19)
    evening = parse_range(
        {"range": "7d", "zone": "America/Sao_Paulo"}, now=now.replace(day=21, hour=1), zone="UTC"
    ).selection
    assert evening is not None and evening.today == date(2026, 11, 20)
    assert evening.whole is not None and evening.whole.end == date(2026, 11, 19)


def test_daylight_saving_skips_an_hour_and_repeats_one_as_one_bucket() -> None:
    new_york = ZoneInfo("America/New_York")
    assert 2 not in list_hours(date(2026, 3, 8), new_york) and len(list_hours(date(2026, 3, 8), new_york)) == 23
    assert list_hours(date(2026, 11, 1), new_york) == tuple(range(24))
    assert list_hours(date(2026, 10, 4), ZoneInfo("Australia/Lord_Howe")) == tuple(range(24))
    assert 0 not in list_hours(date(2026, 3, 29), ZoneInfo("Asia/Beirut"))
    assert list_hours(date(2011, 12, 30), ZoneInfo("Pacific/Apia")) == ()


def test_a_leap_day_is_a_day_like_another() -> None:
    now = datetime(2024, 3, 1, 12, tzinfo=UTC)
    got = parse_range(
        {"start": "2024-02-29", "end": "2024-02-29", "compare": "last-year"}, now=now, zone="UTC"
    ).selection
    assert got is not None and got.against == Days(date(2023, 3, 2), date(2023, 3, 2))
    got = parse_range({"start": "2024-02-01", "end": "2024-02-29"}, now=now, zone="UTC").selection
    assert got is not None and got.against == Days(date(2024, 1, 3), date(2024, 1, 31))


def test_a_bare_address_shows_28_days_by_day_against_the_28_before() -> None:
    got = ask()
    assert got.days == Days(date(2026, 10, 24), date(2026, 11, 20))
    assert got.against == Days(date(2026, 9, 26), date(2026, 10, 23))
    assert (got.granularity, got.zone.key) == (Granularity.DAY, "America/Sao_Paulo")
    assert got.whole is not None and len(got.whole) == 27
    assert got.windows.past == Days(date(2026, 9, 26), date(2026, 10, 22)), "as many days as are added up"
    assert got.file_part() == "2026-10-24_2026-11-20_vs_2026-09-26_2026-10-22_America-Sao_Paulo"
    assert got.file_part(totals=True) == "2026-10-24_2026-11-19_vs_2026-09-26_2026-10-22_America-Sao_Paulo"


def test_today_alone_is_counted_as_it_is_and_compared_with_nothing() -> None:
    got = ask(range="today")
    assert got.granularity is Granularity.HOUR
    assert got.whole is None and got.counted == got.days and got.windows.compared is None
    assert got.windows.past == Days(date(2026, 11, 19), date(2026, 11, 19)), "drawn beside, never added up"
    assert [bucket.begun for bucket in got.buckets()] == [hour <= 12 for hour in range(24)]


def test_a_chosen_comparison_starts_where_it_was_told_and_keeps_the_length() -> None:
    got = ask(start="2026-11-01", end="2026-11-10", compare="chosen", against="2026-03-01")
    assert got.against == Days(date(2026, 3, 1), date(2026, 3, 10))
    assert parse_range(got.query(), now=NOW, zone="UTC").selection == got


@pytest.mark.parametrize(
    ("params", "field", "reason"),
    [
        ({"start": "2026-11-10", "end": "2026-11-09"}, "end", RangeReason.REVERSED),
        ({"start": "2026-11-21"}, "start", RangeReason.REVERSED),
        ({"start": "2026-11-01", "end": "2026-11-21"}, "end", RangeReason.END_IN_FUTURE),
        ({"start": "1626-11-20", "end": "2026-11-20"}, "start", RangeReason.START_TOO_EARLY),
        ({"start": "2010-01-01", "end": "2026-01-01"}, "start", RangeReason.TOO_LONG),
        ({"start": "2026-02-30", "end": "2026-03-01"}, "start", RangeReason.START_UNREADABLE),
        ({"start": "20261101"}, "start", RangeReason.START_UNREADABLE),
        ({"start": "２０２６-11-01"}, "start", RangeReason.START_UNREADABLE),
        ({"start": "2026-11-01", "end": "tomorrow"}, "end", RangeReason.END_UNREADABLE),
        ({"end": "2026-11-01"}, "start", RangeReason.START_MISSING),
        ({"range": "29d"}, "range", RangeReason.PRESET_UNKNOWN),
        ({"granularity": "week"}, "granularity", RangeReason.GRANULARITY_UNKNOWN),
        ({"start": "2025-01-01", "granularity": "hour"}, "granularity", RangeReason.TOO_LONG_BY_HOUR),
        ({"compare": "best"}, "compare", RangeReason.COMPARE_UNKNOWN),
        ({"compare": "chosen"}, "against", RangeReason.AGAINST_MISSING),
        ({"compare": "chosen", "against": "x"}, "against", RangeReason.AGAINST_UNREADABLE),
        ({"compare": "chosen", "against": "1999-12-31"}, "against", RangeReason.AGAINST_TOO_EARLY),
        ({"compare": "chosen", "against": "2026-10-20"}, "against", RangeReason.AGAINST_OVERLAPS),
        ({"compare": "chosen", "against": "9999-12-31"}, "against", RangeReason.AGAINST_IN_FUTURE),
        ({"zone": "Mars/Olympus"}, "zone", RangeReason.ZONE_UNKNOWN),
        ({"zone": "../../etc/passwd"}, "zone", RangeReason.ZONE_UNKNOWN),
        ({"zone": "America"}, "zone", RangeReason.ZONE_UNKNOWN),
    ],
)
def test_an_address_that_names_no_range_says_which_field_and_why(
    params: dict[str, str], field: str, reason: RangeReason
) -> None:
    assert RangeProblem(field, reason) in refuse(**params)


def test_several_slips_are_named_together() -> None:
    problems = refuse(start="x", end="y", granularity="z", compare="w")
    assert {problem.field for problem in problems} == {"start", "end", "granularity", "compare"}


@pytest.mark.parametrize("length", [MAX_DAYS - 1, MAX_DAYS])
def test_the_longest_range_is_still_a_range(length: int) -> None:
    start = NOW.date() - timedelta(days=length - 1)
    assert len(ask(start=start.isoformat()).days) == length


@given(
    st.dictionaries(st.sampled_from(["start", "end", "range", "granularity", "compare", "against", "zone"]), st.text())
)
def test_no_address_ever_raises(params: dict[str, str]) -> None:
    got = parse_range(params, now=NOW, zone="UTC")
    assert (got.selection is None) == bool(got.problems)
