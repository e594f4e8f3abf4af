"""Adding videos to a funnel that the platform does not show: by ids and coordinates, with what is not known said (4.10)."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.funnels.models import Draft
from dashboard.health import probing
from dashboard.sandbox.models import Video
from dashboard.upstream.models import Capability
from dashboard.writes.models import State, Write
from tests.answering import change_answers
from tests.due import run_due
from tests.forgetting import forget
from tests.funnels.test_funnels import ADDRESS, WRITE, arrange, main, now
from tests.pages import page_of
from tests.upstream.absent import take_reads

__all__ = ["main"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def video(cast: dict[str, Any]) -> str:
    return str(cast["videos"]["with_ai_content"])


def opened(client: Client, funnel: str, part: str = "") -> str:
    answer = client.get(f"{ADDRESS}{funnel}/{part}")
    assert answer.status_code == 200, answer.status_code
    return page_of(answer)


def add(client: Client, funnel: str, *ids: str) -> Any:
    return client.post(f"{ADDRESS}{funnel}/add/", {"ids": "\n".join(ids)})


@pytest.mark.parametrize("status", [404, 403, 405])
def test_videos_come_into_a_funnel_that_cannot_be_read(
    owner: Client, main: str, video: str, faults: ModuleType, status: int
) -> None:
    was = {one.id for one in now(main).videos}
    forget()
    take_reads(faults, "funnels", status)
    assert owner.get(ADDRESS, {"id": main})["Location"] == f"{ADDRESS}{main}/"
    text = opened(owner, main)
    assert "This platform does not show what is in this funnel" in text
    assert "0 videos" not in text and "was not found on the platform" not in text
    assert add(owner, main, video)["Location"] == f"{ADDRESS}{main}/"
    assert "Mark one video as the entry" in opened(owner, main, "review/"), (
        "nobody chose one, and it takes it from another"
    )
    fields: dict[str, Any] = {f"x-{video}": "320", f"y-{video}": "80,5", "entry": video}
    arrange(owner, main, **fields)
    review = opened(owner, main, "review/")
    assert "becomes the entry" in review
    assert "The funnel’s folder is not known: every video that is sent moves there." in review
    assert "Every other video of the funnel stops being it." in review
    assert "No video changes folder" not in review and "leaves" not in review
    assert "/funnels/add_videos" in page_of(owner.post(f"{ADDRESS}{main}/send/", {"_dry_run": "1"}))
    for _press in range(2):
        owner.post(f"{ADDRESS}{main}/send/")
    assert Write.objects.get().state == State.DONE
    assert Entry.objects.get(operation=WRITE).outcome == Outcome.DONE
    assert not Draft.objects.exists()
    faults.clear()
    there = {one.id: one for one in now(main).videos}
    assert set(there) == was | {video}
    assert (there[video].x, there[video].y, there[video].is_first) == (320, 80.5, True)


def test_what_was_sent_from_here_is_on_the_board_again(
    owner: Client, main: str, video: str, faults: ModuleType
) -> None:
    take_reads(faults, "funnels")
    add(owner, main, video)
    fields: dict[str, Any] = {f"x-{video}": "320", f"y-{video}": "80", "entry": video}
    arrange(owner, main, **fields)
    owner.post(f"{ADDRESS}{main}/send/")
    text = opened(owner, main)
    assert f'name="x-{video}"' in text and 'value="320"' in text
    assert "As last sent from here" in text and "As on the platform" not in text
    assert "other videos" in text, "the platform may have more of them"
    assert Video.objects.get(pk=video).title in text, "not its id alone"


def test_a_funnel_that_only_the_list_shows_is_as_the_list_says(owner: Client, main: str, faults: ModuleType) -> None:
    take_reads(faults, "funnels", reads=("get",))
    text = opened(owner, main)
    assert "5 videos" in text and "As on the platform" in text


def test_funnels_are_found_in_their_folders_where_those_name_them(owner: Client, main: str, faults: ModuleType) -> None:
    take_reads(faults, "funnels")
    probing.probe(Account.objects.get())
    assert "5 videos" in page_of(owner.get(ADDRESS)), "a list made of folders"
    text = opened(owner, main)
    assert "5 videos" in text and "As on the platform" in text and "does not show" not in text


def test_folders_without_their_funnels_tell_nothing(
    owner: Client, main: str, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_reads(faults, "funnels")
    change_answers(
        monkeypatch, lambda folder: {key: value for key, value in folder.items() if key != "funnels"}, "folders.funnels"
    )
    probing.probe(Account.objects.get())
    assert Capability.objects.get(operation="folders.funnels").state == "absent"
    assert "does not list its funnels" in page_of(owner.get(ADDRESS))


def test_a_list_without_videos_claims_no_number_of_them(
    owner: Client, main: str, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bare(answer: Any) -> Any:
        return {"funnels": [{"id": one["id"], "name": one["name"]} for one in answer["funnels"]]}

    change_answers(monkeypatch, bare, "funnels.list")
    take_reads(faults, "funnels", reads=("get",))
    assert "0 videos" not in page_of(owner.get(ADDRESS))
    text = opened(owner, main)
    assert "0 videos" not in text and "This platform does not show what is in this funnel" in text


def test_videos_are_added_by_their_ids_where_there_is_no_library(
    owner: Client, main: str, video: str, faults: ModuleType
) -> None:
    faults.set("videos.list", status=404)
    text = opened(owner, main, "add/")
    assert "Ids of videos" in text and "does not list its videos" in text
    answer = add(owner, main, "no id")
    assert (
        answer.status_code == 422 and "no id" in page_of(answer) and "This is not the id of a video" in page_of(answer)
    )
    assert add(owner, main, video).status_code == 302
    assert list(Draft.objects.get().added) == [video]


def test_a_video_that_is_not_in_the_account_is_said_and_kept_in_the_form(owner: Client, main: str) -> None:
    answer = add(owner, main, "3f2b6c1e-0000-4000-8000-000000000000")
    assert answer.status_code == 422
    assert "3f2b6c1e-0000-4000-8000-000000000000" in page_of(answer)
    assert not Draft.objects.exists()


def test_a_lost_answer_is_decided_by_a_person_where_nothing_can_be_read(
    owner: Client, main: str, video: str, faults: ModuleType
) -> None:
    take_reads(faults, "funnels")
    add(owner, main, video)
    fields: dict[str, Any] = {"entry": video}
    arrange(owner, main, **fields)
    faults.set(WRITE, broken="lost")
    owner.post(f"{ADDRESS}{main}/send/")
    faults.clear(WRITE)
    run_due(61)
    assert Write.objects.get().state == State.UNCONFIRMED
    text = opened(owner, main, "review/")
    assert "It arrived" in text and "Send again" in text
    owner.post(f"{ADDRESS}{main}/arrived/", {"attempt": Write.objects.get().attempt})
    assert Write.objects.get().state == State.DONE
    assert not Draft.objects.exists()
