"""The overview says things, not rows: what one act made is one entry, and the first steps go by what the account has."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.overview import registry
from dashboard.overview.registry import Rank
from dashboard.sandbox.models import Subtitle, Video
from dashboard.subtitles.models import Batch
from dashboard.subtitles.tracking import Status
from review_portal.models import ReviewLink
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def overview(client: Client) -> str:
    return unescape(client.get("/dashboard/").content.decode())


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
    found = [one for one in entries(overview(owner)) if f"/batches/{batch.pk}/" in one]
    assert len(found) == 1
    assert "8 of 9 subtitles of “Course” failed" in found[0]
    assert "Lesson 0, Lesson 1, Lesson 2 and 5 more" in found[0]


def test_comments_on_several_links_are_one_entry_and_a_decided_test_stands_before_them() -> None:
    assert Rank.CLOSING < Rank.VERDICT < Rank.ASKED < Rank.QUOTA


def test_open_comments_and_closing_links_are_one_entry_each(owner: Client, settings: Any, cast: dict[str, Any]) -> None:
    settings.PLATFORM_REVIEW_READS = True
    overview(owner)
    ReviewLink.objects.update(expires_at=timezone.now() + timedelta(days=1))
    text = overview(owner)
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
    found = [one for one in entries(overview(owner)) if "Chat visibility changed" in one]
    assert len(found) == 1 and "4 not confirmed" in found[0] and "and 1 more" in found[0]


def test_the_first_steps_are_judged_by_what_the_account_has(owner: Client, settings: Any) -> None:
    settings.PLATFORM_REVIEW_READS = True
    assert Subtitle.objects.exists() and not Entry.objects.exists()
    overview(owner)  # the newest videos are looked at beside it
    assert "The first three steps" not in overview(owner)


def test_an_account_with_links_and_no_subtitles_is_asked_for_subtitles_alone(
    client: Client, cast: dict[str, Any], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PROVIDERS", {"review_links": lambda request: [registry.Owned("review_links")]})
    signed_in(client, cast["tokens"]["owner"])
    assert Video.objects.exists()
    steps = overview(client).split('id="steps-title"')[1].split("</section>")[0]
    assert steps.count("To do") == 1 and steps.count("Done") == 2
