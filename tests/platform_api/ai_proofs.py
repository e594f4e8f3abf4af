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


@proves("PACKAGE_GENERATE")
def _(answering: Answering, recorder: Recorder) -> None:
    job = {
        "id": "1",
        "type": "ALL_TEXT_ITEMS",
        "status": "QUEUE",
        "from_lang": "pt-BR",
        "created_at": "2026-01-06T10:00:00Z",
    }
    assert [one.id for one in ask(answering, "ai_workflow.generate_package", job)] == ["1"]
    assert leaves(recorder) == "POST /v2/aiworkflow"
    published = b'{"video_id":"%s","from_lang":"pt-BR","type":"ALL_TEXT_ITEMS"}'
    assert recorder.requests[-1].content == published % VIDEO.encode()
    assert ask(answering, "ai_workflow.generate_package", {"message": "accepted"}) == ()


@proves("PACKAGE_DELETE")
def _(answering: Answering, recorder: Recorder) -> None:
    ask(answering, "ai_workflow.delete_package", {"message": "whatever"})
    assert leaves(recorder) == "DELETE /v2/aiworkflow/aipackage"
    assert recorder.requests[-1].content == b'{"video_id":"%s","lang":"pt-BR","resources":["mindmap"]}' % VIDEO.encode()
