"""What docs/deploy/ has for containers and systemd: whole, without a secret, and of commands and settings that there are.

No builder of images is on the machines that run this: the files are read, and what they run is run without a container.
"""

import io
import re
import runpy
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command, get_commands

from tests.installation.readme import production_blocks

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs" / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name for name, service in SERVICES.items() if service["image"] == "reelroom"}
STEPS = [line for line in (DEPLOY / "Containerfile").read_text().splitlines() if line and not line.startswith("#")]
PLAIN_IMAGE = re.compile(r"[a-z]+:[0-9][\w.-]*|reelroom")
SERVER = "gunicorn dashboard.wsgi -c python:dashboard.gunicorn"


def settings_there_are() -> set[str]:
    return set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "operations.md").read_text(), re.MULTILINE))


def commands() -> Iterator[str]:
    """Everything that is started with our code."""
    yield from (" ".join(SERVICES[name]["command"]) for name in OURS if "command" in SERVICES[name])
    yield from (" ".join(SERVICES[name]["healthcheck"]["test"][1:]) for name in OURS if "healthcheck" in SERVICES[name])
    for unit in DEPLOY.glob("*.service"):
        yield re.findall(r"^ExecStart=/srv/reelroom/\.venv/bin/(.*)$", unit.read_text(), re.MULTILINE)[0]
    yield from (" ".join(re.findall(r'"([^"]+)"', step)) for step in STEPS if step.startswith("CMD"))
    yield from (step.split("&&")[0].removeprefix("RUN .venv/bin/") for step in STEPS if step.startswith("RUN .venv"))


def test_every_command_there_is_can_be_started() -> None:
    found = list(commands())
    assert len(found) == 8 and SERVER in found and SERVER in production_blocks()["Run"]
    for command in found:
        words = command.split()
        if words[:2] == ["python", "manage.py"]:
            assert words[2] in get_commands(), command
        elif words[0] == "python":
            assert (ROOT / words[1]).is_file(), command
        else:
            assert command == SERVER


def test_every_variable_is_a_setting_or_made_for_the_servers_beside(tmp_path: Path) -> None:
    call_command("init_env", str(tmp_path / "env"), "--compose", stdout=io.StringIO())
    made = dict(re.findall(r"^(\w+)=(.*)$", (tmp_path / "env").read_text(), re.MULTILINE))
    used = {name for service in OURS for name in SERVICES[service].get("environment", {})}
    used |= {
        name for unit in DEPLOY.glob("*.service") for name in re.findall(r"^Environment=(\w+)=", unit.read_text(), re.M)
    }
    assert used | set(made) <= settings_there_are() | {"POSTGRES_PASSWORD"}
    wanted = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text()))
    assert wanted <= set(made), "compose takes them out of the .env"
    assert len(made["POSTGRES_PASSWORD"]) == 48
    assert made["DATABASE_URL"] == f"postgres://reelroom:{made['POSTGRES_PASSWORD']}@database/reelroom"
    assert made["CACHE_URL"] == "redis://cache:6379/0"


def test_the_services_have_health_checks_volumes_and_as_little_power_as_they_need() -> None:
    assert set(SERVICES) == {"migrate", "web", "worker", "database", "cache", "proxy"}
    assert {name for name, service in SERVICES.items() if "healthcheck" not in service} == {"migrate"}, "it ends"
    for name, service in SERVICES.items():
        assert PLAIN_IMAGE.fullmatch(service["image"]), name
        assert service.get("ports") is None or name == "proxy", "nothing else is reached from outside"
        assert {mount.split(":")[0] for mount in service.get("volumes", [])} <= set(COMPOSE["volumes"])
        assert set(service.get("depends_on", {})) <= set(SERVICES) and set(service["networks"]) <= set(
            COMPOSE["networks"]
        )
    for name in OURS:
        assert SERVICES[name]["read_only"] and SERVICES[name]["cap_drop"] == ["ALL"]
        assert SERVICES[name]["env_file"] == "../../.env"
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert SERVICES["database"]["networks"] == SERVICES["cache"]["networks"] == ["inside"]
    for name in OURS:
        assert (DEPLOY / SERVICES[name]["build"]["context"]).resolve() == ROOT, "none is looked for elsewhere"
        assert (ROOT / SERVICES[name]["build"]["dockerfile"]).is_file()


def test_the_image_is_made_in_two_stages_by_hashes_and_runs_as_nobody_special() -> None:
    bases = [step.split()[1] for step in STEPS if step.startswith("FROM ")]
    assert len(bases) == 2 and all(PLAIN_IMAGE.fullmatch(base) for base in bases)
    assert any("--require-hashes -r docs/deploy/requirements.txt" in step for step in STEPS)
    last = STEPS[len(STEPS) - 1 - [step.startswith("FROM ") for step in reversed(STEPS)].index(True) :]
    assert [step for step in last if step.startswith("USER ")] == ["USER 10001:10001"]
    assert not any(step.startswith("RUN") for step in last[last.index("USER 10001:10001") :])
    copied = [step.split()[1] for step in STEPS if step.startswith("COPY ") and "--from" not in step]
    assert all((ROOT / source).exists() for source in copied) and not {".", ".env", "tests"} & set(copied)
    assert {".env", ".data", ".git"} <= set((ROOT / ".dockerignore").read_text().split())


def test_no_file_has_a_secret_or_an_address() -> None:
    for file in DEPLOY.iterdir():
        text = file.read_text()
        assert not re.findall(r"(?:PASSWORD|SECRET_KEY|TOKEN_KEYS)(?:: |=)(?!\$\{)\S", text), file.name
        outside = re.findall(r"https?://(?!127\.0\.0\.1[:/])[^\s\"']*", text)
        assert outside == [], file.name


def test_the_units_start_with_the_settings_and_write_into_one_folder() -> None:
    units = {unit.stem: dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.M)) for unit in DEPLOY.glob("*.service")}
    assert set(units) == {"reelroom-web", "reelroom-worker"}
    for unit in units.values():
        assert (unit["User"], unit["EnvironmentFile"]) == ("reelroom", "/srv/reelroom/.env")
        assert (unit["ProtectSystem"], unit["ReadWritePaths"]) == ("strict", "/srv/reelroom/.data")
        assert unit["Restart"] == "always" and unit["NoNewPrivileges"] == "yes" and unit["CapabilityBoundingSet"] == ""


@pytest.mark.loopback
def test_the_health_check_asks_under_a_name_that_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", ".reelroom.example, other.example")
    asked: list[str | None] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.headers["Host"])
            self.send_response(200 if len(asked) == 1 else 503)
            self.end_headers()

        def log_message(self, *words: Any) -> None:
            """Quietly."""

    is_ready = runpy.run_path(str(DEPLOY / "healthy.py"), run_name="read")["web_is_ready"]
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/readyz"
        assert (is_ready(address), is_ready(address)) == (True, False)
        server.shutdown()
    assert not is_ready(address)
    assert asked == ["reelroom.example"] * 2
