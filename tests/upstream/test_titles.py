"""Titles of videos that an answer names by an id alone: by their own id, or by the external one of players and public files."""

from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.analytics.rules import parse_ranking
from dashboard.platform_api.analytics import Analytics
from dashboard.sandbox.models import Video
from dashboard.upstream.library import known_titles, known_videos, name_videos
from tests.answering import change_answers
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def titles(*ids: str) -> dict[str, str]:
    return known_titles(Account.objects.get().pk, ids)


def test_title_is_known_by_the_external_id_once_the_library_was_listed(owner: Client, cast: dict[str, Any]) -> None:
    own, external = cast["videos"]["plain"], cast["external_ids"]["plain"]
    assert titles(own, external) == {}
    owner.get("/dashboard/videos/")
    title = Video.objects.get(pk=own).title
    assert titles(own, external, str(uuid4())) == {own: title, external: title}
    assert known_videos(Account.objects.get().pk, [external]) == {external: (own, title)}


def test_title_is_known_by_the_external_id_of_a_video_that_was_opened_where_none_are_listed(
    owner: Client, cast: dict[str, Any], faults: ModuleType
) -> None:
    faults.set("videos.list", status=404)
    own, external = cast["videos"]["plain"], cast["external_ids"]["plain"]
    owner.get(f"/dashboard/videos/{own}/")
    title = Video.objects.get(pk=own).title
    assert titles(external) == {external: title}
    assert known_videos(Account.objects.get().pk, [external]) == {external: (own, title)}


def test_external_id_of_another_account_s_video_has_no_title(owner: Client, cast: dict[str, Any]) -> None:
    owner.get("/dashboard/videos/")
    other = cast["external_ids"]["other_account"]
    assert titles(other) == {}
    second = signed_in(Client(), cast["tokens"]["sub_account"])
    second.get("/dashboard/videos/")
    accounts = list(Account.objects.all())
    assert len(accounts) == 2
    assert [known_titles(account.pk, [other, cast["videos"]["other_account"]]) for account in accounts] == [{}, {}]


def test_ranking_that_names_a_video_by_its_external_id_gets_its_title_and_leads_to_it(
    owner: Client, cast: dict[str, Any]
) -> None:
    owner.get("/dashboard/videos/")
    own, external, unknown = cast["videos"]["plain"], cast["external_ids"]["plain"], str(uuid4())
    table = Analytics.from_json([{"video_id": external, "plays": 9}, {"video_id": unknown, "plays": 3}]).table
    assert table is not None
    first, second = parse_ranking(name_videos(Account.objects.get().pk, table), None)
    assert (first.video_id, first.title) == (own, Video.objects.get(pk=own).title)
    assert (second.video_id, second.title) == (unknown, unknown)


@pytest.mark.parametrize("key", ["video_id", "video_external_id"])
def test_every_page_names_a_video_of_a_ranking_by_its_title_and_leads_to_it_by_its_own_id(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    owner.get("/dashboard/videos/")
    external = [str(video.external_id) for video in Video.objects.all()]
    titles = [video.title for video in Video.objects.all()]

    def name_by_external_id(answer: Any) -> Any:
        return [{key: row["video_external_id"], "play": row["play"], "view": row["view"]} for row in answer["data"]]

    change_answers(monkeypatch, name_by_external_id, "analytics.ranking")
    analytics = ("", "ranking/", "retention/", "why/videos/?metric=plays", "why/rate/videos/", "ranking.csv")
    for page in ("", *(f"analytics/{name}" for name in analytics), "reports/", "reports/?by=video"):
        for _ in range(2):  # what is read beside the page is there the second time
            answer = owner.get(f"/dashboard/{page}", follow=True)
        text = answer.content.decode()
        assert answer.status_code == 200, page
        assert any(title in text for title in titles) and not [own for own in external if own in text], page
