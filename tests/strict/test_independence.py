"""The strict platform knows the specification, not the product; and it takes nothing that is not documented."""

import ast
from pathlib import Path

import pytest

from tests.strict.answers import Call
from tests.strict.platform import StrictPlatform
from tests.strict.world import FIELD, LIVE, SPOKEN, TOKEN, uid

PLATFORM = ("answers.py", "assumed.py", "checks.py", "documented.py", "platform.py", "world.py")
JSON = {"authorization": TOKEN, "content-type": "application/json"}
START = f"/base/lives/{LIVE}/start"


def test_the_strict_platform_imports_nothing_of_the_product() -> None:
    for name in PLATFORM:
        tree = ast.parse((Path(__file__).parent / name).read_text())
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        ours = {module for module in imported if module.partition(".")[0] in ("dashboard", "review_portal", "tests")}
        assert {module for module in ours if not module.startswith("tests.strict")} == set(), name


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (Call("POST", START, [], {"authorization": f"Bearer {TOKEN}"}, None), "Authorization is not as documented"),
        (Call("POST", START, [], {"authorization": TOKEN, "x-account": "1"}, None), "header x-account"),
        (Call("POST", START, [], JSON, {}), "there is a body"),
        (Call("POST", START, [("now", "1")], {"authorization": TOKEN}, None), "query now is not documented"),
        (Call("POST", f"/base/lives/{LIVE}/finish", [], {"authorization": TOKEN}, None), "is not documented"),
        (Call("PUT", f"/base/comparison/636f6d70-{uid(1)[9:]}", [], JSON, {}), "query type is missing"),
        (
            Call("PUT", f"/base/videos/{SPOKEN}", [("custom_fields", ""), ("id", FIELD)], JSON, {"value": "x"}),
            "query custom_fields is ''",
        ),
        (Call("POST", "/base/aiworkflow", [], JSON, {"type": "TRANSCRIPTION"}), "body.video_id is missing"),
        (Call("GET", "/base/organizations/usage", [], {"authorization": TOKEN}, None), "is not documented"),
        (Call("GET", "/base/lives", [("page", "1")], {"authorization": TOKEN}, None), "query page is in no source"),
    ],
)
def test_what_is_not_documented_is_recorded(call: Call, said: str) -> None:
    platform = StrictPlatform()
    platform.answer(call)
    assert platform.wrong and said in platform.wrong[0]


def test_what_is_not_documented_is_not_answered_as_if_it_were() -> None:
    platform = StrictPlatform()
    assert platform.answer(Call("POST", START, [], {"authorization": f"Bearer {TOKEN}"}, None))[0] == 418
    assert platform.world.lives[LIVE]["scheduled_at"], "nothing was started"


def test_a_documented_call_is_taken() -> None:
    platform = StrictPlatform()
    assert platform.answer(Call("POST", START, [], {"authorization": TOKEN}, None)) == (200, {"status": True})
    assert platform.wrong == []
