"""The proofs of what is assumed about AI credits and AI content."""

from typing import Any

import httpx
import pytest

from dashboard.ai_content.ebook_html import render_for_player
from dashboard.ai_content.rules import mindmap, package, quiz
from dashboard.platform_api.errors import CallError
from tests.platform_api.conftest import Answering, Recorder
from tests.platform_api.operations import OPERATIONS, VIDEO
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


@proves("PACKAGE_MINDMAP")
def _(answering: Answering, recorder: Recorder) -> None:
    topics: list[Any] = [
        {"text": "Beans", "time": "00:02:48.075", "children": []},
        {"text": "Water", "time": 7, "children": []},
    ]
    file = ask(answering, "ai_workflow.read_package", {"mindmap": {"theme": "Coffee", "children": topics}})
    shape = mindmap.find_shape(file.data["mindmap"])
    assert shape is not None and shape.is_platform
    nodes = [*mindmap.walk(mindmap.build_tree(file.data["mindmap"], shape))]
    assert [(node.label, mindmap.parse_time(node.time)) for node in nodes] == [
        ("Coffee", None),
        ("Beans", 168.075),
        ("Water", 7),
    ]


@proves("PACKAGE_PLAYER")
def _(answering: Answering, recorder: Recorder) -> None:
    assert render_for_player("#### A *b*")[0].lost == ("heading", "em")
    right: list[Any] = [{"text": "a", "correct": False}, {"text": "b", "correct": True}, {"text": "c", "correct": True}]
    (finding,) = quiz.lint_quiz({"questions": [{"enunciate": "?", "options": right}]})
    assert (finding.code, finding.option) == (quiz.FindingCode.SEVERAL_CORRECT, 1)


@proves("PACKAGE_EXPLANATION")
def _(answering: Answering, recorder: Recorder) -> None:
    assert quiz.parse_question({"enunciate": "?", "options": [], "explanation": "Because."}).explanation == "Because."


@proves("PACKAGE_SIZE")
def _(answering: Answering, recorder: Recorder) -> None:
    with pytest.raises(CallError) as refused:
        OPERATIONS["ai_workflow.save_package"].call(answering(httpx.Response(413, text="request entity too large")))
    assert refused.value.status == 413 and "too large" in refused.value.message
    assert package.BODY_MOST == 10_485_760
