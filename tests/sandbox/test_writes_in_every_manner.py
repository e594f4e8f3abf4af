"""The writes that stood behind assumed reads, and those of lives, driven through the pages of a platform in every manner."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import product
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.health import probing
from dashboard.sandbox import faults
from dashboard.sandbox.faults import Shape
from dashboard.sandbox.models import FunnelVideo, Live, Playlist
from dashboard.writes.models import State, Write
from tests.due import run_due
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

LACKS = {
    "nothing": frozenset[str](),
    "reads of one": frozenset({"lives.get", "funnels.get", "playlists.get"}),
    "lists": frozenset({"lives.list", "funnels.list", "playlists.list"}),
    "both": frozenset({"lives.get", "funnels.get", "playlists.get", "lives.list", "funnels.list", "playlists.list"}),
    "everything assumed": frozenset(
        {
            "lives.get", "funnels.get", "playlists.get", "lives.list", "funnels.list", "playlists.list", "videos.list",
            "videos.subtitles", "assistants.list", "custom_fields.list", "review_links.list", "folders.funnels",
        }
    ),
}  # fmt: skip
MANNERS = [
    (shape, lacks, (row + column) % 2 == 1)
    for (row, shape), (column, lacks) in product(enumerate(Shape), enumerate(LACKS))
]
"""Every shape with everything that can be lacking, and each of both before and after it was learnt what the platform has."""


def test_every_two_of_a_manner_meet() -> None:
    for one, other in ((0, 1), (0, 2), (1, 2)):
        values = [{manner[place] for manner in MANNERS} for place in (one, other)]
        assert {(manner[one], manner[other]) for manner in MANNERS} == set(product(*values))


@pytest.fixture(params=MANNERS, ids=lambda one: f"{one[0]}-{one[1]}{'-probed' if one[2] else ''}")
def driven(request: pytest.FixtureRequest, owner: Client) -> Iterator[Client]:
    """A browser over a platform in this manner, before or after it was learnt what it has."""
    shape, lacks, probed = request.param
    faults.use_manner(without=LACKS[lacks], shape=shape)
    forget()
    if probed:
        probing.probe(Account.objects.get())
    yield owner
    faults.use_manner()


def text(client: Client, address: str) -> str:
    answer = client.get(address, follow=True)
    assert answer.status_code == 200, (address, answer.status_code)
    return unescape(answer.content.decode())


def hidden(page: str, name: str) -> dict[str, str]:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    return {name: found[1]} if found else {}


def test_a_live_is_started(driven: Client, cast: dict[str, Any]) -> None:
    live = cast["lives"]["scheduled"]
    assert "Start early" in text(driven, f"/dashboard/lives/?id={live}")
    page = text(driven, f"/dashboard/lives/{live}/start/")
    for _press in range(2):
        driven.post(f"/dashboard/lives/{live}/start/", hidden(page, "seen") | hidden(page, "write_key"))
    assert Live.objects.get(pk=live).scheduled_at is None
    assert [write.state for write in Write.objects.filter(operation="lives.start")] == [State.DONE]
    assert "Waiting for the encoder" in text(driven, f"/dashboard/lives/{live}/")


def test_a_live_is_created_and_one_on_air_is_finished(driven: Client, cast: dict[str, Any]) -> None:
    page = text(driven, "/dashboard/lives/create/")
    for _press in range(2):
        form = {"title": "Launch", "scheduled_time": "2099-12-01T20:00"} | hidden(page, "write_key")
        answer = driven.post("/dashboard/lives/create/", form)
    made = Live.objects.get(title="Launch")
    assert answer["Location"] == f"/dashboard/lives/{made.pk}/"
    assert "Start early" in text(driven, answer["Location"])
    live = cast["lives"]["online"]
    page = text(driven, f"/dashboard/lives/{live}/finish/")
    for _press in range(2):
        driven.post(f"/dashboard/lives/{live}/finish/", hidden(page, "seen") | hidden(page, "write_key"))
    assert Live.objects.get(pk=live).status == "finished"
    assert [write.state for write in Write.objects.filter(operation="lives.finish")] == [State.DONE]
    shown = text(driven, f"/dashboard/lives/{live}/")
    assert "Finished" in shown or "Finish accepted" in shown


def test_a_playlist_is_deleted(driven: Client, cast: dict[str, Any]) -> None:
    playlist = cast["playlists"]["own"]
    assert "Delete playlist" in text(driven, f"/dashboard/playlists/?id={playlist}")
    page = text(driven, f"/dashboard/playlists/{playlist}/delete/")
    typed = playlist if "Type the id" in page else Playlist.objects.get(pk=playlist).name
    assert driven.post(f"/dashboard/playlists/{playlist}/delete/", {"name": typed}).status_code == 302
    run_due(10.1)
    assert not Playlist.objects.filter(pk=playlist).exists()
    (write,) = Write.objects.filter(operation="playlists.delete")
    assert write.state == State.DONE
    page = text(driven, f"/dashboard/playlists/deletions/{write.pk}/")
    assert ("Kept copy" in page) is bool(write.before and write.before["videos"])


def test_a_video_comes_into_a_funnel(driven: Client, cast: dict[str, Any]) -> None:
    funnel, video = cast["funnels"]["main"], cast["videos"]["with_ai_content"]
    text(driven, f"/dashboard/funnels/?id={funnel}")
    assert driven.post(f"/dashboard/funnels/{funnel}/add/", {"ids": video}).status_code == 302
    form = {"act": "review", "entry": video, f"x-{video}": "320", f"y-{video}": "80"}
    page = driven.post(f"/dashboard/funnels/{funnel}/arrange/", form, follow=True).content.decode()
    assert "Send funnel" in page
    for _press in range(2):
        driven.post(f"/dashboard/funnels/{funnel}/send/", hidden(page, "write_key"))
    there = FunnelVideo.objects.get(funnel_id=funnel, video_id=video)
    assert (there.x, there.y, there.is_first) == (320, 80, True)
    assert FunnelVideo.objects.filter(funnel_id=funnel, is_first=True).count() == 1
    assert [write.state for write in Write.objects.filter(operation="funnels.add_videos")] == [State.DONE]
