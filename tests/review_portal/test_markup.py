"""The HTML of threads, replies and markers, whole: what a script, a style sheet and a screen reader find there."""

import re
import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from review_portal.models import ReviewLink
from review_portal.pages import Surroundings, list_markers
from review_portal.templatetags import review
from review_portal.threads import Entry, Place, Thread, Totals
from review_portal.videos import FrameTime

ANA = uuid.UUID("aaaaaaaa-0000-4000-8000-000000000001")
TEO = uuid.UUID("bbbbbbbb-0000-4000-8000-000000000002")
LIA = uuid.UUID("cccccccc-0000-4000-8000-000000000003")
WRITTEN = datetime(2026, 11, 26, 9, 30, 5, tzinfo=UTC)
ICONS = static("img/icons.svg")
AROUND = Surroundings(
    ReviewLink(pk=ANA),
    100,
    WRITTEN + timedelta(minutes=5),
    may_reply=True,
    may_resolve=True,
    may_edit=True,
    carried="f=open&",
)


def entry(comment_id: uuid.UUID = ANA, text: str = "Too loud.", **values: Any) -> Entry:
    given: dict[str, Any] = {
        "user_name": "Ana", "status": "unresolved", "time": 65, "reply_to": None, "created_at": WRITTEN,
        "born": 3, "version": 4, "mine": False,
    }  # fmt: skip
    return Entry(comment_id, text=text, **(given | values))


def reply(comment_id: uuid.UUID = TEO, text: str = "Agreed.", **values: Any) -> Entry:
    return entry(comment_id, text, **({"user_name": "Téo", "reply_to": ANA, "born": 5, "version": 5} | values))


def tight(html: str) -> str:
    """Without the white space beside tags."""
    return re.sub(r"(?<=>)\s+|\s+(?=[<>])", "", re.sub(r"\s+", " ", html))


def draw(threads: list[Thread], around: Surroundings = AROUND, since: int = 0) -> str:
    """The items of the list of threads, for a reader of that version."""
    context = {"talk": {"threads": threads, "after": since}, "around": around}
    html = tight(render_to_string("review_portal/_threads.html", context))
    return html.removeprefix('<ol class="threads" id="threads" tabindex="-1">').removesuffix("</ol>")


def render(*entries: Entry, around: Surroundings = AROUND) -> str:
    first, *replies = entries
    return draw([Thread(first, replies)], around)


def draw_markers(threads: list[Thread], around: Surroundings = AROUND) -> str:
    context = {"talk": {"markers": list_markers(threads)}, "around": around}
    return tight(render_to_string("review_portal/_markers.html", context)).partition(">")[2].removesuffix("</ol>")


def shape(state: str) -> str:
    return f'<svg class="shape" aria-hidden="true"><use href="{ICONS}#s-{state}"/></svg>'


EVERYBODYS = '<button class="action needs-script" type="button" data-loop>Loop</button>' + (
    f'<a class="action" href="#c-{ANA}" data-copy>Copy link</a>'
)
RESOLVE = (
    f'<button class="action action--strong" form="act" formaction="/{ANA}/comments/{ANA}" name="status" value="resolved">'
    f'Resolve</button><button class="action action--next" form="act" formaction="/{ANA}/comments/{ANA}" name="status"'
    f' value="resolved-next" title="Resolve, go to next"><svg class="icon" aria-hidden="true"><use href="{ICONS}#i-next"/></svg>'
    '<span class="visually-hidden">Resolve, go to next</span></button>'
)


def test_open_thread_of_the_reader_with_a_range_has_its_data_name_times_words_and_actions() -> None:
    first = entry(text="1:05-1:10 Too loud, see 0:07.", mine=True)
    assert render(first) == tight(
        f'<li><article class="thread is-open" id="c-{ANA}" data-t="65" data-to="70" data-v="4" data-born="3" data-mine'
        ' aria-label="Ana at 1:05–1:10"><header class="comment__head">'
        f'<a class="timecode" href="?f=open&amp;t=65">{shape("open")}1:05–1:10</a> '
        '<h3 class="comment__author">Ana <span class="comment__you">(you)</span></h3> '
        '<time class="comment__when" datetime="2026-11-26T09:30:05Z">5 min ago</time>'
        '<span class="comment__new" hidden><span class="visually-hidden">New since your last visit</span></span>'
        '<span class="comment__state">Open</span></header>'
        '<p class="comment__text"><span hidden>1:05-1:10 </span>Too loud, see <a href="?f=open&amp;t=7">0:07</a>.</p>'
        f'<div class="comment__actions"><a class="action action--strong" href="?f=open&amp;reply={ANA}#reply" data-reply>'
        f'Reply</a>{RESOLVE}<a class="action" href="?f=open&amp;edit={ANA}#edit" data-edit>Edit</a>'
        f'<a class="action" href="?f=open&amp;withdraw={ANA}#withdraw" data-withdraw>Withdraw</a>{EVERYBODYS}</div>'
        '<ol class="replies" hidden></ol></article></li>'
    )


def test_folded_thread_of_the_owner_shows_its_gist_and_opens_with_a_reply() -> None:
    first = entry(text="x" * 130, status="resolved", by_owner=True, unsettled="waiting")
    form = SafeString("<form></form>")
    assert render(first, reply(), around=replace(AROUND, forms={TEO: form})) == tight(
        f'<li><details class="thread thread--folded is-resolved" id="c-{ANA}" data-t="65" data-v="5" data-born="3" open>'
        f'<summary><span class="timecode">{shape("resolved")}1:05</span><h3>Ana</h3>'
        f'<span class="thread__gist">{"x" * 120}</span>'
        f'<svg class="icon" aria-hidden="true"><use href="{ICONS}#i-down"/></svg>'
        '<span class="visually-hidden">, resolved</span></summary>'
        '<div class="comment__head"><a class="timecode" href="?f=open&amp;t=65">1:05</a>'
        ' <span class="comment__owner">Owner</span> '
        '<time class="comment__when" datetime="2026-11-26T09:30:05Z">5 min ago</time>'
        f'<span class="comment__unsettled">Change waiting</span></div><p class="comment__text">{"x" * 130}</p>'
        f'<div class="comment__actions"><a class="action action--strong" href="?f=open&amp;reply={ANA}#reply" data-reply>'
        f'Reply</a><button class="action action--strong" form="act" formaction="/{ANA}/comments/{ANA}" name="status"'
        f' value="open">Reopen</button>{EVERYBODYS}</div>'
        '<ol class="replies"><li id="c-bbbbbbbb" data-born="5"><header><h4>Téo</h4> <small>5 min ago</small></header>'
        "<p>Agreed.</p><form></form></li></ol></details></li>"
    )


def test_folded_thread_without_an_open_form_stays_folded_and_a_form_stands_under_its_comment() -> None:
    resolved = entry(status="resolved")
    elsewhere = replace(AROUND, forms={LIA: SafeString("<form>L</form>")})
    assert ' data-born="3"><summary>' in render(resolved, around=elsewhere)
    at_first = render(resolved, around=replace(AROUND, forms={ANA: SafeString("<form>A</form>")}))
    assert ' data-born="3" open><summary>' in at_first
    assert '</div><form>A</form><ol class="replies" hidden>' in at_first


@pytest.mark.parametrize(("since", "is_named"), [(0, False), (4, False), (5, True), (6, True)])
def test_thread_that_a_reader_of_a_version_has_is_only_named(since: int, is_named: bool) -> None:
    """It was last changed by version 5, its reply's."""
    rendered = draw([Thread(entry(), [reply()])], since=since)
    assert (rendered == f'<li data-same="c-{ANA}"></li>') == is_named
    assert ("<article" in rendered) != is_named


def test_comment_with_an_exact_frame_leads_to_its_middle_and_gives_it_to_the_script() -> None:
    frame = FrameTime(65_040_000, "25")
    rendered = render(entry(frame=frame))
    assert f'id="c-{ANA}" data-t="65" data-at="65.06" data-rate="25" data-v="4"' in rendered
    assert 'class="timecode" href="?f=open&amp;t=65.06"' in rendered
    assert '</p><a class="comment__frame" href="?f=open&amp;t=65.06">' in rendered


def test_comment_without_a_time_of_writing_has_none_and_a_change_on_its_way_is_marked() -> None:
    rendered = render(entry(created_at=None, unsettled="unconfirmed"))
    assert (
        "<time" not in rendered and '<span class="comment__unsettled">Change not confirmed</span></header>' in rendered
    )
    assert "comment__unsettled" not in render(entry())
    unsettled = render(entry(), reply(created_at=None, unsettled="waiting"))
    assert '<h4>Téo</h4><small></small><span class="comment__unsettled">Change waiting</span></header>' in unsettled


@pytest.mark.parametrize(
    ("allowed", "mine", "texts"),
    [
        ({}, True, ["Reply", "Resolve", "Edit", "Withdraw", "Loop", "Copy link"]),
        ({}, False, ["Reply", "Resolve", "Loop", "Copy link"]),
        ({"may_reply": False}, True, ["Resolve", "Edit", "Withdraw", "Loop", "Copy link"]),
        ({"may_resolve": False}, True, ["Reply", "Edit", "Withdraw", "Loop", "Copy link"]),
        ({"may_edit": False}, True, ["Reply", "Resolve", "Loop", "Copy link"]),
        ({"may_reply": False, "may_resolve": False, "may_edit": False}, True, ["Loop", "Copy link"]),
    ],
)
def test_actions_are_those_that_the_reader_may_do(allowed: dict[str, bool], mine: bool, texts: list[str]) -> None:
    around = replace(AROUND, **allowed)  # type: ignore[arg-type]  # names of its fields
    rendered = render(entry(mine=mine), around=around)
    words = ("Reply", "Resolve", "Edit", "Withdraw", "Loop", "Copy link")
    assert [word for word in words if f">{word}</" in rendered] == texts


def test_what_was_withdrawn_says_so_in_the_reader_s_language_and_cannot_be_withdrawn_again() -> None:
    rendered = render(
        entry(text="Retirado por quem escreveu.", mine=True), reply(text="Retirado por quem escreveu.", mine=True)
    )
    assert rendered.count("Withdrawn by its writer.") == 2 and "Retirado por quem escreveu." not in rendered
    assert "data-withdraw" not in rendered and rendered.count("data-edit") == 2


def test_own_reply_has_its_actions_and_another_s_has_none() -> None:
    own = reply(mine=True, by_owner=True)
    actions = (
        f'<div class="comment__actions"><a class="action action--strong" href="?f=open&amp;reply={TEO}#reply" data-reply>'
        f'Reply</a><a class="action" href="?f=open&amp;edit={TEO}#edit" data-edit>Edit</a>'
        f'<a class="action" href="?f=open&amp;withdraw={TEO}#withdraw" data-withdraw>Withdraw</a></div>'
    )
    assert tight(
        '<ol class="replies"><li id="c-bbbbbbbb" data-born="5" data-mine><header><h4>Téo (you)'
        ' <span class="comment__owner">Owner</span></h4> <small>5 min ago</small></header><p>Agreed.</p>'
        f"{actions}</li></ol>"
    ) in render(entry(), own)
    assert "comment__actions" not in render(entry(), reply()).split("<ol")[1]


def rest(begun: int, count: int, newest: int = 9) -> str:
    replies = "reply" if count == 1 else "replies"
    return (
        f'<li class="replies__rest" data-from="{begun}" data-rest="{count}" data-born="{newest}">'
        f'<a class="action" href="?f=open&amp;thread={ANA}#c-{ANA}">Show {count} more {replies}</a></li>'
    )


def test_replies_that_a_first_view_leaves_out_are_named_where_they_stand() -> None:
    thread = Thread(entry(), [reply(TEO), reply(LIA)], places=(1, 4), totals=Totals(count=7, newest=9))
    replies = draw([thread]).split('<ol class="replies">')[1]
    first, second = ('<li id="c-bbbbbbbb"', '<li id="c-cccccccc"')
    assert replies.startswith(rest(0, 1) + first)
    assert f"</li>{rest(2, 2)}{second}" in replies and replies.split("</ol>")[0].endswith(f"</li>{rest(5, 2)}")


@pytest.mark.parametrize(
    ("begun", "end", "shown", "left"),
    [
        (0, 100, range(40), (40, 5)),
        (3, 43, range(3, 43), None),
        (3, 44, range(3, 43), (43, 1)),
        (40, 45, range(40, 45), None),
    ],
)
def test_next_replies_come_forty_at_a_time_with_what_is_still_left(
    begun: int, end: int, shown: range, left: tuple[int, int] | None
) -> None:
    replies = [reply(uuid.UUID(int=number << 96 | 1), text=f"Reply {number}.") for number in range(45)]
    thread = Thread(entry(), replies)
    context = {"thread": thread, "pieces": thread.list_next(begun, end), "around": AROUND}
    rendered = tight(render_to_string("review_portal/_rest.html", context)).removesuffix("</ol>")
    assert [number for number in range(45) if f"<p>Reply {number}.</p>" in rendered] == list(shown)
    assert rendered.endswith(rest(*left, newest=5) if left else f"<p>Reply {shown[-1]}.</p></li>")


def link(address: str) -> str:
    return f'<a href="{address}" rel="nofollow ugc noopener" target="_blank">{address}</a>'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain & <b>bold</b>", "Plain &amp; &lt;b&gt;bold&lt;/b&gt;"),
        ("Plain: & <b>", "Plain: &amp; &lt;b&gt;"),
        ("At 0:07 & 1:05.", 'At <a href="/r?t=7">0:07</a> &amp; <a href="/r?t=65">1:05</a>.'),
        ("1:05-1:10 all", '<a href="/r?t=65">1:05-1:10</a> all'),
        ("1:40 in, 1:41 out", '<a href="/r?t=100">1:40</a> in, 1:41 out'),
        ("see https://e.org/a?b=1:05, ok", f"see {link('https://e.org/a?b=1:05')}, ok"),
        ("HTTP://e.org/x.", f"{link('HTTP://e.org/x')}."),
        ("(https://e.org)’”!?;:'", f"({link('https://e.org')})’”!?;:&#x27;"),
        ("https:// alone", "https:// alone"),
        ("https://a 0:07", f'{link("https://a")} <a href="/r?t=7">0:07</a>'),
        ('https://e.org/"onclick=', f"{link('https://e.org/')}&quot;onclick="),
    ],
)
def test_times_and_addresses_in_words_become_links_and_everything_else_is_text(text: str, expected: str) -> None:
    assert conditional_escape(review.linked(text, Place(100, "/r?"))) == expected


def marker(comment_id: uuid.UUID, at: str, state: str, time: int, clock: str, name: str, gist: str) -> str:
    kind = "open" if state.startswith("Open") else "resolved"
    return (
        f'<li><a class="marker is-{kind}" href="#c-{comment_id}" data-at="{at}%" data-t="{time}" data-time="{clock}">'
        f'{shape(kind)}<span class="visually-hidden">{clock}, {name}, {state}</span>'
        f'<span class="marker__gist" hidden>{gist}</span></a></li>'
    )


def test_markers_stand_in_the_video_s_order_at_their_part_of_its_length() -> None:
    late, frame = entry(LIA, "y" * 90, time=200, user_name="Lia", status="resolved"), FrameTime(65_500_000, "")
    later_in_the_second = entry(TEO, "Retirado por quem escreveu.", user_name="Téo", frame=frame)
    threads = [Thread(late, []), Thread(later_in_the_second, []), Thread(entry(), [])]
    assert draw_markers(threads) == "".join([
        marker(ANA, "65.00", "Open", 65, "1:05", "Ana", "Too loud."),
        marker(TEO, "65.00", "Open", 65, "1:05", "Téo", "Withdrawn by its writer."),
        marker(LIA, "100.00", "Resolved", 200, "3:20", "Lia", "y" * 80),
    ])  # fmt: skip


def test_marker_without_a_known_length_has_no_place_and_two_at_one_moment_stand_as_they_were_written() -> None:
    around = replace(AROUND, last_second=None)
    earlier = entry(TEO, created_at=datetime(2026, 11, 26, 9, tzinfo=UTC))
    rendered = draw_markers([Thread(entry(), []), Thread(earlier, [])], around)
    assert rendered.index(str(TEO)) < rendered.index(str(ANA)) and rendered.count('data-at="0.00%"') == 2
