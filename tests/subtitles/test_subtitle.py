"""One video in one language: the text beside the film, or what stands in its way and what helps."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Subtitle
from tests.answering import change_answers
from tests.forgetting import forget
from tests.pages import one_line, page_of
from tests.subtitles.conftest import Library, later, planned, send, translation
from tests.subtitles.test_live import poll_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def reading(video: str, lang: str) -> str:
    return f"/dashboard/subtitles/videos/{video}/{lang}/"


def test_the_text_stands_beside_the_film_with_its_times(owner: Client, library: Library) -> None:
    response = owner.get(reading(library.rich, "pt-BR"))
    cues = response.context["cues"]
    html = one_line(page_of(response))
    assert len(cues) > 10
    assert cues[0].text in html
    track = f"{reading(library.rich, 'pt-BR')}download.vtt"
    assert f'<track kind="subtitles" srclang="pt-BR" label="Portuguese (Brazil)" src="{track}" default>' in html
    assert '<source src="/sandbox/media/' in html
    assert [name in html for name in (">WebVTT<", ">SubRip<", ">Text<")] == [True] * 3


def test_a_language_is_found_in_whatever_case_it_is_written(owner: Client, library: Library) -> None:
    assert owner.get(reading(library.rich, "PT-br")).context["lang"] == "pt-BR"


def test_markup_in_subtitles_stays_text(owner: Client, library: Library) -> None:
    Subtitle.objects.create(
        video_id=library.rich, lang="fr", label="fr",
        vtt="WEBVTT\n\n00:01.000 --> 00:02.000\n<b>gras</b> &lt;script&gt;alert(1)&lt;/script&gt;\n",
    )  # fmt: skip
    page = owner.get(reading(library.rich, "fr")).content.decode()
    assert "gras &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page


def test_what_does_not_exist_can_be_planned_with_everything_chosen(owner: Client, library: Library) -> None:
    page = owner.get(reading(library.rich, "sv")).context
    assert page["state"] == "The video has no subtitles in this language yet."
    assert [words for words, _href in page["steps"]] == [
        "Plan a translation from Portuguese (Brazil)",
        "Plan a translation from Spanish",
        "Plan a translation from German",
    ]
    assert "Check 1 job" in page_of(owner.get(page["steps"][0][1]))


def test_a_video_with_nothing_at_all_can_be_transcribed(owner: Client, library: Library) -> None:
    page = owner.get(reading(library.bare, "pt-BR")).context
    assert [words for words, _href in page["steps"]] == ["Plan a transcription"]
    assert "Check 1 job" in page_of(owner.get(page["steps"][0][1]))


def test_an_error_says_what_is_known_and_offers_another_attempt(owner: Client, library: Library) -> None:
    page = owner.get(reading(library.id("From cherry to cup"), "fr")).context
    assert page["state"] == "The last attempt ended in an error, so there are no subtitles in this language."
    assert "The platform says:" in page["job"].note or "No reason was given." in page["job"].note
    assert "Check 1 job" in page_of(owner.get(page["steps"][0][1]))


def test_what_is_being_made_is_watched_and_then_read(owner: Client, library: Library, clock: Frozen) -> None:
    send(owner, planned(owner, translation(library.source_only, to=("fr",))))
    response = owner.get(reading(library.source_only, "fr"))
    assert "These subtitles are being made." in page_of(response)
    assert poll_of(response)
    later(clock, 60)
    assert "[fr] " in page_of(owner.get(reading(library.source_only, "fr")))


@pytest.mark.parametrize("lang", ["tlh", "xx-YY", "<b>"])
def test_what_is_no_language_is_nowhere(owner: Client, library: Library, lang: str) -> None:
    assert owner.get(reading(library.rich, lang)).status_code == 404


def test_another_accounts_video_is_nowhere(owner: Client, cast: dict[str, Any]) -> None:
    assert owner.get(reading(cast["videos"]["other_account_with_subtitles"], "pt-BR")).status_code == 404


@pytest.mark.parametrize(
    ("status", "sentence"), [(500, "trouble of its own"), (403, "may not do that"), (429, "Too many requests")]
)
def test_a_text_that_cannot_be_read_is_said_so(
    owner: Client, library: Library, faults: ModuleType, status: int, sentence: str
) -> None:
    faults.set("videos.read_subtitle", status=status)
    faults.set("public_files.subtitle", status=404)
    response = owner.get(reading(library.rich, "pt-BR"))
    assert response.status_code == 200
    assert sentence in page_of(response)


def test_a_refused_token_leads_to_sign_in(owner: Client, library: Library, faults: ModuleType) -> None:
    faults.set("*", status=401)
    assert owner.get(reading(library.rich, "pt-BR"))["Location"].startswith("/sign-in/")


def test_signed_out_people_sign_in_first(library: Library) -> None:
    assert Client().get(reading(library.rich, "pt-BR"))["Location"].startswith("/sign-in/?next=")


@pytest.mark.parametrize("status", [404, 403])
def test_text_and_language_are_read_from_public_files_where_the_api_has_no_subtitles(
    owner: Client, library: Library, faults: ModuleType, status: int
) -> None:
    for read in ("videos.subtitles", "videos.read_subtitle"):
        faults.set(read, status=status)
    page = owner.get(reading(library.rich, "PT-br")).context
    assert len(page["cues"]) > 10 and page["lang"] == "pt-BR" and page["trouble"] is None
    download = owner.get(f"/dashboard/subtitles/videos/{library.rich}/pt-BR/download.srt")
    assert download["Content-Disposition"].startswith("attachment") and b"-->" in download.content
    panel = one_line(owner.get(f"/dashboard/videos/{library.rich}/panels/subtitles/").content.decode())
    assert "Portuguese (Brazil)" in panel and "German" in panel


def test_languages_come_from_the_public_file_where_not_even_the_video_tells_them(
    owner: Client, library: Library, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults.set("videos.subtitles", status=404)
    change_answers(monkeypatch, lambda video: {key: video[key] for key in video if key != "config"}, "videos.get")
    panel = one_line(owner.get(f"/dashboard/videos/{library.rich}/panels/subtitles/").content.decode())
    assert "Portuguese (Brazil)" in panel and "German" in panel
    forget()
    faults.set("public_files.video", status=404)
    panel = one_line(owner.get(f"/dashboard/videos/{library.rich}/panels/subtitles/").content.decode())
    assert "German" not in panel


def test_reading_without_api_and_without_public_file_says_so(
    owner: Client, library: Library, faults: ModuleType
) -> None:
    for read in ("videos.subtitles", "videos.read_subtitle", "public_files.subtitle"):
        faults.set(read, status=404)
    page = owner.get(reading(library.rich, "pt-BR")).context
    assert page["trouble"] is not None and not page["cues"]
