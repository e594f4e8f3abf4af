"""Every address of the portal, out of the URL configuration, in every state of a link, for every reader.

What a state hides is a word in the comments and a name beneath them: neither may be in any answer of that state.
"""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.platform_api.videos import Video
from dashboard.sandbox import models as platform
from dashboard.writes.models import State, Write
from review_portal import cuts, sync
from review_portal.models import Comment, CommentDrawing, ReviewLink
from review_portal.urls import urlpatterns
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.review_portal.conftest import PART, Reviewer, World, imported

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

WORD, NAME = "Cassowary", "Quillfeather"
"""What the comments say, and who wrote them."""

STATES = ("open", "view only", "hidden resolved", "expired", "inactive", "unconfirmed", "unknown")
HIDING = {"hidden resolved", "inactive", "unconfirmed", "unknown"}
"""States in which no answer holds the word or the name; the comments of `hidden resolved` are all resolved."""

OUTCOMES: dict[tuple[str, str], dict[str, set[int]]] = {
    ("room", "GET"): {"open": {200}, "expired": {410}, "inactive": {403}},
    ("room?read=1", "GET"): {"open": {200}, "expired": {200}, "inactive": {403}},
    ("comments", "GET"): {"open": {200}, "expired": {200}, "inactive": {403}},
    ("comments", "POST"): {"open": {200, 302}, "view only": {403}, "expired": {410}, "inactive": {403}},
    ("comment", "GET"): {"open": {302}, "hidden resolved": {404}, "expired": {302}, "inactive": {403}},
    ("comment", "POST"): {"open": {200, 302, 403}, "expired": {410}, "inactive": {403}},
    ("replies", "GET"): {"open": {200}, "hidden resolved": {404}, "expired": {200}, "inactive": {403}},
    ("submission", "POST"): {"open": {200, 302, 404}, "expired": {200, 302, 404}, "inactive": {403}},
    ("still", "GET"): {"open": {200}, "hidden resolved": {404}, "expired": {200}, "inactive": {403}},
    ("tools", "GET"): {"open": {200}, "expired": {410}, "inactive": {403}},
    ("finish", "GET"): {"open": {200}, "expired": {200}, "inactive": {403}},
    ("decision", "GET"): {"open": {302}, "expired": {302}, "inactive": {403}},
    ("decision", "POST"): {"open": {200, 302, 422}, "expired": {410}, "inactive": {403}},
    ("from_cut", "GET"): {"open": {200}, "expired": {200}, "inactive": {403}},
    ("from_cut", "POST"): {"open": {302, 422}, "view only": {403}, "expired": {410}, "inactive": {403}},
    ("compare", "GET"): {"open": {200}, "expired": {410}, "inactive": {403}},
    ("email", "GET"): {"open": {302}, "expired": {302}, "inactive": {403}},
    ("email", "POST"): {"open": {302, 422}, "expired": {302}, "inactive": {403}},
    ("device", "GET"): {"open": {200}, "expired": {410}, "inactive": {403}},
    ("device", "POST"): {"open": {200, 422}, "expired": {410}, "inactive": {403}},
    ("export", "GET"): {"open": {200}, "expired": {200}, "inactive": {403}},
    ("print", "GET"): {"open": {200}, "expired": {200}, "inactive": {403}},
    ("people", "GET"): {"open": {200, 302}, "expired": {410}, "inactive": {403}},
    ("people", "POST"): {"open": {200, 302}, "expired": {410}, "inactive": {403}},
    ("watched", "POST"): {"open": {204}, "expired": {410}, "inactive": {403}},
    ("transcript", "GET"): {"open": {200, 302}, "expired": {410}, "inactive": {403}},
    ("captions", "GET"): {"open": {200}, "expired": {410}, "inactive": {403}},
}
"""By address and method; what is not named answers 405. A state that is not named answers as `open`, and one in which the
link is not known 404. Of several answers, the reader decides: who wrote the comment, and whether script asks."""

FORMS: dict[str, tuple[dict[str, str], ...]] = {
    "comments": ({"key": str(uuid.uuid4()), "user_name": "Ana", "text": "Mine.", "time": "0:05", "repeat": "1"},),
    "comment": ({"text": "Changed."}, {"status": "resolved"}, {"withdraw": "1"}),
    "decision": ({"verdict": "approve", "user_name": "Ana"}, {"verdict": "none"}, {"verdict": "round"}),
    "people": ({"is_seen": "on"}, {"shares": "off"}),
    "watched": ({"spans": "0-5"}, {"spans": "x", "left": "1"}),
    "email": ({"address": "ana@example.com"}, {"address": "x"}, {"do": "stop"}),
    "submission": ({"do": "confirm"}, {"do": "send"}, {"do": "undo"}),
    "device": ({"do": "show"}, {"do": "look", "code": "ABCDE-FGHJK"}, {"do": "go", "code": "ABCDE-FGHJK"}),
}


@pytest.fixture
def room(world: World, account: Account) -> ReviewLink:
    """A link with a comment and a reply, known here, with captions on another host."""
    link = imported(account, world.link(), world.video.pk)
    world.comment(WORD, user_name=NAME, reply_to=world.comment(WORD, user_name=NAME))
    sync.merge(link)
    other = platform.Video.objects.create(organization=world.organization, user=world.user, title="Cut 1", length=60)
    before = imported(account, world.link(video=other), other.pk)
    platform.ReviewComment.objects.create(video=other, token=uuid.uuid4(), user_name="Priya", text="Louder.", time=3)
    assert cuts.place_after(account, link, before) is None
    sync.merge(before)
    CommentDrawing.objects.create(
        link=link, comment_id=link.comments.get(reply_to=None).comment_id, short="drawn", name=NAME, time=7,
        sketch={"size": [16, 9], "shapes": [{"kind": "number", "colour": "red", "points": [1, 1]}]},
    )  # fmt: skip
    caption = {"lang": "en", "label": "English", "url": "https://media.example/en.vtt"}
    ReviewLink.objects.update(video=link.video | {"captions": [caption]}, merged_at=timezone.now())
    return link


@pytest.fixture
def readers(room: ReviewLink, world: World, stranger: Account) -> dict[str, Client]:
    """Who comes by: somebody who wrote here, nobody, the owner and another account."""
    reviewer = Reviewer(room.pk, "Ana")
    assert reviewer.post("Mine already.").status_code == 302
    return {
        "reviewer": reviewer.client,
        "stranger": Client(),
        "owner": signed_in(Client(), world.token.value),
        "other account": signed_in(Client(), stranger.token),
    }


def bring_to(state: str, room: ReviewLink, account: Account, world: World) -> uuid.UUID:
    """The link, or one that does not exist, in that state; here and on the platform."""
    changes: dict[str, dict[str, Any]] = {
        "view only": {"allow_comment": False},
        "hidden resolved": {"show_resolved": False},
        "expired": {"expires_at": timezone.now() - timedelta(hours=1)},
        "inactive": {"status": "inactive"},
    }
    change = changes.get(state, {})
    ReviewLink.objects.update(**change)
    platform.ReviewLink.objects.filter(pk=room.pk).update(**change)
    if state == "hidden resolved":
        Comment.objects.filter(text=WORD).update(status="resolved")
    if state == "unconfirmed":
        room.accounts.clear()
        ReviewLink.objects.update(confirmed=False)
        sync.claim(account, room.pk, Video.from_json({"id": str(world.video.pk), "title": "Mine"}))
    return uuid.uuid4() if state == "unknown" else room.pk


def expected(address: str, method: str, state: str) -> set[int]:
    row = OUTCOMES.get((address, method))
    if row is None:  # an address that only takes a form leads whoever opens it to its page
        return {302} if method == "GET" else {405}
    return row.get(state) or ({404} if state in ("unconfirmed", "unknown") else row["open"])


def addresses(link: uuid.UUID, submission: uuid.UUID) -> dict[str, str]:
    """Each address of the URL configuration, filled in; an argument nobody knows here fails."""
    known = {
        "uuid:link_id": link,
        "uuid:key": submission,
        "slug:extension": "csv",
        "str:lang": "en",
        "slug:short": "drawn",
    }
    known["uuid:comment_id"] = Comment.objects.filter(text=WORD, reply_to=None).values_list("comment_id", flat=True)[0]
    found = {}
    for one in urlpatterns:
        found[str(one.name)] = "/" + re.sub(r"<([^>]+)>", lambda match: str(known[match[1]]), str(one.pattern))
    found["replies"] += "?rest=9"
    found["room?read=1"] = found["room"] + "?read=1"
    return found


def body(answer: HttpResponseBase) -> str:
    return b"".join(answer).decode() + str(dict(answer.headers))


@pytest.mark.parametrize("state", STATES)
def test_each_address_answers_by_the_state_of_its_link_alone(
    state: str, room: ReviewLink, readers: dict[str, Client], account: Account, world: World,
    settings: Settings, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    settings.PLATFORM_REVIEW_READS = False
    monkeypatch.setattr("review_portal.transcripts.read_captions", lambda link, lang: f"WEBVTT\n\n{WORD}")
    mine = Write.objects.get(label="Mine already.")
    link = bring_to(state, room, account, world)
    wrong: list[tuple[Any, ...]] = []
    for reader, client in readers.items():
        for name, address in addresses(link, mine.key).items():
            for method in ("GET", "POST"):
                forms = FORMS.get(name, ({},)) if method == "POST" else ({},)
                for form, part in [(form, part) for form in forms for part in ({}, PART)]:
                    forget()
                    Write.objects.filter(pk=mine.pk).update(state=State.HELD, shown=True, settled_at=None)
                    before = Comment.objects.filter(text=WORD).count()
                    answer = client.generic(method, address, **part) if method == "GET" else client.post(
                        address, {**form, "key": str(uuid.uuid4())} if "key" in form else form, **part
                    )  # fmt: skip
                    asked = (reader, method, address.replace(str(link), "<link>"), form, bool(part))
                    if answer.status_code not in expected(name, method, state):
                        wrong.append((*asked, answer.status_code))
                    said = body(answer)
                    if state in HIDING - ({"hidden resolved"} if name == "captions" else set()):
                        wrong += [(*asked, hidden) for hidden in (WORD, NAME) if hidden in said]
                    assert Comment.objects.filter(text=WORD).count() == before
    assert wrong == []


def test_no_address_is_without_an_expectation() -> None:
    named = {address.partition("?")[0] for address, _method in OUTCOMES}
    assert named == {str(one.name) for one in urlpatterns}


def test_a_link_that_the_platform_just_switched_off_shows_nothing_from_the_same_request_on(
    world: World, account: Account, room: ReviewLink
) -> None:
    platform.ReviewLink.objects.update(status="inactive", updated_at=timezone.now() + timedelta(seconds=5))
    for address in ("?fresh=1", "/export.csv", "/print", "/comments"):
        forget()
        ReviewLink.objects.update(status="active")
        answer = Client().get(f"/{room.pk}{address}")
        assert (address, answer.status_code) == (address, 403)
        assert WORD not in body(answer)
