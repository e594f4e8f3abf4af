"""Calls cost the same however deep they lie: no loop asks the system for memory with each of its calls."""

import resource
from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from dashboard import memory, middleware
from dashboard.management.commands import worker
from dashboard.upstream import parallel
from dashboard.upstream.parallel import Ready

pytestmark = [
    pytest.mark.django_db,  # threads of the pools may have connections open
    pytest.mark.skipif(not hasattr(resource, "RUSAGE_THREAD"), reason="the system counts no pages by thread"),
]

CALLS = 200
DEPTHS = range(400)
"""Some blocks of 16 kB: at each end of one, a depth is dear."""
BELOW = 4
"""Calls that each round of the loop makes below itself: they need more memory than one depth, so no end of a block is missed."""
FEW = CALLS // 2
"""Pages of memory that the loops of one depth may touch for the first time."""


def _descend(depth: int) -> int:
    return _descend(depth - 1) if depth else 0


def _count_new_pages(depth: int) -> int:
    """Pages of memory that this thread gets while calls are made in a loop, so deep."""
    if depth:
        return _count_new_pages(depth - 1)
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _call_number in range(CALLS):
        _descend(BELOW)
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def _dearest() -> int:
    return max(_count_new_pages(depth) for depth in DEPTHS)


def _call() -> int:
    return memory.call_in_one_block(_dearest)


def _request() -> int:
    counts: list[int] = []

    def view(request: HttpRequest) -> HttpResponse:
        counts.append(_dearest())
        return HttpResponse()

    middleware.keep_calls_in_one_block(view)(RequestFactory().get("/"))
    return counts[0]


def _read_of_a_page() -> int:
    outcome = parallel.gather(patience=30, count=_dearest)["count"]
    assert isinstance(outcome, Ready)
    return int(outcome.value)


def _task_of_the_worker() -> int:
    counts: list[int] = []

    class Runner:
        running = True

        def run(self) -> None:
            counts.append(_dearest())
            self.running = False

    worker._run(Runner())  # type: ignore[arg-type]  # of a runner it needs no more
    return counts[0]


@pytest.mark.parametrize("way", [_call, _request, _read_of_a_page, _task_of_the_worker])
def test_no_depth_of_calls_asks_for_memory_with_each_call(way: Callable[[], int], settings: Settings) -> None:
    settings.READ_SIDE_BY_SIDE = True
    assert way() < FEW


def test_calls_deeper_than_the_block_are_made_all_the_same() -> None:
    assert memory.call_in_one_block(_descend, 400) == 0
    with pytest.raises(RecursionError):
        memory.call_in_one_block(_descend, 100_000)


def test_every_request_runs_in_one_block(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Callable[..., HttpResponse]] = []

    def note(call: Callable[..., HttpResponse], *arguments: HttpRequest) -> HttpResponse:
        calls.append(call)
        return call(*arguments)

    monkeypatch.setattr(memory, "call_in_one_block", note)
    assert client.get("/healthz").status_code == 200
    assert len(calls) == 1
