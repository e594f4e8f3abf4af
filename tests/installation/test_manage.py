"""DEBUG is decided in one place: off, unless it is set or a development command runs."""

import os
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {"backup", "doctor", "init_env", "keep_referrals", "restore", "rotate_keys"}
OURS = {path.stem for path in (ROOT / "dashboard").glob("**/management/commands/*.py") if path.stem != "__init__"} | {
    path.stem for path in (ROOT / "review_portal").glob("**/management/commands/*.py") if path.stem != "__init__"
}


@pytest.fixture
def debug_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str | None]:
    """What DEBUG is when Django takes over from manage.py, or None where it is unset."""
    monkeypatch.setattr("django.core.management.execute_from_command_line", lambda argv: None)

    def run(*words: str, **variables: str) -> str | None:
        with pytest.MonkeyPatch.context() as here:
            here.delenv("DEBUG", raising=False)
            for name, value in variables.items():
                here.setenv(name, value)
            here.setattr(sys, "argv", ["manage.py", *words])
            runpy.run_path(str(ROOT / "manage.py"), run_name="__main__")
            return os.environ.get("DEBUG")

    return run


@pytest.mark.parametrize("command", ["demo", "cast", "sandbox", "runserver", "test", "makemigrations", "messages"])
def test_a_development_command_runs_with_debug_on(debug_of: Callable[..., str | None], command: str) -> None:
    assert debug_of(command) == "on"
    assert debug_of(command, DEBUG="off") == "off", "what is set wins"


@pytest.mark.parametrize(
    "command", ["migrate", "collectstatic", "check", "clearsessions", "worker", *sorted(PRODUCTION)]
)
def test_any_other_command_runs_as_production_does(debug_of: Callable[..., str | None], command: str) -> None:
    assert debug_of(command) is None
    assert debug_of(command, DEBUG="on") == "on", "what is set wins"


def test_no_command_of_ours_is_left_undecided() -> None:
    development = runpy.run_path(str(ROOT / "manage.py"), run_name="looked at")["DEVELOPMENT"]
    assert PRODUCTION <= OURS and PRODUCTION.isdisjoint(development)
    assert OURS - PRODUCTION - development <= {"worker", "probe"}
