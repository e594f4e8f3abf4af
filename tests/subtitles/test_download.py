"""The subtitles as files."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox.models import Subtitle
from dashboard.shared import cues
from tests.subtitles.conftest import Library

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def file_of(video: str, lang: str, kind: str) -> str:
    return f"/dashboard/subtitles/videos/{video}/{lang}/download.{kind}"


def test_vtt_is_the_platforms_file_as_it_is(owner: Client, library: Library) -> None:
    response = owner.get(file_of(library.rich, "pt-BR", "vtt"))
    assert response["Content-Type"] == "text/vtt; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="how-we-roast-pt-br.vtt"'
    assert response.content.decode() == Subtitle.objects.get(video_id=library.rich, lang="pt-BR").vtt


def test_srt_and_txt_say_the_same_words(owner: Client, library: Library) -> None:
    vtt = cues.parse_vtt(owner.get(file_of(library.rich, "pt-BR", "vtt")).content.decode())
    srt = owner.get(file_of(library.rich, "pt-BR", "srt"))
    assert cues.parse_vtt(srt.content.decode()) == vtt
    text = owner.get(file_of(library.rich, "pt-BR", "txt")).content.decode()
    assert text.splitlines()[0] == " ".join(vtt[0].text.split())


@pytest.mark.parametrize(("lang", "kind"), [("sv", "vtt"), ("pt-BR", "exe"), ("tlh", "srt")])
def test_what_is_not_there_is_nowhere(owner: Client, library: Library, lang: str, kind: str) -> None:
    assert owner.get(file_of(library.rich, lang, kind)).status_code == 404


def test_another_accounts_file_is_nowhere(owner: Client, cast: dict[str, Any]) -> None:
    assert owner.get(file_of(cast["videos"]["other_account_with_subtitles"], "pt-BR", "vtt")).status_code == 404


@pytest.mark.parametrize(("status", "answer"), [(500, 502), (429, 503), (403, 403)])
def test_a_file_that_cannot_be_read_is_a_page_that_says_why(
    owner: Client, library: Library, faults: ModuleType, status: int, answer: int
) -> None:
    faults.set("videos.read_subtitle", status=status)
    faults.set("public_files.subtitle", status=404)
    response = owner.get(file_of(library.rich, "pt-BR", "vtt"))
    assert response.status_code == answer
    assert "Content-Disposition" not in response


def test_signed_out_people_sign_in_first(library: Library) -> None:
    assert Client().get(file_of(library.rich, "pt-BR", "vtt"))["Location"].startswith("/sign-in/?next=")


def test_a_file_that_is_too_long_to_read_is_offered_as_it_is(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    video = library.rich
    text = owner.get(file_of(video, "pt-BR", "vtt")).content.decode()
    monkeypatch.setattr(cues, "CUES_MOST", len(text))
    assert owner.get(file_of(video, "pt-BR", "srt")).status_code == 200
    monkeypatch.setattr(cues, "CUES_MOST", len(text) - 1)
    answer = owner.get(file_of(video, "pt-BR", "srt"), follow=True)
    page = answer.content.decode()
    assert "more than 2,000,000 characters" in page and "Download it as WebVTT" in page
    assert file_of(video, "pt-BR", "vtt") in page
    assert owner.get(file_of(video, "pt-BR", "vtt")).content.decode() == text
