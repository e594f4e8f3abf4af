"""The activity log is filtered, and a change undone, without script."""

from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.upstream.clients import platform_for
from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_log_is_filtered_and_a_change_is_undone(owner: Client, cast: dict[str, Any]) -> None:
    platform = platform_for(account := Account.objects.get())
    video = str(cast["videos"]["plain"])
    field = platform.custom_fields.list(video)[0]
    platform.custom_fields.update(video, field.id, value="verde")
    place = {"video_id": video, "field_id": field.id, "key": field.key}
    Entry.objects.create(
        account_id=account.pk, outcome=Outcome.DONE, actor="Ana", operation="custom_fields.update", target=video,
        label=field.key, before={**place, "value": field.value}, after={**place, "value": "verde"},
    )  # fmt: skip
    page = PlainBrowser(owner).open("/dashboard/activity/").fill("Name or id", "Colheita").press("Show")
    assert not page.has("a", "Custom field changed")
    page.fill("Name or id", "").press("Show").press("Undo")
    assert "Undone: Custom field changed." in page.text
    assert platform.custom_fields.list(video)[0].value == field.value
