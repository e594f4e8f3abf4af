"""What can be undone: every write whose opposite the platform takes, and nothing else."""

from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.recorder import UNDO, NotUndone, list_names

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

TAKEN_BACK = {
    "comment status": ("public_review.update_comment", {"comment_id": "c", "session": "reviewer", "status": "open"}),
    "comment text": ("public_review.update_comment", {"comment_id": "c", "session": "owner", "text": "Before"}),
    "custom field": ("custom_fields.update", {"video_id": "v", "field_id": "f", "key": "color", "value": "red"}),
    "chat visibility": ("assistants.update_chat_visibility", {"chat_is_visible": False}),
    "A/B name and description": ("comparisons.update", {"name": "Before", "description": ""}),
    "AI content version": ("ai_workflow.save_package", {"version": 1}),
}


@pytest.mark.parametrize("what", TAKEN_BACK)
def test_it_is_offered_for_what_can_be_sent_again(owner: Client, account: Account, what: str) -> None:
    operation, before = TAKEN_BACK[what]
    fields: dict[str, Any] = {"outcome": Outcome.DONE, "before": before, "after": before}
    entry = Entry.objects.create(account_id=account.pk, actor="Ana", operation=operation, target="t", **fields)
    assert f"/{entry.pk}/undo/" in owner.get("/dashboard/activity/").content.decode()


def test_nothing_else_is_undone() -> None:
    assert set(UNDO) == {operation for operation, _before in TAKEN_BACK.values()}
    assert set(UNDO) <= set(list_names())


def test_the_address_of_an_undo_leads_to_its_entry_and_does_nothing(owner: Client, account: Account) -> None:
    """Whoever switches the language beside a shown request opens it."""
    operation, before = next(iter(TAKEN_BACK.values()))
    fields: dict[str, Any] = {"outcome": Outcome.DONE, "before": before, "after": before}
    entry = Entry.objects.create(account_id=account.pk, actor="Ana", operation=operation, target="t", **fields)
    assert owner.get(f"/dashboard/activity/{entry.pk}/undo/")["Location"] == f"/dashboard/activity/{entry.pk}/"
    assert Entry.objects.count() == 1


def test_a_rehearsal_that_would_send_nothing_says_so(
    owner: Client, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(UNDO, "tests.write", lambda request, entry: None)
    entry = Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="tests.write", outcome=Outcome.DONE, before={}
    )
    page = owner.post(f"/dashboard/activity/{entry.pk}/undo/", {"_dry_run": "1"}, follow=True).content.decode()
    assert "Nothing would be sent: it is as it was." in page
    assert "Show the request" in page


def test_a_reason_of_our_own_is_said_as_ours(owner: Client, account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(request: Any, entry: Entry) -> None:
        raise NotUndone("It was changed again since.")

    monkeypatch.setitem(UNDO, "tests.write", refuse)
    entry = Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="tests.write", outcome=Outcome.DONE, before={}
    )
    page = owner.post(f"/dashboard/activity/{entry.pk}/undo/", follow=True).content.decode()
    assert "It was changed again since." in page
    assert "The platform says" not in page
