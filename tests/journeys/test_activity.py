"""The activity log in a real browser: filtered, taken away as a file, undone."""

import csv
from typing import Any

import pytest
from playwright.sync_api import expect

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.upstream.clients import platform_for
from tests.journeys.conftest import FindingsOf, OpenBrowser, sideways

ADDRESS = "/dashboard/activity/"


@pytest.fixture
def video(cast: dict[str, Any]) -> str:
    return str(cast["videos"]["plain"])


def value(video: str) -> str:
    """What the first field of the video says on the platform."""
    return platform_for(Account.objects.get()).custom_fields.list(video)[0].value


def changed(video: str) -> str:
    """A field that was changed here, beside another act of somebody else; gives the value of before."""
    account = Account.objects.get()
    field = platform_for(account).custom_fields.list(video)[0]
    platform_for(account).custom_fields.update(video, field.id, value="verde")
    place = {"video_id": video, "field_id": field.id, "key": field.key}
    of = {"account_id": account.pk, "outcome": Outcome.DONE}
    Entry.objects.create(
        **of, actor="Ana", operation="custom_fields.update", target=video, label=field.key,
        before={**place, "value": field.value}, after={**place, "value": "verde"},
    )  # fmt: skip
    Entry.objects.create(**of, actor="Jonas", operation="lives.start", target="live-1", label="Colheita ao vivo")
    return field.value


def test_it_is_filtered_read_exported_and_undone_by_keyboard(desk: OpenBrowser, axe: FindingsOf, video: str) -> None:
    page = desk()
    before = changed(video)
    page.goto(ADDRESS)
    assert axe(page) + sideways(page) == []
    log = page.get_by_role("region", name="What happened")
    page.get_by_label("Operation").select_option("Custom field changed")
    page.get_by_label("Person").select_option("Ana")
    page.get_by_role("button", name="Show").press("Enter")
    expect(log).not_to_contain_text("Colheita ao vivo")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Export CSV").press("Enter")
    with waiting.value.path().open(encoding="utf-8-sig", newline="") as file:
        assert [row["person"] for row in csv.DictReader(file)] == ["Ana"]
    page.go_back()
    expect(log).to_contain_text("Colheita ao vivo")
    page.go_forward()
    log.get_by_role("link", name="Custom field changed").press("Enter")
    expect(page.locator(".differences__changed")).to_contain_text("verde")
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Undo this change").press("Enter")
    expect(page.get_by_text("Undone: Custom field changed.")).to_be_visible()
    assert value(video) == before
