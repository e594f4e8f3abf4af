"""What a sending of a funnel says of itself, which sending a press belongs to, and what is known again from those before."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.funnels import models, rules, writes
from dashboard.funnels.models import Draft
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import NotAllowed, Unreachable
from dashboard.platform_api.funnels import Funnel
from dashboard.upstream.clients import platform_for
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Found, NotWanted
from tests.answering import change_answers
from tests.funnels.test_funnels import ADDRESS, WRITE, arrange, main, moved, now

__all__ = ["main"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def item(video_id: str, x: float, y: float, *, first: bool = False) -> dict[str, Any]:
    return rules.build_item(video_id, (float(x), float(y)), is_first=first)


def mine() -> Account:
    """The account of the browser."""
    return Account.objects.exclude(name="Another").get()


def platform() -> Operations:
    return platform_for(mine())


def elsewhere(funnel_id: str, *items: dict[str, Any]) -> None:
    """What another person does on the platform."""
    platform().funnels.add_videos(funnel_id, items)


def test_activity_keeps_the_entry_and_the_places_before_and_after_and_leads_to_the_review(
    owner: Client, main: str, faults: ModuleType
) -> None:
    was = now(main)
    place = item(was.videos[1].id, 300, 60)
    first, second = moved(owner, main)
    faults.set(WRITE, broken="dropped")
    owner.post(f"{ADDRESS}{main}/send/")
    entry = Entry.objects.get()
    assert (entry.label, entry.target) == (was.name, main)
    assert entry.before == {"entry": first, "videos": [place]}
    assert entry.after == {"entry": second, "videos": [item(second, 320, 80.5, first=True)]}
    assert f'href="{ADDRESS}{main}/review/"' in owner.get(f"/dashboard/activity/{entry.pk}/").content.decode()


def test_what_came_onto_the_board_here_has_no_place_before(
    owner: Client, main: str, cast: dict[str, Any], faults: ModuleType
) -> None:
    entry = now(main).videos[0]
    assert entry.x is not None and entry.y is not None
    models.add_to_draft(mine().pk, now(main), [platform().videos.get(cast["videos"]["plain"])])
    faults.set(WRITE, broken="dropped")
    owner.post(f"{ADDRESS}{main}/send/")
    write = Write.objects.get()
    assert write.before == {"entry": entry.id, "videos": [item(entry.id, entry.x, entry.y, first=True)]}
    assert {one["id"] for one in write.request["videos"]} == {entry.id, cast["videos"]["plain"]}


def press(owner: Client, funnel_id: str, key: Any) -> Write:
    """A press on Send with the draft as it is now, by somebody who took `key` before."""
    request: Any = owner.get(f"{ADDRESS}{funnel_id}/").wsgi_request
    funnel = now(funnel_id)
    cards = rules.build_board(funnel, models.parse_changes(Draft.objects.first()))
    return writes.send_funnel(request, funnel, cards, key)


def test_two_presses_that_read_the_same_board_are_one_sending_and_another_board_is_another(
    owner: Client, main: str, faults: ModuleType
) -> None:
    _first, second = moved(owner, main)
    key = writes.get_next_key(mine(), main)
    faults.set(WRITE, broken="dropped")
    one = press(owner, main, key)
    assert press(owner, main, key).pk == one.pk
    fields: dict[str, Any] = {f"x-{second}": "340"}
    arrange(owner, main, **fields)
    assert press(owner, main, key).pk != one.pk
    assert press(owner, main, writes.get_next_key(mine(), main)).pk not in {one.pk}


def test_what_waited_for_a_sign_in_is_sent_by_the_next_press(owner: Client, main: str, faults: ModuleType) -> None:
    moved(owner, main)
    faults.set(WRITE, status=401)
    owner.post(f"{ADDRESS}{main}/send/")
    faults.clear()
    owner.post(f"{ADDRESS}{main}/send/")
    assert [write.state for write in Write.objects.all()] == [State.DONE]


def sent(*videos: dict[str, Any], titles: dict[str, str] | None = None, **about: Any) -> Write:
    """A sending that is done."""
    usual = {"subject": "f", "operation": WRITE, "state": State.DONE, "settled_at": timezone.now()}
    request = {"funnel_id": "f", "videos": list(videos)} | ({} if titles is None else {"titles": titles})
    account = mine()
    key = f"3f2b6c1e-0000-4000-8000-{Write.objects.count():012}"
    return Write.objects.create(
        **usual | {"account": account, "scope": str(account.pk), "key": key} | about, request=request
    )


def opened(videos: Any = None) -> Funnel:
    """The funnel `f` as it is known where the platform tells `videos` of it; None: it tells nothing."""

    def read(_ask: Any) -> Any:
        return Funnel.from_json({"id": "f", "name": "F"} | ({} if videos is None else {"videos": videos}))

    return writes.open_funnel(read, mine(), "f")


def refused(_ask: Any) -> Any:
    raise NotAllowed("funnels.get", 403, "not yours")


def test_a_funnel_that_nobody_may_read_has_what_was_sent_from_here(owner: Client) -> None:
    hidden = "0198a3a0-0000-4000-8000-0000000000ff"
    sent(item("a", 40, 40, first=True), titles={"a": "Intro"}, subject=hidden)
    funnel = writes.open_funnel(refused, mine(), hidden)
    assert (funnel.id, shown(funnel)) == (hidden, [("a", "Intro", 40, 40, True)])


def shown(funnel: Funnel) -> list[tuple[Any, ...]]:
    return [(video.id, video.title, video.x, video.y, video.is_first) for video in funnel.videos]


def test_a_funnel_that_is_not_told_has_the_videos_that_were_sent_each_as_it_was_last(owner: Client) -> None:
    sent(item("a", 40, 40, first=True), item("b", 300, 40), titles={"a": "Intro", "b": "Old"})
    sent(item("c", 560, 40, first=True), item("b", 320, 60.5), titles={"c": "End", "b": "New"})
    sent(item("d", 1, 1, first=True), state=State.REFUSED)
    sent(item("e", 1, 1, first=True), subject="g")
    sent(item("g", 1, 1, first=True), account=Account.objects.create(name="Another"))
    sent(item("f", 1, 1, first=True), operation="funnels.rename")
    funnel = opened()
    assert not funnel.are_videos_told
    assert shown(funnel) == [
        ("c", "End", 560, 40, True),
        ("b", "New", 320, 60.5, False),
        ("a", "Intro", 40, 40, False),  # another one is the entry since
    ]


def test_places_that_are_not_told_are_those_that_were_sent(owner: Client) -> None:
    sent(item("a", 40, 50, first=True), item("b", 300, 40), item("gone", 1, 1), titles={"a": "Intro", "b": "Sent"})
    told = [{"id": "a", "is_first": True}, {"id": "b", "title": "Told"}, {"id": "c", "title": "New"}]
    placed = {"id": "d", "title": "There", "front_coordinates": {"x": 7, "y": 8}}
    assert shown(opened([*told, placed])) == [
        ("a", "Intro", 40, 50, True),
        ("b", "Told", 300, 40, False),
        ("c", "New", None, None, False),
        ("d", "There", 7, 8, False),
    ]


def test_places_that_are_told_are_the_platform_s(owner: Client) -> None:
    sent(item("a", 40, 50, first=True), item("b", 300, 40), titles={"a": "Intro"})
    told = {"id": "a", "title": "A", "front_coordinates": {"x": 7, "y": 8}}
    assert shown(opened([told])) == [("a", "A", 7, 8, False)]
    beside = {"id": "b", "title": "B"}
    assert shown(opened([told, beside])) == [("a", "A", 7, 8, False), ("b", "B", 300, 40, False)]


def test_a_sending_of_a_release_that_kept_no_titles_is_known_by_its_ids(owner: Client) -> None:
    sent(item("a", 40, 40, first=True))
    assert shown(opened()) == [("a", "", 40, 40, True)]


def test_titles_known_here_name_the_videos_that_are_told_by_id(owner: Client, cast: dict[str, Any]) -> None:
    video = platform().videos.get(cast["videos"]["plain"])
    owner.get("/dashboard/videos/")
    funnel = opened([{"id": video.id}, {"id": "nobody"}, {"id": "b", "title": "Told"}])
    assert [one.title for one in funnel.videos] == [video.title, "", "Told"]


def test_a_sending_is_shown_until_it_is_cancelled_and_open_until_it_has_ended(owner: Client) -> None:
    account = mine()
    made = [
        sent(state=state) for state in (State.SENDING, State.UNCONFIRMED, State.DONE, State.REFUSED, State.CANCELLED)
    ]
    sent(state=State.SENDING, subject="g")
    other = Account.objects.create(name="Another")
    sent(state=State.SENDING, account=other)
    assert writes.find_open_write(account, "f") == made[1]
    assert writes.find_last_write(account, "f") == made[3]
    assert writes.find_open_write(account, "h") is writes.find_last_write(account, "h") is None


@pytest.mark.parametrize(
    ("items", "end"),
    [
        ((), ABSENT),  # as before
        (("sent",), Found()),
        (("other",), UNKNOWN),  # somebody else's doing tells nothing of this sending
    ],
)
def test_reading_settles_a_sending_by_what_it_sent_and_by_what_was_there_before(
    owner: Client, main: str, faults: ModuleType, items: Sequence[str], end: Any
) -> None:
    moved(owner, main)
    faults.set(WRITE, broken="dropped")
    owner.post(f"{ADDRESS}{main}/send/")
    faults.clear()
    write = Write.objects.get()
    other = [item(write.request["videos"][0]["id"], 999, 999, first=True)]
    for name in items:
        elsewhere(main, *(write.request["videos"] if name == "sent" else other))
    assert writes.settle_arrangement(write) == end
    write.before = None
    assert writes.settle_arrangement(write) == (UNKNOWN if end is ABSENT else end)


def test_reading_settles_nothing_where_the_funnel_or_its_videos_are_not_told(
    owner: Client, main: str, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved(owner, main)
    faults.set(WRITE, broken="lost")
    owner.post(f"{ADDRESS}{main}/send/")
    faults.clear()
    write = Write.objects.get()
    faults.set("funnels.get", status=404)
    change_answers(monkeypatch, lambda _answer: {"funnels": []}, "funnels.list")
    assert writes.settle_arrangement(write) is UNKNOWN
    faults.clear()
    change_answers(monkeypatch, lambda answer: {"id": answer["id"], "name": answer["name"]}, "funnels.get")
    assert writes.settle_arrangement(write) is UNKNOWN


def test_an_addition_is_not_wanted_where_the_entry_it_named_is_gone(owner: Client, cast: dict[str, Any]) -> None:
    """`entry_before` is what the check of the run found."""
    empty = next(one for one in platform().funnels.list() if not one.videos)
    addition = item(cast["videos"]["plain"], 40, 40, first=True)
    write = sent(addition, subject=empty.id)
    write.request |= {"funnel_id": empty.id, "entry_before": cast["videos"]["with_subtitles"]}
    with pytest.raises(NotWanted):
        writes.send_arrangement(write)
    assert now(empty.id).videos == ()
    write.request["entry_before"] = ""
    writes.send_arrangement(write)
    assert [(one.id, one.is_first) for one in now(empty.id).videos] == [(addition["id"], True)]


def test_an_addition_whose_funnel_cannot_be_read_was_not_sent_and_says_why(
    owner: Client, main: str, faults: ModuleType
) -> None:
    write = sent(item("a", 40, 40, first=True), subject=main)
    write.request |= {"funnel_id": main, "entry_before": ""}
    faults.set("funnels.get", status=500)
    with pytest.raises(Unreachable) as raised:
        writes.send_arrangement(write)
    error = raised.value
    assert (error.operation, error.status, error.sent) == (WRITE, 500, False)
    assert error.__cause__ is not None and error.message == getattr(error.__cause__, "message", None)
