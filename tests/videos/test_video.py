"""One video: player, facts, and one panel for everything that is known, each failing alone."""

from collections.abc import Callable
from types import ModuleType
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from dashboard.feature import PANELS, VideoPanel
from dashboard.platform_api.videos import Video as Record
from dashboard.sandbox.models import Comparison, Video
from dashboard.shared.http import OwnerRequest
from dashboard.videos import detail
from tests.answering import answer_with
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.pages import one_line, read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def video(cast: dict[str, Any]) -> str:
    return str(cast["videos"]["with_subtitles"])


def test_the_film_plays_in_the_browsers_own_player_with_its_poster_and_subtitles(owner: Client, video: str) -> None:
    text = read_page(owner, f"/dashboard/videos/{video}/")
    assert '<video controls playsinline preload="metadata" poster="/sandbox/media/' in text
    assert 'type="video/mp4"' in text
    assert 'srclang="pt-BR"' in text and 'srclang="de"' in text


@pytest.mark.parametrize(("typed", "begins"), [("205", "#t=205"), ("0", ""), ("-1", ""), ("oops", ""), ("9" * 30, "")])
def test_film_begins_at_the_second_of_the_address(owner: Client, video: str, typed: str, begins: str) -> None:
    text = owner.get(f"/dashboard/videos/{video}/?t={typed}").content.decode()
    assert f'film.mp4{begins}"' in text


def test_panel_of_figures_leads_to_where_viewers_leave(owner: Client, video: str) -> None:
    assert f'href="/dashboard/analytics/lessons/?video={video}"' in read_page(owner, f"/dashboard/videos/{video}/")


def test_facts_are_written_for_people(owner: Client, video: str) -> None:
    text = read_page(owner, f"/dashboard/videos/{video}/")
    assert "7:06" in text and "640 x 360" in text and "133 MB" in text
    assert video in text and "vz-" in text


def test_the_way_up_leads_through_the_folders(owner: Client, cast: dict[str, Any], video: str) -> None:
    Video.objects.filter(pk=video).update(folder_id=cast["folders"]["nested"])
    text = read_page(owner, f"/dashboard/videos/{video}/")
    assert text.index("Lançamento 2026</a>") < text.index("Redes sociais</a>") < text.index("Vertical 9x16</a>")


def test_each_panel_says_what_is_known(owner: Client, cast: dict[str, Any]) -> None:
    text = read_page(owner, f"/dashboard/videos/{cast['videos']['with_ai_content']}/")
    for title in ("Subtitles", "AI content", "A/B tests", "Custom fields", "Chat", "Analytics", "Embed code"):
        assert f">{title}</h2>" in text
    assert "Mind map" in text and "Chat shown" in text


def test_the_tests_it_stands_in_are_named_with_its_letter(owner: Client) -> None:
    test = Comparison.objects.prefetch_related("variants").first()
    assert test is not None
    first = test.variants.all()[0]
    text = read_page(owner, f"/dashboard/videos/{first.video_id}/")
    assert test.name in text and "Variant A" in text


def test_the_embed_code_can_be_copied_and_shows_the_platforms_player(owner: Client, video: str) -> None:
    text = one_line(owner.get(f"/dashboard/videos/{video}/").content.decode())
    assert "&lt;iframe id=&quot;player-" in text
    assert "http://testserver/sandbox/media/player/embed/" in text
    assert 'data-copy data-copy-field="embed"' in text


def test_a_title_cannot_break_out_of_the_embed_code() -> None:
    record = Record.from_json({"title": '"><script>', "video_player": "https://player.example/?v=1&l=2"})
    assert '"><script>' not in detail.embed_code(record, str)


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("CONVERTING", "still converting"),
        ("FAILED", "could not convert"),
        ("DRAFT", "is a draft"),
        ("NEW", "no file to play"),
    ],
)
def test_what_cannot_be_played_says_why(owner: Client, video: str, status: str, sentence: str) -> None:
    Video.objects.filter(pk=video).update(status=status, playable=False)
    text = read_page(owner, f"/dashboard/videos/{video}/")
    assert sentence in text and "<video" not in text


def test_without_a_file_the_platforms_player_is_framed_and_let_in_by_the_policy(
    owner: Client, video: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = {
        "id": video,
        "status": "CONVERTED",
        "playable": True,
        "video_player": "https://player-vz-1.example/embed/?v=1",
        "video_hls": "https://b.example/list.m3u8",
    }
    answer_with(monkeypatch, lambda _request: theirs, "videos.get")
    forget()
    answer = owner.get(f"/dashboard/videos/{video}/")
    assert '<iframe src="https://player-vz-1.example/embed/?v=1"' in answer.content.decode()
    later = owner.get(f"/dashboard/videos/{video}/?t=205").content.decode()
    assert '<iframe src="https://player-vz-1.example/embed/?v=1&amp;startTime=205"' in later
    assert "frame-src 'self' https://player-vz-1.example" in answer["Content-Security-Policy"]


@pytest.mark.parametrize(
    "operation", ["videos.subtitles", "custom_fields.list", "comparisons.list", "analytics.general"]
)
def test_a_panel_that_fails_says_so_alone(owner: Client, video: str, faults: ModuleType, operation: str) -> None:
    forget()
    faults.set(operation, status=500)
    text = read_page(owner, f"/dashboard/videos/{video}/")
    assert text.count("notice--warning") == 1
    assert "<video controls" in text


def test_a_platform_without_a_list_of_assistants_shows_no_chat_panel(
    owner: Client, video: str, faults: ModuleType
) -> None:
    forget()
    faults.set("assistants.list", status=404)
    assert ">Chat</h2>" not in read_page(owner, f"/dashboard/videos/{video}/")


def test_a_late_panel_leaves_a_place_that_fetches_itself(owner: Client, video: str, late: Callable[..., None]) -> None:
    late("subtitles")
    fetch = f"/dashboard/videos/{video}/panels/subtitles/"
    text = read_page(owner, f"/dashboard/videos/{video}/")
    assert f'hx-get="{fetch}" hx-trigger="load"' in text and f'<a href="{fetch}">' in text
    part = owner.get(fetch, headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith("<section") and "German" in part and "hx-trigger" not in part
    assert "German" in owner.get(fetch).content.decode(), "as a page without script"


def test_a_panel_nobody_registered_is_no_page(owner: Client, video: str) -> None:
    assert owner.get(f"/dashboard/videos/{video}/panels/secrets/").status_code == 404


def test_another_feature_adds_its_panel_and_may_leave_it_out(
    owner: Client, video: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(request: OwnerRequest, video_id: UUID) -> None:
        assert str(video_id) == video

    monkeypatch.setitem(PANELS, "subtitles", VideoPanel("subtitles", "Subtitles", "videos/_subtitles.html", 1, nothing))
    assert 'id="panel-subtitles"' not in read_page(owner, f"/dashboard/videos/{video}/")


@pytest.mark.parametrize("part", ["", "panels/subtitles/", "panels/analytics/"])
def test_another_accounts_video_is_not_found(owner: Client, cast: dict[str, Any], part: str) -> None:
    assert owner.get(f"/dashboard/videos/{cast['videos']['other_account']}/{part}").status_code == 404


def test_what_one_account_read_is_not_shown_to_another(client: Client, cast: dict[str, Any], video: str) -> None:
    first = signed_in(Client(), cast["tokens"]["owner"])
    assert read_page(first, f"/dashboard/videos/{video}/")
    second = signed_in(client, cast["tokens"]["other"])
    assert second.get(f"/dashboard/videos/{video}/").status_code == 404


def test_a_refused_token_leads_to_sign_in_also_from_a_panel(owner: Client, video: str, faults: ModuleType) -> None:
    forget()
    faults.set("comparisons.list", status=401)
    assert owner.get(f"/dashboard/videos/{video}/")["Location"].startswith("/sign-in/")


@pytest.mark.parametrize(("fault", "status"), [(429, 503), (500, 502)])
def test_a_video_that_cannot_be_read_leaves_the_frame_with_its_ways_on(
    owner: Client, cast: dict[str, Any], faults: ModuleType, fault: int, status: int
) -> None:
    forget()
    faults.set("videos.get", status=fault)
    answer = owner.get(f"/dashboard/videos/{cast['videos']['plain']}/")
    assert answer.status_code == status
    text = answer.content.decode()
    assert 'id="palette"' in text and f'href="/dashboard/videos/{cast["videos"]["plain"]}/">Try again<' in text
