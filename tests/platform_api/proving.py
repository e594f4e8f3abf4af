"""How a row of the assumptions gets its proof, and what the proofs share."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from dashboard.platform_api import errors
from tests.platform_api.conftest import Answering, Recorder
from tests.platform_api.operations import CONFIG, OPERATIONS

Proof = Callable[[Answering, Recorder], None]
PROOFS: dict[str, Proof] = {}


def proves(name: str) -> Callable[[Proof], Proof]:
    def keep(proof: Proof) -> Proof:
        PROOFS[name] = proof
        return proof

    return keep


def ask(answering: Answering, operation: str, value: Any, status: int = 200) -> Any:
    return OPERATIONS[operation].call(answering(httpx.Response(status, json=value)))


def leaves(recorder: Recorder) -> str:
    request = recorder.requests[-1]
    return f"{request.method} {request.url.raw_path.decode()}"


def stays_home(operation: str, answering: Answering, recorder: Recorder) -> None:
    before = len(recorder.requests)
    with pytest.raises(errors.Missing):
        OPERATIONS[operation].call(answering(httpx.Response(200, json=[]), replace(CONFIG, review_reads=False)))
    assert len(recorder.requests) == before


def is_public(operation: str, answering: Answering, recorder: Recorder) -> None:
    """No token leaves, and a refusal says nothing about it."""
    for status in (401, 403, 404):
        with pytest.raises(errors.Missing):
            ask(answering, operation, {}, status)
    assert all("Authorization" not in request.headers for request in recorder.requests)
