"""A wrong variable stops the start, with a code and a hint; a right one says nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from pytest_django import Settings

from dashboard import checks, gunicorn
from dashboard.environment import Environment

ROOT = Path(__file__).resolve().parents[2]
SAFE = {
    "DEBUG": "off",
    "SECRET_KEY": "k3!" * 20 + "abcdefgh",
    "TOKEN_KEYS": Fernet.generate_key().decode(),
    "ALLOWED_HOSTS": "reelroom.example",
    "PLATFORM_BASE_URL": "https://api.example",
    "PLATFORM_DATA_URL": "https://data.example",
    "PLATFORM_CONFIG_URL": "https://config.example",
}


def start(**changes: str) -> subprocess.CompletedProcess[str]:
    """Run the production checks in a process of its own with exactly these variables."""
    environment = {"PATH": os.environ["PATH"], **SAFE, **changes}
    return subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )


def test_a_safe_configuration_starts() -> None:
    done = start()
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"PAGE_PATIENCE_MS": "soon"}, "reelroom.E001"),
        ({"SECRET_KEY": ""}, "reelroom.E002"),
        ({"TOKEN_KEYS": "not-a-key"}, "reelroom.E003"),
        ({"ALLOWED_HOSTS": "*"}, "reelroom.E004"),
        ({"PLATFORM_BASE_URL": "http://api.example"}, "reelroom.E005"),
        ({"PLATFORM_BASE_URL": ""}, "reelroom.E006"),
        ({"PLATFORM_DATA_URL": ""}, "reelroom.E008"),
    ],
)
def test_an_unsafe_configuration_is_refused_with_its_code(changes: dict[str, str], code: str) -> None:
    done = start(**changes)
    assert done.returncode != 0
    assert code in done.stderr
    assert "HINT" in done.stderr


def test_the_embedded_platform_in_production_is_allowed_on_purpose() -> None:
    assert start(PLATFORM_BASE_URL="", SANDBOX="on").returncode == 0


@pytest.mark.parametrize(
    ("key", "fine"),
    [("missing", False), ("a" * 60, False), ("x7" * 15, False), ("abcdefgh12345678abcdefgh12345678", True)],
)
def test_a_weak_secret_key_is_refused(settings: Settings, key: str, fine: bool) -> None:
    settings.SECRET_KEY = key
    codes = {message.id for message in checks.secrets_are_safe(None)}
    assert ("reelroom.E002" in codes) is not fine


@pytest.mark.parametrize(
    ("value", "kept", "problem"),
    [("12.5", 12.5, False), ("0", 0.0, False), ("-1", 7.0, True), ("nan", 7.0, True), ("x", 7.0, True)],
)
def test_a_number_out_of_bounds_is_a_problem_and_counts_as_the_default(
    monkeypatch: pytest.MonkeyPatch, value: str, kept: float, problem: bool
) -> None:
    monkeypatch.setenv("SOME_NUMBER", value)
    environment = Environment()
    assert environment.number("SOME_NUMBER", 7.0, least=0, most=100) == kept
    assert ("SOME_NUMBER" in environment.problems) is problem


@pytest.mark.parametrize(
    ("value", "kept", "problem"), [("on", True, False), ("0", False, False), ("maybe", True, True)]
)
def test_a_flag_that_is_neither_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, value: str, kept: bool, problem: bool
) -> None:
    monkeypatch.setenv("SOME_FLAG", value)
    environment = Environment()
    assert environment.flag("SOME_FLAG", default=True) is kept
    assert ("SOME_FLAG" in environment.problems) is problem


def test_what_is_loaded_before_a_worker_is_never_looked_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr("gc.collect", lambda: done.append("collect"))
    monkeypatch.setattr("gc.freeze", lambda: done.append("freeze"))
    gunicorn.pre_fork(None, None)
    assert gunicorn.preload_app and done == ["collect", "freeze"]
