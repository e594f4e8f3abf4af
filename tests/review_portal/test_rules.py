"""What is allowed, inside, at the edge and outside of every limit."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.platform_api.vocabulary import COMMENT_FORBIDDEN, USER_NAME_MAX
from dashboard.shared.text import fold
from review_portal import rules
from review_portal.rules import LinkState, Problem, Reason

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@dataclass
class Link:
    status: str = "active"
    expires_at: datetime | None = NOW + timedelta(days=3)
    allow_comment: bool = True
    allow_status_edit: bool = True


@pytest.mark.parametrize(
    ("link", "state"),
    [
        (Link(), LinkState.OPEN),
        (Link(expires_at=None), LinkState.OPEN),
        (Link(expires_at=NOW + timedelta(seconds=1)), LinkState.OPEN),
        (Link(expires_at=NOW), LinkState.EXPIRED),
        (Link(status="inactive"), LinkState.INACTIVE),
        (Link(status="paused"), LinkState.INACTIVE),
        (Link(status="inactive", expires_at=NOW - timedelta(days=1)), LinkState.INACTIVE),
    ],
)
def test_a_link_is_open_until_its_moment_and_while_it_is_active(link: Link, state: LinkState) -> None:
    assert rules.state_of(link, NOW) == state


def test_what_a_link_forbids_has_a_reason() -> None:
    assert rules.why_no_comment(Link(), NOW) is None
    assert rules.why_no_comment(Link(allow_comment=False), NOW) == Reason.VIEW_ONLY
    assert rules.why_no_status(Link(allow_status_edit=False), NOW) == Reason.STATUS_LOCKED
    assert rules.why_no_status(Link(expires_at=NOW), NOW) == Reason.LINK_EXPIRED
    assert rules.why_no_comment(Link(status="inactive", allow_comment=False), NOW) == Reason.LINK_INACTIVE


@pytest.mark.parametrize(
    ("ahead", "soon"), [(timedelta(hours=24), True), (timedelta(hours=24, seconds=1), False), (timedelta(0), False)]
)
def test_a_link_is_expiring_in_its_last_day(ahead: timedelta, soon: bool) -> None:
    assert rules.is_expiring(Link(expires_at=NOW + ahead), NOW) is soon


@pytest.mark.parametrize(
    ("text", "counted"),
    [("", 0), ("abc", 3), ("ação", 4), ("👍🏽", 4), ("a\nb", 3), ("x" * 500, 500)],
)
def test_length_is_counted_as_whoever_counts_most(text: str, counted: int) -> None:
    assert rules.count_length(text) == counted


@pytest.mark.parametrize(("length", "fine"), [(1, True), (499, True), (500, True), (501, False)])
def test_a_text_has_1_to_500_characters(length: int, fine: bool) -> None:
    assert (rules.check_text("x" * length) == []) is fine


def test_an_empty_text_is_asked_for() -> None:
    assert rules.check_text(rules.normalize(" \r\n ")) == [Problem("text", Reason.TEXT_EMPTY)]


@pytest.mark.parametrize(
    ("text", "character", "place", "repair"),
    [
        ("a -> b", ">", 4, "→"),
        ("a => b", ">", 4, "⇒"),
        ("<- here", "<", 1, "←"),
        ("I <3 it", "<", 3, "♥"),
        ("[00:12] loud", "[", 1, "("),
        ("2 > 1", ">", 3, "›"),
        ("{x", "{", 1, "("),
    ],
)
def test_each_forbidden_character_is_named_with_its_place_and_a_repair(
    text: str, character: str, place: int, repair: str
) -> None:
    first = rules.check_text(text)[0]
    assert (first.reason, first.character, first.place, first.repair) == (
        Reason.TEXT_FORBIDDEN,
        character,
        place,
        repair,
    )


@given(st.text(min_size=1, max_size=60))
def test_a_text_passes_exactly_when_it_holds_nothing_forbidden(text: str) -> None:
    text = rules.normalize(text)
    if not text:
        return
    assert (rules.check_text(text) == []) == (not set(text) & set(COMMENT_FORBIDDEN))


@given(st.text(max_size=80))
def test_normal_text_stays_normal(text: str) -> None:
    assert rules.normalize(rules.normalize(text)) == rules.normalize(text)


def test_every_repair_can_be_sent() -> None:
    for wrong, right in rules.REPAIRS:
        assert set(wrong) & set(COMMENT_FORBIDDEN)
        assert rules.check_text(right) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Ana Prado", None),
        ("J.-P. O_k @home 2", None),
        ("Téo", None),
        ("", Reason.NAME_EMPTY),
        ("x" * 100, None),
        ("x" * 101, Reason.NAME_TOO_LONG),
        ("O'Neil", Reason.NAME_FORBIDDEN),
        ("Ana, Prado", Reason.NAME_FORBIDDEN),
        ("Ana\nPrado", Reason.NAME_FORBIDDEN),
    ],
)
def test_a_name_has_the_allowed_characters(name: str, reason: Reason | None) -> None:
    assert [problem.reason for problem in rules.check_name(name)] == ([reason] if reason else [])


def test_a_name_can_be_said_without_accents() -> None:
    assert fold("Téo Conceição") == "teo conceicao"


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("1:15", 75), ("0:75", 75), ("75", 75), ("75 s", 75), ("1:02:03", 3723), ("0:12.9", 12), ("12,9", 12), (" 0:05 ", 5),
        ("1m5s", 65), ("1m 5s", 65), ("1h2m3s", 3723), ("2m", 120), ("90s", 90), ("1M5", 65), ("1m5.9s", 65),
        ("00:01:05:12", 65), ("01:00:00;24", 3600), ("00:01:05:7", None), ("m", None), ("5s1m", None), ("1h:05", None),
        ("", None), ("1:2:3:4", None), ("-1", None), ("one", None), ("1:", None), (":5", None), ("१२", None),
    ],
)  # fmt: skip
def test_a_typed_time_is_read_and_floored(typed: str, seconds: int | None) -> None:
    assert rules.parse_clock(typed) == seconds


@pytest.mark.parametrize(
    ("typed", "last", "reason"),
    [
        ("2:48", 168, None),
        ("2:49", 168, Reason.TIME_BEYOND),
        ("9:99", None, None),
        ("", 168, Reason.TIME_EMPTY),
        ("soon", 168, Reason.TIME_UNREADABLE),
    ],
)
def test_a_time_lies_within_the_video(typed: str, last: int | None, reason: Reason | None) -> None:
    problem = rules.check_time(typed, last)[1]
    assert (problem.reason if problem else None) == reason


@pytest.mark.parametrize(("main", "replies", "reason"), [
    (29, None, None), (30, None, Reason.MAIN_LIMIT), (30, 29, None), (0, 30, Reason.REPLY_LIMIT),
])  # fmt: skip
def test_a_video_has_30_comments_and_a_thread_30_replies(main: int, replies: int | None, reason: Reason | None) -> None:
    problem = rules.check_quota(main, replies)
    assert (problem.reason if problem else None) == reason


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("at 0:12 and 1:05", [12, 65]),
        ("1:02:03", []),
        ("see 2:48.", [168]),
        ("2:49", []),
        ("12:30:45 o'clock", []),
        ("ratio 16:9", []),
        ("10:00am", []),
        ("no time", []),
        ("http://x.org:80/0:12", []),
    ],
)
def test_times_in_a_text_are_those_of_the_video(text: str, seconds: list[int]) -> None:
    assert [moment.second for moment in rules.find_moments(text, 168)] == seconds


@pytest.mark.parametrize(
    ("text", "time", "span"),
    [
        ("0:12-0:15 too loud", 12, (12, 15)),
        ("too loud 0:12–0:15", 12, (12, 15)),
        ("0:12-0:15", 40, None),
        ("0:15-0:12", 15, None),
        ("0:12-9:00", 12, None),
        ("nothing", 12, None),
    ],
)
def test_a_range_in_the_text_is_a_span_at_its_own_moment(text: str, time: int, span: tuple[int, int] | None) -> None:
    assert rules.parse_span(text, time, 168) == span


def test_a_reply_to_a_reply_names_whom_it_answers_once() -> None:
    assert rules.add_mention("yes", "Ana") == "@Ana yes"
    assert rules.add_mention("@Ana yes", "Ana") == "@Ana yes"


def test_what_nobody_sees_at_the_end_leaves_no_space_behind() -> None:
    assert rules.normalize("fine \x1f") == "fine"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0:12-0:15 Too loud.", "Too loud."),
        ("0:12–0:15 Too loud.", "Too loud."),
        ("0:12-0:15", "0:12-0:15"),
        ("0:13-0:15 Too loud.", "0:13-0:15 Too loud."),
        ("0:12-0:99 Too loud.", "0:12-0:99 Too loud."),
        ("Too loud 0:12-0:15.", "Too loud 0:12-0:15."),
        ("0:15-0:12 Too loud.", "0:15-0:12 Too loud."),
        ("Too loud.", "Too loud."),
    ],
)
def test_range_that_stands_beside_a_text_is_not_shown_in_it(text: str, shown: str) -> None:
    assert rules.strip_range(text, 12, 60) == shown


def test_a_link_that_lets_resolve_forbids_nothing_of_it() -> None:
    assert rules.why_no_status(Link(), NOW) is None


def test_line_breaks_of_other_systems_are_one_kind() -> None:
    assert rules.normalize("a\r\nb\rc\nd\te") == "a\nb\nc\nd\te"


def test_a_text_that_is_too_long_says_how_long_it_is_and_may_be() -> None:
    assert rules.check_text("x" * 501) == [Problem("text", Reason.TEXT_TOO_LONG, place=501, limit=500)]
    address = "\nhttps://a.b/c"
    assert rules.check_text("x" * (500 - len(address)), address=address) == []
    assert rules.check_text("x" * (501 - len(address)), address=address) == [
        Problem("text", Reason.TEXT_TOO_LONG, place=501 - len(address), limit=500 - len(address))
    ]


def test_of_many_forbidden_characters_five_are_named() -> None:
    assert [problem.place for problem in rules.check_text("a" + "<" * 9)] == [2, 3, 4, 5, 6]


def test_no_repair_is_offered_for_what_has_none() -> None:
    assert rules.get_repair("a\\b", 1) == ""


@pytest.mark.parametrize(
    ("name", "problems"),
    [
        ("", [Problem("user_name", Reason.NAME_EMPTY)]),
        ("x" * 300, [Problem("user_name", Reason.NAME_TOO_LONG, limit=USER_NAME_MAX)]),
        ("An#", [Problem("user_name", Reason.NAME_FORBIDDEN, "#", 3)]),
    ],
)
def test_what_is_wrong_with_a_name_is_told_at_its_field(name: str, problems: list[Problem]) -> None:
    assert rules.check_name(name) == problems


@pytest.mark.parametrize(
    ("name", "taken"),
    [("Ana Prado", True), ("ana  prádo!", True), ("AnaPrado", True), ("Ana", False), ("", False), ("👍", False)],
)
def test_a_name_is_another_s_whatever_its_case_accents_and_signs(name: str, taken: bool) -> None:
    assert rules.is_any_name(name, ["Téo", "Ana Prado", "!"]) is taken


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("\N{CYRILLIC CAPITAL LETTER ES}amila", True),
        ("C\N{CYRILLIC SMALL LETTER A}mil\N{GREEK SMALL LETTER ALPHA}", True),
        ("Cam\N{LATIN SMALL LETTER DOTLESS I}la", True),
        ("\N{CYRILLIC CAPITAL LETTER KA}amila", False),
    ],
)
def test_a_name_in_letters_of_another_script_that_look_alike_is_another_s(name: str, taken: bool) -> None:
    assert rules.is_any_name(name, ["Camila"]) is taken


@pytest.mark.parametrize(
    "name",
    [
        "Camila\u3164", "\u115fCamila", "Cam\uffa0ila", "Camila\u1160", "C\u200damila", "Camila\ufe0f", "Camila\u180e",
        "Cami\u00adla", "Camila\u17b4", "\u202eCamila", "Camila\U000e0041", "Camila\u2800", "CamiIa", "Cami1a", "CAMlLA",
        "\u13dfamila", "\U0001d4d2amila", "\uff23amila", "Camil\u0251", "Carnila", "\u0421\u0430mil\u0430", "\u2ca4amila",
        "Cam\u0456la", "Cam\u2170la", "Cami\u217ca", "camila.", "C a m i l a", "Câmila", "\ua4daamila",
    ],
)  # fmt: skip
def test_name_that_looks_like_another_is_that_name(name: str) -> None:
    assert rules.is_any_name(name, ["Téo", "Camila"])


@pytest.mark.parametrize(
    "name",
    [
        "Karnila",
        "Camil",
        "Camilo",
        "João",
        "Ñandú",
        "Müller",
        "Анна",
        "أحمد",
        "田中 さくら",
        "김민준",
        "Ελένη",
        "שרה",
        "\u3164",
        "",
    ],
)
def test_name_that_looks_like_no_other_is_its_own(name: str) -> None:
    assert not rules.is_any_name(name, ["Téo", "Camila", "\u3164"])


@pytest.mark.parametrize(
    "name",
    [
        "João",
        "Ñandú",
        "Müller",
        "Анна",
        "أحمد",
        "田中 さくら",
        "김민준",
        "Ελένη",
        "שרה",
        "Ana-Maria",
        "A. B",
        "a@b.co",
        "7",
    ],
)
def test_name_of_any_script_may_be_used(name: str) -> None:
    assert rules.check_name(name) == []


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ani \u0555zan", "Ani Ozan"),
        ("\u13aana", "Ana"),
        ("\uff21\uff4e\uff41", "Ana"),
        ("\U0001d400\U0001d427\U0001d41a", "Ana"),
        ("\U0001d538n\U0001d552", "ana"),
        ("B0b", "Bob"),
        ("BOb", "B0b"),
        ("Oscar 10", "0scar lO"),
        ("\u202eanA", "anA"),
        ("An\u034fa", "Ana"),
        ("Ana\U000e0061", "Ana"),
        ("\u200bAna\u2060", "Ana"),
        ("\u0905\u0928\u0940\ufe00", "\u0905\u0928\u0940"),
        ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u06cc\u0631\u0636\u0627"),
        ("\u24b6na", "Ana"),
        ("\u0391na", "ana"),
        ("\U0001f170na", "\U0001f170 na"),
        ("Rui\u0338", "Rui"),
        ("\u30ab\u30ca", "\uff76\uff85"),
        ("Pra\u217eo", "Prado"),
        ("\u1d00na", "ana"),
    ],
)
def test_names_that_nobody_can_tell_apart_are_one(name: str, other: str) -> None:
    assert rules.is_any_name(name, [other]) and rules.list_skeletons(name) & rules.list_skeletons(other), name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("\u304b\u306a", "\u304c\u306a"),
        ("\u30cf\u30ca", "\u30d0\u30ca"),
        ("\u0930\u093e\u092e", "\u0930\u094b\u092e"),
        ("\U0001f600", "\U0001f601"),
        ("\u0e01\u0e34", "\u0e01\u0e31"),
        ("\uae40\ubbfc\uc900", "\uae40\ubbfc\uc11c"),
    ],
)
def test_names_of_other_letters_of_a_script_are_two(name: str, other: str) -> None:
    assert not rules.list_skeletons(name) & rules.list_skeletons(other)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana Prado", "Ana Prado"),
        ("Ana\u3164", "Ana"),
        ("\u202eodarP anA", "odarP anA"),
        ("A\u034fna\U000e0061", "Ana"),
        ("\u3164", "U+3164"),
        ("\u200b \u2060", "U+200B U+2060"),
        ("", ""),
        ("Ana\u200d", "Ana"),
        ("A\u200cna", "Ana"),
        ("Ana\ufe0f", "Ana"),
        ("\u3164\u200d\u3164x", "x"),
        ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"),
        ("\u0915\u094d\u200d\u0937\u092e\u093e", "\u0915\u094d\u200d\u0937\u092e\u093e"),
        ("\U0001f469\U0001f3fd\u200d\U0001f680 Ana", "\U0001f469\U0001f3fd\u200d\U0001f680 Ana"),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
        ("\u0639\u0644\u06cc\u200c", "\u0639\u0644\u06cc"),
        ("\u2066Ana\u2069", "Ana"),
        ("\u2800\u2800", "U+2800 U+2800"),
    ],
)
def test_name_is_shown_without_what_is_not_seen(name: str, shown: str) -> None:
    assert rules.show_name(name) == shown


@pytest.mark.parametrize("name", ["\u3164", "\u115f\u1160", "\uffa0", "\u3164 \u3164", "\uffa0 \u1160"])
def test_name_of_nothing_that_is_seen_is_refused(name: str) -> None:
    assert rules.check_name(name) == [Problem("user_name", Reason.NAME_UNSEEN)]


@pytest.mark.parametrize(
    "name",
    ["\u2800", "\u180e", "\ufe0f", "\U000e0041", "\u0301", "\u202e", "\u17b4", "\u00ad", "\u200b", "\u2066", "\u034f"],
)
def test_sign_without_ink_is_refused_in_every_name(name: str) -> None:
    assert rules.check_name(name) and rules.check_name(f"Ana{name}") and not rules.has_ink(name)


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        (" 12.48 ", 12.48), ("65", 65), ("1:05", 65), ("1m5s", 65), ("00:01:05", 65), ("00:01:05:12", 65),
        ("", 0), ("soon", 0), ("1e9", 0), ("75.", 75), ("12.48).", 12.48), ("1:05>", 65), ("1m5s\u200b", 65), ("-5", 0),
    ],
)  # fmt: skip
def test_an_address_leads_to_a_moment_or_the_beginning(typed: str, seconds: float) -> None:
    assert rules.parse_moment(typed) == seconds


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        (" ", Problem("time", Reason.TIME_EMPTY)),
        ("soon", Problem("time", Reason.TIME_UNREADABLE)),
        ("1:01", Problem("time", Reason.TIME_BEYOND, limit=60)),
        ("1:00", None),
    ],
)
def test_what_is_wrong_with_a_time_is_told_at_its_field(typed: str, problem: Problem | None) -> None:
    assert rules.check_time(typed, 60) == (None if problem else 60, problem)


def test_a_full_video_and_a_full_thread_say_how_much_they_take() -> None:
    assert rules.check_quota(30, None) == Problem("", Reason.MAIN_LIMIT, limit=30)
    assert rules.check_quota(30, 30) == Problem("", Reason.REPLY_LIMIT, limit=30)
    assert rules.check_quota(30, 29) is None


def test_a_time_in_a_text_knows_where_it_stands() -> None:
    text = "at 0:12, then 0:15-0:20."
    found = rules.find_moments(text, 60)
    assert {(text[moment.start : moment.end], moment.second) for moment in found} == {
        ("0:12", 12),
        ("0:15", 15),
        ("0:15-0:20", 15),
    }


@pytest.mark.parametrize(("last", "span"), [(None, (12, 15)), (15, (12, 15)), (14, None)])
def test_a_range_ends_within_the_video(last: int | None, span: tuple[int, int] | None) -> None:
    assert rules.parse_span("0:12-0:15 too loud", 12, last) == span
    assert rules.strip_range("0:12-0:15, too loud", 12, last) == ("too loud" if span else "0:12-0:15, too loud")


def test_a_range_of_no_length_is_none() -> None:
    assert rules.parse_span("0:12-0:12", 12, None) is None
