"""A save is undone from Activity: the version before is sent again, whole, and the request can be looked at first."""

import pytest

from dashboard.activity.models import Entry
from dashboard.ai_content.models import Draft, Version
from tests.ai_content.conftest import Hands
from tests.conftest import undo_shown

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_undo_from_activity_sends_the_version_before(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save()
    entry = Entry.objects.get(operation="ai_workflow.save_package")
    hands.client.post(f"/dashboard/activity/{entry.pk}/undo/")
    assert hands.file["questions"][1]["enunciate"] == "Question number 2?"
    assert Entry.objects.filter(undoes=entry).count() == 1


def test_its_request_is_shown_with_the_whole_package_and_nothing_is_sent_or_kept(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save()
    entry = Entry.objects.get(operation="ai_workflow.save_package")
    before = (Version.objects.count(), Draft.objects.count())
    text = undo_shown(hands.client, entry)
    assert "Question number 2?" in text
    assert "Question number 1?" in text
    assert (Version.objects.count(), Draft.objects.count()) == before
    assert hands.file["questions"][1]["enunciate"] == "Edited?"
    hands.client.post(f"/dashboard/activity/{entry.pk}/undo/")
    assert hands.file["questions"][1]["enunciate"] == "Question number 2?", "and it can still be undone"
