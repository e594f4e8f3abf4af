"""What pages say of a platform in trouble: the right status, once; and what they ask for: each thing once."""

from collections import Counter

import pytest

from dashboard.subtitles.models import PlannedCell
from dashboard.subtitles.tasks import follow_jobs
from tests.forgetting import forget
from tests.house.sources import assert_none
from tests.strict import world as names
from tests.strict.assumed import READS, Manner
from tests.strict.documented import OPERATIONS
from tests.strict.drives import HERE, Desk, says, words
from tests.strict.refusals import delete_a_playlist
from tests.strict.review_drives import ROOM, comment_on, open_room
from tests.strict.walk import PAGES, open_whole
from tests.strict.writing_drives import translate_into_two_languages

pytestmark = [pytest.mark.django_db, pytest.mark.loopback]
IN_EVERY_MANNER = pytest.mark.parametrize("manner", list(Manner), indirect=True, scope="module", ids=str)
EXPECTED = {429: {200, 503}, 403: {200, 403}}
"""How a page may answer that shows a read's error; 200 where it shows something all the same."""


@IN_EVERY_MANNER
def test_no_page_asks_the_platform_twice_for_one_thing(desk: Desk) -> None:
    offenders = []
    for path in PAGES:
        forget()
        desk.platform.calls.clear()
        open_whole(desk.owner, path)
        asked = Counter(str(call) for call in desk.platform.calls)
        offenders += [f"{path}: {call} is sent {times} times" for call, times in asked.items() if times > 1]
    assert desk.platform.wrong == []
    assert_none(offenders)


@pytest.mark.parametrize("status", EXPECTED)
def test_read_that_is_refused_is_not_told_as_a_fault_of_the_platform(desk: Desk, status: int) -> None:
    reads = {read.name for read in READS} | {one.name for one in OPERATIONS if one.method == "GET"}
    offenders = []
    for path in PAGES:
        forget()
        desk.platform.refusals = dict.fromkeys(reads, (status, {"message": "not now"}))
        answer = desk.owner.get(path)
        if answer.status not in EXPECTED[status]:
            offenders.append(f"{path} answers {answer.status}: {words(answer)[:200]}")
        if "trouble of its own" in words(answer):
            offenders.append(f"{path} says that the platform has trouble: {words(answer)[:200]}")
    assert_none(offenders)


def test_that_nothing_was_deleted_is_said_once(desk: Desk) -> None:
    press = delete_a_playlist(desk)
    desk.platform.refusals = {"playlists.delete": (400, {"message": "Playlist not found"})}
    deletion = press("en").answer
    pages = [deletion, desk.owner.get(f"{HERE}/playlists/"), desk.owner.get(f"{HERE}/activity/")]
    assert [words(page).count("Nothing was deleted") for page in pages[:1]] == [1]
    assert all(words(page).count("Nothing was deleted") <= 1 for page in pages)


@pytest.mark.parametrize("manner", [Manner.BARE], indirect=True, scope="module", ids=str)
def test_field_of_which_only_the_id_is_known_offers_undo_once_its_value_is_known(desk: Desk) -> None:
    page = f"{HERE}/custom-fields/videos/{names.SPOKEN}/"
    first = desk.owner.post(desk.owner.form(f"{page}?id={names.FIELD}", f"/{names.FIELD}/", ""), {"value": "bright"})
    assert "Saved." in words(first) and "Undo" not in words(first), "what was there before is not known"
    second = desk.owner.post(desk.owner.form(page, f"/{names.FIELD}/", ""), {"value": "brighter"})
    assert "Undo" in words(second)
    assert [call.body for call in desk.platform.writes] == [{"value": "bright"}, {"value": "brighter"}]


@pytest.mark.parametrize("manner", [Manner.BARE], indirect=True, scope="module", ids=str)
def test_fields_that_a_platform_does_not_list_are_opened_from_the_page_of_their_video(desk: Desk) -> None:
    whole = open_whole(desk.owner, f"{HERE}/videos/{names.SPOKEN}/")
    assert any(f"{HERE}/custom-fields/videos/{names.SPOKEN}/" in page.links() for page in whole)


@pytest.mark.parametrize("manner", [Manner.BARE], indirect=True, scope="module", ids=str)
def test_job_is_followed_to_its_end_where_subtitles_are_not_listed(desk: Desk) -> None:
    page = f"{HERE}/subtitles/?type=TRANSLATION&tier=pro&from_lang=pt-BR&to_lang=it&video={names.SPOKEN}"
    assert "Source subtitles available for 1 of 1 video" in words(desk.owner.get(page)), "its record tells them"
    translate_into_two_languages(desk)
    for job in desk.platform.world.jobs:
        job["status"] = "FINISHED"
    forget()
    follow_jobs.func()
    assert {cell.status for cell in PlannedCell.objects.all()} == {"FINISHED"}
    assert "already have subtitles and stay as they are" in words(desk.owner.get(f"{page}&to_lang=fr"))


@pytest.mark.parametrize("manner", [Manner.BARE], indirect=True, scope="module", ids=str)
def test_room_whose_link_is_told_to_have_expired_loses_its_composer_and_keeps_what_was_typed(desk: Desk) -> None:
    reviewer = open_room(desk)
    comment_on(desk, reviewer)
    found = reviewer.form(ROOM, "/comments")
    desk.platform.refusals = {"comments.create": (403, {"message": "link expired or inactive"})}
    answer = reviewer.press(found, {"user_name": "Ana Prado", "text": "One thing more.", "time": "0:09"})
    assert "One thing more." in words(answer), words(answer)
    for page in (answer, reviewer.get(ROOM)):
        assert [form.action for form in page.forms(ROOM) if form.action.endswith("/comments")] == []
        assert "This review link has closed" in words(page)
    assert "Recreate with these settings" in words(desk.owner.get(f"{HERE}/review-links/{names.LINK}/"))


@pytest.mark.parametrize("manner", [Manner.BARE], indirect=True, scope="module", ids=str)
@pytest.mark.parametrize(
    ("message", "left"), [("allow_comment is false", ["resolved"]), ("allow_status_edit is false", ["comment"])]
)
def test_room_offers_no_more_what_its_link_was_told_not_to_allow(desk: Desk, message: str, left: list[str]) -> None:
    reviewer = open_room(desk)
    _answer, comment = comment_on(desk, reviewer)
    desk.platform.refusals = dict.fromkeys(("comments.create", "comments.update"), (403, {"message": message}))
    if "comment" in message:
        typed = {"user_name": "Ana Prado", "text": "One thing more.", "time": "0:09"}
        reviewer.press(reviewer.form(ROOM, "/comments"), typed)
    else:
        reviewer.press(reviewer.form(ROOM, f"/comments/{comment}", "resolved"))
    forms = reviewer.get(ROOM).forms(ROOM)
    offered = ["comment"] if any(form.action.endswith("/comments") for form in forms) else []
    offered += ["resolved"] if any(b.value == "resolved" for form in forms for b in form.buttons) else []
    assert offered == left


AS_SEEN = pytest.mark.parametrize("manner", [Manner.PUBLIC], indirect=True, scope="module", ids=str)


@AS_SEEN
def test_live_is_shown_by_its_public_file_alone(desk: Desk) -> None:
    page = f"{HERE}/lives/{names.LIVE}/"
    says(desk.owner.get(page), "Launch", "Offline", "its title and state are from its public file")
    desk.platform.world.lives[names.LIVE]["status"] = "finished_imported"
    forget()
    says(desk.owner.get(page), "Launch", "Finished, saved as a video")
    assert desk.platform.wrong == []


@AS_SEEN
def test_subtitles_are_read_by_their_public_address(desk: Desk) -> None:
    says(desk.owner.get(f"{HERE}/subtitles/videos/{names.SPOKEN}/pt-BR/"), "Boa noite.")
    panel = desk.owner.get(f"{HERE}/videos/{names.SPOKEN}/panels/subtitles/")
    assert "Portuguese (Brazil)" in panel.text
    assert desk.platform.wrong == []


@AS_SEEN
def test_assistant_is_read_by_its_id_and_not_ready_yet(desk: Desk) -> None:
    page = f"{HERE}/assistants/"
    added = desk.owner.press(desk.owner.form(page, "/add/"), {"assistant_id": names.ASSISTANT})
    says(added, "Sales", "Not ready yet", "3 videos are still being processed")
    assert desk.platform.wrong == []


@AS_SEEN
def test_id_of_a_test_in_the_field_of_a_live_leads_to_the_test(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/lives/?id={names.RUNNING}")
    assert answer.status == 404 and f"{HERE}/ab-tests/{names.RUNNING}/" in answer.links()


@AS_SEEN
def test_pdf_says_when_it_was_made_where_its_file_does(desk: Desk) -> None:
    page = f"{HERE}/ai-content/{names.TAUGHT}/en/"
    for _ in range(3):
        answer = desk.owner.get(page)  # the player's file is read beside the page, and then the PDFs
    says(answer, "eBook made Nov 1, 2026", "Mind map made Nov 1, 2026")
    assert desk.platform.wrong == []
