"""The funnel's pages: the list, the board as a form, its draft, what is said before sending, and sending once."""

from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.funnels import pages
from dashboard.funnels.models import Draft
from dashboard.platform_api.funnels import Funnel
from dashboard.sandbox.models import Video as PlatformVideo
from dashboard.upstream.clients import platform_for
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.pages import page_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ADDRESS = "/dashboard/funnels/"
WRITE = "funnels.add_videos"


@pytest.fixture
def main(cast: dict[str, Any]) -> str:
    return str(cast["funnels"]["main"])


def now(funnel_id: str) -> Funnel:
    """The funnel as the platform has it."""
    return platform_for(Account.objects.get()).funnels.get(funnel_id)


def arrange(client: Client, funnel_id: str, act: str = "keep", script: bool = False, **fields: Any) -> Any:
    headers = {"HX-Request": "true"} if script else {}
    return client.post(f"{ADDRESS}{funnel_id}/arrange/", {"act": act, **fields}, headers=headers)


def moved(client: Client, funnel_id: str) -> tuple[str, str]:
    """Move the second card and make it the entry; gives both cards' ids."""
    first, second = (video.id for video in now(funnel_id).videos[:2])
    fields: dict[str, Any] = {f"x-{second}": "320", f"y-{second}": "80,5", "entry": second}
    arrange(client, funnel_id, **fields)
    return first, second


def test_the_list_shows_entry_size_and_what_is_not_sent(owner: Client, main: str) -> None:
    moved(owner, main)
    text = page_of(owner.get(ADDRESS))
    assert "5 videos" in text
    assert "Serra Alta, launch film" in text
    assert text.count("Not sent") == 1
    assert "No funnel has that in its name" in page_of(owner.get(ADDRESS, {"find": "zzzz"}))


def test_the_list_and_the_board_name_the_folder_and_stand_without_it(
    owner: Client, main: str, faults: ModuleType
) -> None:
    folder = now(main).folder_id
    name = next(one.name for one in platform_for(Account.objects.get()).folders.list() if one.id == folder)
    named = f'<a href="/dashboard/folders/?folder={folder}">{name}</a>'
    for address in (ADDRESS, f"{ADDRESS}{main}/"):
        assert named in page_of(owner.get(address))
    forget()
    faults.set("folders.list", status=500)
    for address in (ADDRESS, f"{ADDRESS}{main}/"):
        answer = owner.get(address)
        assert answer.status_code == 200
        assert named not in page_of(answer)


def test_every_card_is_on_the_board_and_in_the_list_with_all_controls(owner: Client, main: str) -> None:
    text = page_of(owner.get(f"{ADDRESS}{main}/"))
    for video in now(main).videos:
        assert f'data-card="{video.id}"' in text
        assert f'name="x-{video.id}"' in text
        assert f'name="y-{video.id}"' in text
    assert text.count('type="radio" name="entry"') == 5
    assert text.count(" checked") == 1
    assert " style=" not in text


def test_a_list_of_hundreds_comes_in_groups_of_which_the_first_is_open(
    owner: Client, main: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "GROUP_SIZE", 2)
    address = f"/dashboard/funnels/{main}/"
    text = owner.get(address).content.decode()
    count = text.count("data-row=")
    assert count > 2
    groups = text.split('<details class="card-group"')[1:]
    assert len(groups) == -(-count // 2) and groups[0].startswith(" open>")
    assert not any(group.startswith(" open>") for group in groups[1:])
    last = text.split('data-row="')[-1].split('"')[0]
    form = {"act": "review", f"x-{last}": "far"}
    groups = owner.post(f"{address}arrange/", form).content.decode().split('<details class="card-group"')[1:]
    assert groups[-1].startswith(" open>"), "what is wrong is in sight"


def test_the_words_of_what_is_unsent_tell_the_script_that_there_is_nothing(owner: Client, main: str) -> None:
    text = owner.get(f"/dashboard/funnels/{main}/").content.decode()
    assert 'id="unsent" role="status" data-nothing' in text and "data-review" in text


def test_what_is_arranged_is_kept_and_nothing_leaves(owner: Client, main: str) -> None:
    before = now(main)
    _first, second = moved(owner, main)
    text = page_of(owner.get(f"{ADDRESS}{main}/"))
    assert 'value="80.5"' in text
    assert "1 card moved, another entry." in text
    assert now(main) == before
    assert not Entry.objects.exists()
    assert Draft.objects.get().entry == second


def test_script_keeps_with_only_the_words_coming_back(owner: Client, main: str) -> None:
    video = now(main).videos[1].id
    answer = page_of(arrange(owner, main, script=True, **{f"x-{video}": "333"}))
    assert answer.strip().startswith('<p id="unsent"')
    assert "1 card moved" in answer
    back = page_of(arrange(owner, main, script=True, **{f"x-{video}": "300"}))
    assert "No changes" in back
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [("", "Write a number."), ("left", "such as 40"), ("1000001", "between -1,000,000 and 1,000,000")],
)
def test_a_wrong_coordinate_is_said_at_its_field_and_everything_stays_typed(
    owner: Client, main: str, typed: str, sentence: str
) -> None:
    one, two = (video.id for video in now(main).videos[1:3])
    fields: dict[str, Any] = {f"x-{one}": typed, f"y-{two}": "777"}
    answer = arrange(owner, main, act="review", **fields)
    assert answer.status_code == 422
    text = page_of(answer)
    assert f'<a href="#x-{one}">' in text
    assert sentence in text
    assert f'value="{typed}"' in text
    assert 'value="777"' in text


def test_tidy_and_discard_work_without_script(owner: Client, main: str) -> None:
    arrange(owner, main, act="tidy")
    assert Draft.objects.get().places
    arrange(owner, main, act="discard")
    assert not Draft.objects.exists()


def test_videos_are_found_in_the_library_and_come_onto_the_board(
    owner: Client, main: str, cast: dict[str, Any]
) -> None:
    video = cast["videos"]["plain"]
    title = platform_for(Account.objects.get()).videos.get(video).title
    assert title in page_of(owner.get(f"{ADDRESS}{main}/add/", {"find": title}))
    answer = owner.post(f"{ADDRESS}{main}/add/", {"find": title, "video": video}, follow=True)
    assert "came onto the board" in page_of(answer)
    assert f'data-card="{video}"' in page_of(answer)
    assert video not in {one.id for one in now(main).videos}
    arrange(owner, main, act=f"remove:{video}")
    assert not Draft.objects.exists()


def test_what_was_chosen_in_the_library_asks_for_its_funnel_and_stands_first_in_it(
    owner: Client, main: str, cast: dict[str, Any]
) -> None:
    here, gone = cast["videos"]["plain"], cast["videos"]["other_account"]
    chosen = f"?video={here}&video={gone}&video=nonsense"
    listed = page_of(owner.get(f"{ADDRESS}{chosen}"))
    assert "2 videos are chosen. Choose the funnel they come onto." in listed
    assert f'href="{ADDRESS}{main}/add/?video={here}&video={gone}"' in listed
    assert owner.get(f"{ADDRESS}{chosen}&id={main}")["Location"].startswith(f"{ADDRESS}{main}/add/?video={here}")
    text = page_of(owner.get(f"{ADDRESS}{main}/add/{chosen}&find=roast"))
    assert f'value="{here}" checked' in text and text.count(f'type="checkbox" name="video" value="{here}"') == 1
    assert f'type="checkbox" name="video" value="{gone}"' not in text, "it is another account's"
    answer = owner.post(f"{ADDRESS}{main}/add/", {"find": "no video has this", "video": [here, gone]}, follow=True)
    assert "1 video came onto the board" in page_of(answer) and f'data-card="{here}"' in page_of(answer)


def test_without_a_choice_the_list_of_funnels_leads_to_the_boards(owner: Client, main: str) -> None:
    text = page_of(owner.get(f"{ADDRESS}?video=nonsense"))
    assert "Choose the funnel" not in text and f'href="{ADDRESS}{main}/"' in text


def test_adding_nothing_says_so(owner: Client, main: str) -> None:
    answer = owner.post(f"{ADDRESS}{main}/add/", {})
    assert answer.status_code == 422
    assert "Choose at least one video." in page_of(answer)


def test_the_review_lists_every_difference_and_what_changes_elsewhere(
    owner: Client, main: str, cast: dict[str, Any]
) -> None:
    moved(owner, main)
    video = platform_for(Account.objects.get()).videos.get(cast["videos"]["plain"])
    owner.post(f"{ADDRESS}{main}/add/", {"find": video.title, "video": video.id})
    text = page_of(owner.get(f"{ADDRESS}{main}/review/"))
    assert "moves from 300, 60 to 320, 80.5, becomes the entry" in text
    assert "stops being the entry" in text
    assert "comes into the funnel at" in text
    assert f"“{video.title}” leaves" in text
    assert "Every other video of the funnel stops being it." in text


def test_nothing_to_send_is_said_and_cannot_be_pressed(owner: Client, main: str) -> None:
    text = page_of(owner.get(f"{ADDRESS}{main}/review/"))
    assert "no changes to send" in text
    assert "Send funnel" not in text
    owner.post(f"{ADDRESS}{main}/send/")
    assert not Entry.objects.exists()


def test_an_empty_funnel_gets_its_first_video_as_entry(owner: Client, main: str, cast: dict[str, Any]) -> None:
    empty = next(one for one in platform_for(Account.objects.get()).funnels.list() if not one.videos)
    video = platform_for(Account.objects.get()).videos.get(cast["videos"]["plain"])
    owner.post(f"{ADDRESS}{empty.id}/add/", {"find": video.title, "video": video.id})
    owner.post(f"{ADDRESS}{empty.id}/send/")
    assert [(one.id, one.is_first) for one in now(empty.id).videos] == [(video.id, True)]


def test_folders_that_cannot_be_read_are_said_to_be_not_known(owner: Client, main: str, faults: ModuleType) -> None:
    moved(owner, main)
    faults.set("videos.get", status=500)
    faults.set("folders.list", status=500)
    assert "is not known; it moves to the funnel’s folder" in page_of(owner.get(f"{ADDRESS}{main}/review/"))


def test_another_account_finds_neither_funnel_nor_draft(client: Client, cast: dict[str, Any], main: str) -> None:
    moved(signed_in(Client(), cast["tokens"]["owner"]), main)
    signed_in(client, cast["tokens"]["trial"])
    for part in ("", "add/", "review/"):
        assert client.get(f"{ADDRESS}{main}/{part}").status_code == 404
    for part in ("arrange/", "send/"):
        assert client.post(f"{ADDRESS}{main}/{part}").status_code == 404
    assert "Not sent" not in page_of(client.get(ADDRESS))


@pytest.mark.parametrize(("status", "answers"), [(401, 302), (403, 200), (404, 200), (429, 503), (500, 502)])
def test_a_funnel_that_cannot_be_read(owner: Client, main: str, faults: ModuleType, status: int, answers: int) -> None:
    faults.set("funnels.get", status=status)
    for part in ("", "add/", "review/"):
        assert owner.get(f"{ADDRESS}{main}/{part}").status_code == answers
    faults.clear()


@pytest.mark.parametrize(("status", "answers"), [(401, 302), (403, 403), (404, 200), (429, 503), (500, 502)])
def test_a_list_that_cannot_be_had_offers_the_way_by_id(
    owner: Client, main: str, faults: ModuleType, status: int, answers: int
) -> None:
    faults.set("funnels.list", status=status)
    answer = owner.get(ADDRESS)
    assert answer.status_code == answers
    assert answers == 302 or "Open a funnel by its id" in page_of(answer)
    assert owner.get(ADDRESS, {"id": main})["Location"] == f"{ADDRESS}{main}/"


def test_signed_out_leads_to_sign_in(client: Client, main: str) -> None:
    for path in ("", f"{main}/", f"{main}/add/", f"{main}/review/"):
        assert client.get(f"{ADDRESS}{path}")["Location"].startswith("/sign-in/")


def test_a_video_that_viewers_cannot_play_does_not_come_onto_the_board(owner: Client, cast: dict[str, Any]) -> None:
    page, video = f"/dashboard/funnels/{cast['funnels']['main']}/add/", cast["videos"]["plain"]
    PlatformVideo.objects.filter(pk=video).update(status="FAILED")
    text = unescape(owner.get(page).content.decode())
    assert "Its conversion failed: viewers can't play it." in text
    answer = owner.post(page, {"video": [video]})
    assert answer.status_code == 422 and "Its conversion failed" in unescape(answer.content.decode())
