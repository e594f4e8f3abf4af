"""What one press would complete: counted over the whole library, and led to the check of a run for exactly those videos."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.runs.models import Run
from dashboard.subtitles import gaps
from dashboard.videos.tasks import read_library
from dashboard.writes.run_actions import ItemState
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PAGE = "/dashboard/subtitles/"


@pytest.fixture
def whole(owner: Client) -> Client:
    """The owner, whose library the worker has read."""
    while read_library.call():
        pass
    return owner


def panel(owner: Client, **headers: str) -> str:
    text = one_line(owner.get(PAGE, headers=headers).content.decode())
    return text.partition('id="gaps-title"')[2].partition("</section>")[0]


def forms(text: str) -> list[dict[str, str]]:
    """The fields of each form."""
    found = []
    for form in text.split("<form")[1:]:
        inputs = re.findall(r'name="([^"]+)" value="([^"]*)"', form.split("</form>")[0])
        found.append({name: value for name, value in inputs if name != "csrfmiddlewaretoken"})
    return found


def test_one_press_checks_a_run_for_exactly_the_videos_that_were_counted(
    whole: Client, calls: Callable[[str], int]
) -> None:
    text = panel(whole)
    said = [int(count) for count in re.findall(r">(\d+) videos? lacks? ", text)]
    offered = forms(text)
    assert said == sorted(said) and 1 <= len(said) == len(offered) <= gaps.MOST
    for count, fields in zip(said, offered, strict=True):
        answer = whole.post("/dashboard/runs/check/", fields)
        run = Run.objects.get(pk=answer["Location"].split("/")[-2])
        assert run.items.count() == run.items.filter(state=ItemState.PLANNED).count() == count
        listed = whole.get("/dashboard/videos/", {"q": fields["query"]}).content.decode()
        assert f"<b>{count}</b>" in listed
    assert calls("ai_workflow.create") == 0


def test_the_same_press_twice_is_one_run(whole: Client) -> None:
    fields = forms(panel(whole))[0]
    answers = [whole.post("/dashboard/runs/check/", fields) for _press in range(2)]
    assert answers[0]["Location"] == answers[1]["Location"] and Run.objects.count() == 1


def test_what_is_in_progress_is_said(whole: Client) -> None:
    forms_before = forms(panel(whole))
    fields = forms_before[0]
    answer = whole.post("/dashboard/runs/check/", fields)
    whole.post(f"{answer['Location']}start/")
    count = Run.objects.get().items.count()
    words = "1 is in progress." if count == 1 else f"{count} are in progress."
    text = panel(whole)
    assert words in text and len(forms(text)) == len(forms_before) - 1, "nothing is left to press for it"


def test_counts_are_so_far_without_a_press_while_the_library_is_read(
    owner: Client, settings: Settings, one_window: None
) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 70
    assert read_library.call()
    text = panel(owner)
    assert "So far: your library is still being read." in text and "<form" not in text


def test_nothing_is_said_of_a_library_that_is_not_known(owner: Client) -> None:
    forget()
    assert panel(owner) == ""


def test_another_account_s_videos_are_not_counted(whole: Client, cast: dict[str, Any]) -> None:
    other = signed_in(Client(), cast["tokens"]["trial"])
    assert panel(other) == ""


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=4),
        st.frozensets(st.sampled_from(["pt-br", "es", "en", "fr", "xx"])),
        max_size=20,
    )
)
def test_those_that_lack_a_language_and_those_that_have_it_are_all_that_have_the_source(
    languages: dict[str, frozenset[str]],
) -> None:
    source, lacking = gaps.find_lacking(languages)
    have_source = {video for video, codes in languages.items() if source and source.lower() in codes}
    assert len(lacking) <= gaps.MOST and source not in lacking
    for lang, videos in lacking.items():
        have = {video for video in have_source if lang.lower() in languages[video]}
        assert videos and set(videos) | have == have_source and not set(videos) & have
        assert lang in LANGUAGES
