"""The worker beside the server is started again, whatever the server forks at the same moment."""

import os
import subprocess
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_django import Settings

from dashboard import gunicorn


def test_server_forks_nothing_while_it_starts_the_worker(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was forked then held the pipe of the start open, and a worker that was killed never came back."""
    settings.WORKER = True
    is_starting, started_at = threading.Event(), []

    def start(_command: list[str]) -> Any:
        is_starting.set()
        time.sleep(0.3)
        started_at.append(time.monotonic())
        return SimpleNamespace(poll=lambda: None)

    hooks: dict[str, Any] = {}
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(os, "register_at_fork", lambda **given: hooks.update(given))
    gunicorn.when_ready(None)
    assert is_starting.wait(10)
    hooks["before"]()
    assert started_at, "the fork waited"
    hooks["after_in_parent"]()
    assert gunicorn._forks.acquire(timeout=1), "and lets the next start begin"
    hooks["after_in_child"]()
