"""What other features know of every video: a fact that nobody has read is unknown, and never the opposite."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.accounts.models import Account
from dashboard.analytics.models import TrafficDay, TrafficVideo
from dashboard.analytics.traffic_history import get_yesterday
from dashboard.assistants.models import Switch
from dashboard.custom_fields.models import Field, Reading
from dashboard.sandbox.models import Video
from dashboard.upstream import page_sources, parallel, store
from dashboard.upstream.library import load_selection
from dashboard.videos import prepared
from tests import forgetting
from tests.answering import answer_with
from tests.conftest import AtPlatform
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def account(account: Account) -> Account:
    """The owner's account, whose list is known."""
    load_selection(account, "")
    return account


def ids(account: Account, query: str) -> set[str]:
    selection = load_selection(account, query)
    assert not selection.problem
    return set(selection.ids)


def rank(*counts: int) -> list[dict[str, Any]]:
    """So many plays and views of as many videos of the owner."""
    organization = Video.objects.filter(title="How we roast").values_list("organization", flat=True)[0]
    videos = Video.objects.filter(organization=organization).order_by("pk").values_list("pk", flat=True)
    return [{"video_id": str(pk), "play": count, "view": count} for pk, count in zip(videos, counts, strict=False)]


def test_ranking_that_may_be_cut_tells_nothing_of_the_other_videos(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, lambda _request: {"data": rank(9, 8, 7, 6, 5)}, "analytics.ranking")
    forget()
    prepared.refresh(account)
    assert len(ids(account, "plays>5")) == 4
    assert len(ids(account, "plays<6")) == 1, "the others may have any number"
    assert not load_selection(account, "plays<6").complete


@pytest.mark.parametrize("counts", [(9, 8, 7, 6), (9, 8, 7, 6, 0)])
def test_ranking_that_is_whole_says_that_the_others_have_none(
    account: Account, monkeypatch: pytest.MonkeyPatch, counts: tuple[int, ...]
) -> None:
    answer_with(monkeypatch, lambda _request: {"data": rank(*counts)}, "analytics.ranking")
    forget()
    prepared.refresh(account)
    selection = load_selection(account, "plays<6")
    assert selection.complete and len(selection.ids) == 75 - 4


def test_plays_fall_or_rise_only_where_both_periods_are_known(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    yesterday = get_yesterday().isoformat()
    now, before = rank(5, 5, 5), rank(9, 5, 1)
    answer_with(
        monkeypatch, lambda request: {"data": now if yesterday in str(request.query) else before}, "analytics.ranking"
    )
    forget()
    prepared.refresh(account)
    assert ids(account, "plays:falling") == {now[0]["video_id"]}
    assert ids(account, "plays:rising views:rising") == {now[2]["video_id"]}


def test_traffic_is_that_of_videos_read_lately(account: Account, cast: dict[str, Any]) -> None:
    video, day = cast["videos"]["plain"], get_yesterday()
    TrafficVideo.objects.create(account=account, video_id=video, last_day=day, read_at="2026-01-01T00:00Z")
    TrafficDay.objects.create(account=account, video_id=video, day=day, bytes=12_000_000_000)
    assert ids(account, "traffic>10GB") == {video}
    assert ids(account, "traffic<=10GB") == set(), "the others were never read"


def test_chat_that_nobody_has_read_is_unknown_and_neither_shown_nor_hidden(account: Account) -> None:
    video = next(iter(ids(account, "chat:unknown")))
    assert video not in ids(account, "chat:shown") | ids(account, "chat:hidden") | ids(account, "-chat:shown")
    Switch.objects.create(account_id=account.pk, assistant_id="a", video_id=video, visible=False)
    assert video in ids(account, "chat:hidden") and video not in ids(account, "chat:unknown")


def test_fields_are_complete_once_all_were_read(account: Account, cast: dict[str, Any]) -> None:
    video = cast["videos"]["plain"]
    Field.objects.create(
        account_id=account.pk, video_id=video, title="", field_id="1", key="Curso", value="Barista 2026",
        read_at="2026-01-01T00:00Z",
    )  # fmt: skip
    assert ids(account, "field.curso:barista has:fields") == {video}
    assert ids(account, "-has:fields") == set(), "nobody knows"
    Reading.objects.create(account_id=account.pk, started_at="2026-01-01T00:00Z", finished_at="2026-01-01T00:00Z")
    assert len(ids(account, "-has:fields")) == 74


def test_comments_of_a_video_whose_links_were_not_looked_up_are_unknown(owner: Client, account: Account) -> None:
    assert ids(account, "comments:none") == ids(account, "comments:open") == set()
    owner.get("/dashboard/")  # looks up the links of the newest videos
    opened, none = ids(account, "comments:open"), ids(account, "comments:none")
    assert opened and none and opened.isdisjoint(none)
    assert ids(account, "comments>0") >= opened
    assert opened <= ids(account, "has:review-link")


def test_list_that_was_read_again_after_it_was_forgotten_is_not_replaced_by_the_old_one(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "LARGE", 10)
    prepared.refresh(account)
    Video.objects.filter(title="How we roast").delete()
    store.forget_account(account.pk)
    monkeypatch.setattr(
        page_sources, "begin_work", lambda *_args, **_more: None
    )  # what makes the shared one anew is late
    for _look in ("the first", "the next"):
        found = prepared.load_prepared(account)
        assert found is not None and "How we roast" not in {entry.title for entry in found.catalog.entries}


def test_what_is_known_beside_the_list_is_loaded_once_and_while_the_list_is_out(
    account: Account, monkeypatch: pytest.MonkeyPatch, at_platform: AtPlatform
) -> None:
    meanwhile: list[CaptureQueriesContext] = []

    def look_beside(_request: object) -> None:
        with CaptureQueriesContext(connection) as statements:
            here.prepare()
        meanwhile.append(statements)

    def count_looks(statements: CaptureQueriesContext) -> int:
        return sum('FROM "assistants_switch"' in query["sql"] for query in statements.captured_queries)

    at_platform.arrives("videos.list", look_beside)
    monkeypatch.setattr(page_sources, "begin_work", lambda *_args, **_more: None)
    forget()
    here = parallel.begin_visit()
    with CaptureQueriesContext(connection) as statements:
        found = prepared.load_prepared(account)
    here.end()
    forgetting.forget_visit()
    assert found is not None and found.catalog.entries
    assert count_looks(statements) == count_looks(meanwhile[0]) == 1
