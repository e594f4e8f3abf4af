"""Decisions about a large library in a real browser: a whole course subtitled with five presses, two hundred fields renamed."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.accounts.models import Account
from dashboard.custom_fields.models import Change
from dashboard.custom_fields.tasks import run_change
from dashboard.runs import sending
from dashboard.runs.models import Run, RunState
from dashboard.sandbox.models import CustomField, Job, Video
from dashboard.videos.tasks import read_library
from dashboard.writes.run_actions import ItemState
from tests.journeys.conftest import FindingsOf, OpenBrowser, sideways
from tests.kept_subtitles import keep_subtitles
from tests.snapshots import Snapshots

VIDEOS = "/dashboard/videos/"
COURSE = 'folder:"Course 0007: Water"/**'
LANGUAGES = ("es", "fr", "it")
FIELDS = 200


@pytest.fixture
def large(cast: dict[str, object], platform_states: Snapshots) -> None:
    """A thousand videos in courses, made once and copied."""
    platform_states.use("large")


@pytest.fixture
def whole(desk: OpenBrowser, large: None, subtitles_alone: None) -> OpenBrowser:
    """Opens the owner's list, once the subtitles of every video are known as the worker reads them."""

    def opened(**options: object) -> Page:
        page = desk(**options)
        keep_subtitles(Account.objects.get())
        page.goto(f"{VIDEOS}?wait=1")
        assert read_library.call() == 0, "nothing is left to read"
        return page

    return opened


class Presses:
    """Presses of a person: of buttons and boxes, and of Enter in a field."""

    def __init__(self) -> None:
        self.count = 0

    def press(self, control: Locator, key: str = "Enter") -> None:
        """Press it."""
        self.count += 1
        control.press(key)


def work(run: Run) -> Run:
    """Let the worker send all of a run."""
    for _turn in range(40):
        Run.objects.filter(pk=run.pk).exclude(due_at=None).update(due_at=run.created_at)
        run.refresh_from_db()
        sending.advance(run)
    run.refresh_from_db()
    return run


def test_a_course_of_forty_lessons_in_subfolders_gets_three_languages_with_five_presses(
    whole: OpenBrowser, axe: FindingsOf
) -> None:
    page, presses = whole(), Presses()
    page.goto(VIDEOS)
    field = page.get_by_role("combobox", name="Search and filter")
    field.fill(f"{COURSE} missing:{','.join(LANGUAGES)}")
    field.press("Escape")  # the list of suggestions, which nobody has to close
    presses.press(field)
    expect(page.locator("#match-title")).to_contain_text(re.compile(r"40\s+of 1,000 videos match"))
    page.keyboard.press("Escape")
    expect(page.locator("tbody input[name=video]")).to_have_count(40)
    presses.press(page.locator("[data-choose-box]"), "Space")
    expect(page.locator("[data-choose-count]")).to_have_text("40 selected")
    presses.press(page.get_by_role("button", name="Create subtitles"))
    expect(page.get_by_role("main")).to_contain_text("For 40 videos.")
    for lang in LANGUAGES:
        expect(page.locator(f"input[name=to_lang][value={lang}]")).to_be_checked()
    presses.press(page.get_by_role("button", name="Check videos"))
    expect(page.get_by_role("heading", name="40 of 40 videos can be sent.")).to_be_visible()
    assert axe(page) + sideways(page) == []
    presses.press(page.get_by_role("button", name="Start run with 40 videos"))
    expect(page.get_by_role("heading", name=re.compile("Create subtitles: .*French.*Italian"))).to_be_visible()
    assert presses.count == 5
    page.context.close()  # it goes on without a browser
    run = Run.objects.get()
    lessons = [item.video_id for item in run.items.all()]
    missing = sum(
        not Video.objects.get(pk=pk).subtitles.filter(lang=lang).exists() for pk in lessons for lang in LANGUAGES
    )
    work(run)
    assert sending.count_states(run) == {ItemState.WAITING: 40} and run.state == RunState.RUNNING
    assert Job.objects.filter(video_id__in=lessons).count() == missing, "one job for each language that was missing"


def test_two_hundred_custom_fields_are_renamed_from_a_file(desk: OpenBrowser, large: None, axe: FindingsOf) -> None:
    lessons = Video.objects.filter(title__contains=", lesson ").order_by("title")[:FIELDS]
    CustomField.objects.bulk_create(CustomField(video=video, key="nivel", value="1") for video in lessons)
    lines = "".join(f"{video.pk},nivel,1,level\r\n" for video in lessons)
    file = {"name": "rename.csv", "mimeType": "text/csv", "buffer": f"video_id,key,value,new_key\r\n{lines}".encode()}
    page = desk()
    page.goto("/dashboard/custom-fields/changes/")
    page.get_by_label("CSV file").set_input_files(file)  # type: ignore[arg-type]  # a FilePayload
    page.get_by_role("button", name="Compare the file").press("Enter")
    expect(page.get_by_text("This continues automatically. You can close this page.")).to_be_visible()
    work_on_changes()
    page.get_by_role("button", name=f"Send {FIELDS} changes").press("Enter")
    expect(page.get_by_text(f"0 of {FIELDS} changes sent.")).to_be_visible()
    work_on_changes()
    expect(page.get_by_text(f"Changed: {FIELDS}. Without difference: 0. Not changed: 0.")).to_be_visible()
    assert axe(page) + sideways(page) == []
    assert CustomField.objects.filter(video__in=lessons, key="level", value="1").count() == FIELDS
    assert not CustomField.objects.filter(video__in=lessons, key="nivel").exists()


def work_on_changes() -> None:
    """What the worker does with changes that are due, in as many steps as they need."""
    for _step in range(20):
        for change in Change.objects.all():
            run_change.func(str(change.pk))
