"""What an answer about AI credits becomes: what is not told is not known, and never zero."""

from typing import Any

import pytest

from dashboard.platform_api import errors
from tests.platform_api.conftest import Answering
from tests.platform_api.operations import VIDEO
from tests.platform_api.test_records import THEN, WHEN, result

ENTRY: dict[str, Any] = {
    "id": "c1",
    "type": "sub",
    "status": "completed",
    "amount": "12",
    "created_at": WHEN,
    "video": {"id": VIDEO, "title": "Film"},
    "description": "Transcription",
    "external_transaction_id": None,
}


class TestCredits:
    @pytest.mark.parametrize("wrap", [lambda told: told, lambda told: {"data": told}])
    def test_have_a_balance_and_a_history(self, wrap: Any, answering: Answering) -> None:
        found = result(answering, "credits.history", wrap({"balance": "88.5", "history": [ENTRY]}))
        (entry,) = found.history
        assert (found.balance, entry.type, entry.status, entry.amount) == (88.5, "SUB", "COMPLETED", 12.0)
        assert (entry.created_at, entry.video_id, entry.video_title) == (THEN, VIDEO, "Film")
        assert dict(entry.extra) == {"external_transaction_id": None}

    def test_what_is_not_told_is_not_known(self, answering: Answering) -> None:
        found = result(answering, "credits.history", {"history": [{"id": "c2", "type": "BONUS"}, "c3", 7]})
        assert found.balance is None
        assert [(one.id, one.type, one.amount) for one in found.history] == [
            ("c2", "BONUS", None),
            ("c3", "", None),
            ("7", "", None),
        ]
        assert result(answering, "credits.history", {"balance": 0}).history is None
        assert result(answering, "credits.history", {"balance": 3, "history": []}).history == ()
        assert result(answering, "credits.history", [ENTRY]).balance is None

    def test_the_newest_comes_first_and_a_video_may_be_its_id_alone(self, answering: Answering) -> None:
        older = {**ENTRY, "id": "c0", "created_at": "2026-02-01T00:00:00Z", "video": VIDEO}
        found = result(answering, "credits.history", {"balance": 1, "history": [older, {"id": "c9"}, ENTRY]})
        assert [one.id for one in found.history] == ["c1", "c0", "c9"]
        assert (found.history[1].video_id, found.history[1].video_title) == (VIDEO, "")

    @pytest.mark.parametrize("value", [{}, {"credits": "many"}, {"balance": "some"}, "12"])
    def test_an_answer_with_neither_is_unreadable(self, value: Any, answering: Answering) -> None:
        with pytest.raises(errors.PlatformDown):
            result(answering, "credits.history", value)
