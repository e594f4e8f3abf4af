"""The overview says things, not rows: what one act made is one entry, and the first steps go by what the account has."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.analytics.charts import format_days
from dashboard.analytics.models import RetentionList, TrafficDay, TrafficList, TrafficVideo, VideoRetention
from dashboard.overview import registry
from dashboard.overview.registry import Rank, Todo
from dashboard.platform_api.request import Request
from dashboard.sandbox.models import Subtitle, Video
from dashboard.shared.ranges import Days
from dashboard.subtitles.gaps import LanguageGap
from dashboard.subtitles.models import Batch
from dashboard.subtitles.rules import Status
from dashboard.upstream.parallel import Ready
from review_portal.models import Comment, ReviewLink
from tests.ab_tests.conftest import people
from tests.answering import answer_with
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.overview.conftest import Offer
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def entries(text: str) -> list[str]:
    """What waits, as text."""
    return text.split('<ul class="todo">')[1].split("</ul>")[0].split("<li")[1:]


def test_everything_of_a_batch_that_failed_is_one_entry(owner: Client) -> None:
    now = timezone.now()
    batch = Batch.objects.create(
        account=Account.objects.get(), actor="Ana", sent_at=now, label="Course", type="x", tier="x"
    )
    for position in range(9):
        batch.cells.create(
            position=position, video_id=f"v{position}", title=f"Lesson {position}", kind="TRANSLATION", lang="fr",
            work=f"w{position}", status=(Status.ERROR if position < 8 else Status.FINISHED).value, ended_at=now,
        )  # fmt: skip
    found = [one for one in entries(read_page(owner, "/dashboard/")) if f"/batches/{batch.pk}/" in one]
    assert len(found) == 1
    assert "8 of 9 subtitles of “Course” failed" in found[0]
    assert "Lesson 0, Lesson 1, Lesson 2 and 5 more" in found[0]


def test_comments_on_several_links_are_one_entry_and_a_decided_test_stands_before_them(
    owner: Client, settings: Any, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLATFORM_REVIEW_READS = True
    order: list[str] = []

    def count_people(request: Request) -> Any:
        order.append(str(request.path[-1]))
        return people(5000, 1300 if order[0] == order[-1] else 1800)

    answer_with(monkeypatch, count_people, "analytics.general")
    read_page(owner, "/dashboard/")
    forget()
    rows = entries(read_page(owner, "/dashboard/"))
    (decided,) = [place for place, row in enumerate(rows) if cast["ab_tests"]["in_progress"] in row]
    (comments,) = [place for place, row in enumerate(rows) if "comments on" in row.lower()]
    assert "is better" in rows[decided] and decided < comments


COSTS = (
    (Rank.TODAY, "an hour in which a live begins does not come back"),
    (Rank.CLOSING, "nor does a review whose link has closed"),
    (Rank.BROKEN, "what failed stays as it is"),
    (Rank.VERDICT, "a decided test sends viewers to what loses"),
    (Rank.ASKED, "people wait"),
    (Rank.QUOTA, "a limit that is near costs nothing yet"),
)
"""By what it costs to wait, the most first."""


@given(st.permutations([rank for rank, _cost in COSTS]))
def test_things_stand_by_what_it_costs_to_wait_in_whatever_order_they_were_found(ranks: list[Rank]) -> None:
    assert set(ranks) == set(Rank), "every kind of thing has its place in the order"
    todos = [Todo(rank, "open", "", rank.name, "/") for rank in ranks]
    collected = registry.build_collection({f"todo {n}": Ready([todo]) for n, todo in enumerate(todos)})
    assert [todo.rank for todo in collected.todos] == [rank for rank, _cost in COSTS]


@given(st.permutations([-50, -3, 1, 20]))
def test_within_a_kind_the_nearest_to_now_stands_first(hours: list[int]) -> None:
    now = timezone.now()
    todos = [Todo(Rank.BROKEN, "open", "", str(hour), "/", at=now + timedelta(hours=hour)) for hour in hours]
    collected = registry.build_collection({"todo x": Ready([*todos, Todo(Rank.BROKEN, "open", "", "never", "/")])})
    assert [todo.title for todo in collected.todos] == ["1", "-3", "20", "-50", "never"]


def test_every_kind_of_thing_has_its_place_on_the_page(owner: Client, settings: Any, cast: dict[str, Any]) -> None:
    """One of each kind, of the features that make it: a live today, links that close, a failed job, comments, a full video."""
    settings.PLATFORM_REVIEW_READS = True
    read_page(owner, "/dashboard/")
    now = timezone.now()
    ReviewLink.objects.update(expires_at=now + timedelta(days=1))
    batch = Batch.objects.create(
        account=Account.objects.get(), actor="Ana", sent_at=now, label="Course", type="x", tier="x"
    )
    batch.cells.create(
        position=0, video_id="v", title="Lesson", kind="TRANSLATION", lang="fr", work="w", status=Status.ERROR.value,
        ended_at=now,
    )  # fmt: skip
    link = ReviewLink.objects.first()
    assert link is not None
    for second in range(26):
        Comment.objects.create(
            link=link, comment_id=uuid4(), user_name="Ana", text="x", status="resolved", time=second, born=1, version=1,
            written_at=now,
        )  # fmt: skip
    rows = entries(read_page(owner, "/dashboard/"))
    kinds = {
        Rank.CLOSING: "review links close by",
        Rank.BROKEN: "failed for “Lesson”",
        Rank.ASKED: "comments on ",
        Rank.QUOTA: " more comments",
    }
    places = {
        rank: [n for n, row in enumerate(rows) if word in row.lower() or word in row] for rank, word in kinds.items()
    }
    assert all(places.values()), places
    ordered = [places[rank] for rank, _cost in COSTS if rank in places]
    assert all(max(first) < min(second) for first, second in pairwise(ordered)), places


def test_what_one_press_would_complete_stands_beside_it(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "One step away" in read_page(owner, "/dashboard/") and 'id="next-steps"' in read_page(owner, "/dashboard/")
    panel = read_page(owner, "/dashboard/").split('id="next-steps"')[1].split("</section>")[0]
    assert "hidden" in panel.split(">")[0], "nothing is known of all videos yet"
    gap = LanguageGap("es", "pt-BR", 38, 0, is_whole=True)
    monkeypatch.setattr("dashboard.subtitles.overview_items.load_gaps", lambda request: (gap,))
    panel = read_page(owner, "/dashboard/").split('id="next-steps"')[1].split("</section>")[0]
    assert "38 videos lack Spanish" in panel and "Plan 38" in panel and "hidden" not in panel.split(">")[0]
    assert 'action="/dashboard/runs/check/"' in panel and 'value="missing:es subtitles:pt-BR"' in panel
    unknown = LanguageGap("es", "pt-BR", 38, 0, is_whole=False)
    monkeypatch.setattr("dashboard.subtitles.overview_items.load_gaps", lambda request: (unknown,))
    assert "38 videos lack" not in read_page(owner, "/dashboard/"), "one press plans all of them or is not offered"


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [(100, 120, "Traffic rose by"), (100, 80, "Traffic fell by"), (100, 104, "")],
)
def test_traffic_that_moved_is_one_step_from_why(owner: Client, before: int, now: int, said: str) -> None:
    account, today = Account.objects.get(), datetime.now(UTC)
    yesterday = today.date() - timedelta(days=1)
    TrafficList.objects.create(account=account, completed_at=today, wanted_at=today)
    TrafficVideo.objects.create(
        account=account, video_id="v", title="Film", read_at=today, listed_at=today, first_day=yesterday - timedelta(55),
        last_day=yesterday,
    )  # fmt: skip
    for day, size in ((yesterday, now), (yesterday - timedelta(28), before), (yesterday - timedelta(55), 1)):
        TrafficDay.objects.create(account=account, video_id="v", day=day, bytes=size * 10**9)
    panel = read_page(owner, "/dashboard/").split('id="next-steps"')[1].split("</section>")[0]
    assert (said in panel if said else "Traffic" not in panel) and (
        ("why/traffic/causes/?start=" in panel) is bool(said)
    )


@pytest.mark.parametrize(("age", "is_shown"), [(1, True), (7, True), (8, False), (None, False)])
def test_lesson_that_loses_the_most_minutes_is_one_step_away_while_its_days_are_recent(
    owner: Client, age: int | None, is_shown: bool
) -> None:
    account, day = Account.objects.get(), None
    if age is not None:
        day = datetime.now(UTC).date() - timedelta(days=age)
    RetentionList.objects.create(account=account, judged_day=day, judged_at=timezone.now(), wanted_at=timezone.now())
    for title, minutes in (("Less", 5.0), ("Most", 90.0)):
        VideoRetention.objects.create(
            account=account, video_id=title, title=title, verdict="loses", minutes=minutes, moment=10.0
        )
    page = read_page(owner, "/dashboard/")
    assert ("“Most” loses the most minutes" in page) is is_shown and "Less" not in page
    if day is not None and is_shown:
        assert f"90 minutes lost, {format_days(Days(day - timedelta(days=27), day))}" in page


def test_open_comments_and_closing_links_are_one_entry_each(owner: Client, settings: Any, cast: dict[str, Any]) -> None:
    settings.PLATFORM_REVIEW_READS = True
    read_page(owner, "/dashboard/")
    ReviewLink.objects.update(expires_at=timezone.now() + timedelta(days=1))
    text = read_page(owner, "/dashboard/")
    rows = entries(text)
    assert sum("review links close by" in row for row in rows) == 1
    assert sum("comments on" in row.lower() for row in rows) == 1


def test_unconfirmed_writes_of_one_kind_are_one_entry(owner: Client) -> None:
    at = timezone.now() - timedelta(minutes=5)
    for name in ("A", "B", "C", "D"):
        entry = Entry.objects.create(
            account_id=Account.objects.get().pk, actor="Ana", label=name, outcome=Outcome.UNCONFIRMED,
            operation="assistants.update_chat_visibility",
        )  # fmt: skip
        Entry.objects.filter(pk=entry.pk).update(at=at)
    found = [one for one in entries(read_page(owner, "/dashboard/")) if "Chat visibility changed" in one]
    assert len(found) == 1 and "4 not confirmed" in found[0] and "and 1 more" in found[0]


def test_the_first_steps_are_judged_by_what_the_account_has(owner: Client, settings: Any) -> None:
    settings.PLATFORM_REVIEW_READS = True
    assert Subtitle.objects.exists() and not Entry.objects.exists()
    read_page(owner, "/dashboard/")  # the newest videos are looked at beside it
    assert "The first three steps" not in read_page(owner, "/dashboard/")


def test_an_account_with_links_and_no_subtitles_is_asked_for_subtitles_alone(
    client: Client, cast: dict[str, Any], settings: Any, offer: Offer
) -> None:
    has_links = registry.Provider(lambda request: [registry.Owned("review_links")])
    offer({"review_links": has_links})
    signed_in(client, cast["tokens"]["owner"])
    assert Video.objects.exists()
    steps = read_page(client, "/dashboard/").split('id="steps-title"')[1].split("</section>")[0]
    assert steps.count("To do") == 1 and steps.count("Done") == 2
