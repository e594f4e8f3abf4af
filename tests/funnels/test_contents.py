"""A funnel whose videos are told by id alone: their titles are known here, and where they stand is not."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from dashboard.platform_api.errors import Refused
from dashboard.platform_api.request import Request
from dashboard.sandbox.models import Funnel
from dashboard.upstream import library, page_sources
from dashboard.writes.models import State, Write
from tests.answering import answer_with, asked_of, change_answers
from tests.forgetting import forget, make_old
from tests.funnels.test_funnels import ADDRESS, arrange, main
from tests.pages import page_of

__all__ = ["main"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def ids_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform names the videos of a funnel and says nothing else of them."""

    def told(answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "videos": [video["id"] for video in answer["videos"]]}

    change_answers(monkeypatch, told, "funnels.get")


def titles_of(funnel: str) -> list[str]:
    return [place.video.title for place in Funnel.objects.get(pk=funnel).placed.select_related("video")]


def test_the_board_has_the_titles_and_nothing_has_moved(
    owner: Client, main: str, ids_alone: None, calls: Callable[[str], int]
) -> None:
    text = page_of(owner.get(f"{ADDRESS}{main}/"))
    assert all(title in text for title in titles_of(main))
    assert "Position unknown" in text and "does not say where these videos are" in text
    assert "for the first time" not in text and "cards moved" not in text
    assert calls("videos.get") == 0
    assert calls("videos.list") == 1


def test_titles_that_no_list_has_are_not_asked_for_again(
    owner: Client, main: str, ids_alone: None, monkeypatch: pytest.MonkeyPatch, calls: Callable[[str], int]
) -> None:
    change_answers(monkeypatch, lambda answer: {"videos": [], "total": 0, "pages": 1}, "videos.list")
    for _time in range(2):
        text = page_of(owner.get(f"{ADDRESS}{main}/"))
        assert all(str(place.video_id) in text for place in Funnel.objects.get(pk=main).placed.all())
    assert calls("videos.list") == 1
    begun: list[object] = []
    monkeypatch.setattr(page_sources, "begin_work", lambda *work: begun.append(work))
    owner.get(f"{ADDRESS}{main}/")
    assert not begun, "no page follows a list that was read a moment ago"


def test_titles_are_read_without_refused_calls_after_the_first_where_long_lists_are_refused(
    owner: Client, main: str, ids_alone: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int] = []

    def refuse_long_lists(request: Request) -> dict[str, Any]:
        limits.append(int(asked_of(request)["limit"]))
        if limits[-1] > library.SAFE:
            raise Refused(request.operation, 422, "limit is too large")
        return {"videos": [], "total": 0, "pages": 1}

    answer_with(monkeypatch, refuse_long_lists, "videos.list")
    for _view in range(3):
        owner.get(f"{ADDRESS}{main}/")
        make_old()
    assert limits == [library.WHOLE, library.SAFE, library.SAFE, library.SAFE]


def test_reading_cannot_say_whether_a_place_arrived_that_it_does_not_tell(
    owner: Client, main: str, ids_alone: None, faults: Any
) -> None:
    video, entry = (str(place.video_id) for place in Funnel.objects.get(pk=main).placed.all()[:2])
    fields: dict[str, Any] = {f"x-{video}": "320", f"y-{video}": "80", "entry": entry}
    arrange(owner, main, **fields)
    faults.set("funnels.add_videos", broken="lost")
    owner.post(f"{ADDRESS}{main}/send/")
    forget()
    write = Write.objects.get(operation="funnels.add_videos")
    assert write.state == State.UNCONFIRMED
    assert write.before is not None and write.before["videos"] == [], "nobody knows where they stood"
