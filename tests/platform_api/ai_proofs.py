"""The proofs of what is assumed about AI credits and AI content."""

from tests.platform_api.conftest import Answering, Recorder
from tests.platform_api.operations import VIDEO
from tests.platform_api.proving import ask, leaves, proves


@proves("CREDITS")
def _(answering: Answering, recorder: Recorder) -> None:
    entry = {"id": "1", "type": "SUB", "status": "COMPLETED", "amount": 3, "created_at": "2026-01-06T10:00:00Z"}
    told = {"balance": 120, "history": [{**entry, "video": {"id": VIDEO, "title": "x"}, "description": "y"}]}
    found = ask(answering, "credits.history", told)
    assert (found.balance, found.history[0].amount, found.history[0].video_id) == (120, 3, VIDEO)
    assert leaves(recorder) == "GET /v2/credits?type=general&start_date=2026-01-05&end_date=2026-02-03"
