"""The doctor says what is unsafe or broken and what to write; init_env makes what it asks for."""

import io
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings as project
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from dashboard import checks, installation
from dashboard.accounts.models import Account, IdentityKey
from dashboard.environment import ENOUGH, MailServer, key_bits, text_bits
from dashboard.installation import missing_static_files
from dashboard.management.commands import doctor as sandbox_doctor
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.platform import question_of
from dashboard.shared import callers
from dashboard.upstream import clients, store
from dashboard.writes import schedule
from dashboard.writes.models import Recurrence
from tests.installation.readme import ROOT, production_blocks

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HOSTS = {"PLATFORM_BASE_URL": "https://api.example", "PLATFORM_DATA_URL": "https://data.example"}
FILES = {
    "PLATFORM_CONFIG_URL": "https://config.example",
    "PLATFORM_SUBTITLES_URL": "https://subtitles.example",
    "PLATFORM_LIVE_CONFIG_URL": "https://config-live.example",
}


@pytest.fixture(autouse=True)
def production(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """A safe installation; the platform's hosts answer."""
    text = _init_env(tmp_path, "--host", "reelroom.example")
    variables = dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))
    settings.SECRET_KEY = variables["SECRET_KEY"]
    settings.TOKEN_KEYS = variables["TOKEN_KEYS"].split(",")
    IdentityKey.objects.all().delete()  # made with the keys of the tests
    settings.ALLOWED_HOSTS = variables["ALLOWED_HOSTS"].split(",")
    settings.LOCAL = settings.SANDBOX = settings.PLATFORM_EMBEDDED = False
    for name, address in {**HOSTS, **FILES}.items():
        setattr(settings, name, address)
    settings.TRUSTED_PROXIES = int(variables["TRUSTED_PROXIES"])
    settings.WAS_READABLE = []
    _platform(monkeypatch, lambda request: httpx.Response(404))
    schedule.take_turn(schedule.RECOVER, schedule.RECOVER_EVERY)
    missing_static_files.cache_clear()
    yield
    missing_static_files.cache_clear()


def _init_env(folder: Path, *words: str) -> str:
    call_command("init_env", str(folder / ".env"), *words, stdout=io.StringIO())
    return (folder / ".env").read_text()


def _platform(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    monkeypatch.setattr(clients, "http", lambda: httpx.Client(transport=httpx.MockTransport(answer)))


def doctor() -> tuple[int, str]:
    """The exit code, and what it says."""
    said = io.StringIO()
    try:
        call_command("doctor", stdout=said)
    except SystemExit as end:
        return int(str(end.code)), said.getvalue()
    return 0, said.getvalue()


def test_the_doctor_finds_nothing_wrong_with_a_safe_installation() -> None:
    code, said = doctor()
    assert (code, said.splitlines()[-1]) == (0, "0 broken, 0 warnings."), said
    assert {line.split()[0] for line in said.splitlines()[:-1]} == {"ok"}
    assert "PLATFORM_CONFIG_URL answers." in said


@pytest.mark.parametrize("ago", [timedelta(seconds=61), -timedelta(days=31)], ids=["ago", "by a clock that ran ahead"])
def test_doctor_warns_of_a_missing_worker_after_a_minute(ago: timedelta) -> None:
    Recurrence.objects.update(due_at=timezone.now() - ago)
    code, said = doctor()
    assert code == 0
    assert "No worker has run in the last minute. (reelroom.W024)" in said


def test_the_doctor_names_what_is_broken_and_what_to_write_and_ends_with_1(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SECRET_KEY = "12345678" * 8
    settings.DEBUG = True

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.host == "data.example":
            raise httpx.ConnectError("no route to host")
        return httpx.Response(200, headers={"date": "Sun, 01 Nov 2020 08:00:00 GMT"})

    _platform(monkeypatch, answer)
    monkeypatch.setattr(staticfiles_storage, "hashed_files", {"css/app.css": "x"}, raising=False)
    code, said = doctor()
    assert code == 1
    for sign in ("E002", "E012", "E020", "E022", "W023"):
        (line,) = re.findall(rf"^(?:broken|warning) .*\(reelroom\.{sign}\)\n         \S.*$", said, re.MULTILINE)[:1]
        assert line
    assert "PLATFORM_DATA_URL does not answer: no route to host" in said
    assert "s ahead of it." in said
    assert settings.SECRET_KEY not in said


def test_no_token_and_no_secret_leaves_with_the_doctors_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200)

    _platform(monkeypatch, answer)
    doctor()
    assert [str(request.url) for request in asked] == [*HOSTS.values(), *FILES.values()]
    assert not any("authorization" in request.headers for request in asked)


def test_doctor_warns_of_each_public_host_that_is_not_set_and_derives_it_from_a_known_video(settings: Settings) -> None:
    settings.PLATFORM_SUBTITLES_URL = settings.PLATFORM_LIVE_CONFIG_URL = ""
    code, said = doctor()
    assert (code, said.splitlines()[-1]) == (0, "0 broken, 2 warnings.")
    assert "PLATFORM_SUBTITLES_URL is not set: subtitles are read through the API only. (reelroom.W031)" in said
    assert "manage.py init_env - --player" in said
    account = Account(name="Serra Alta")
    account.keep_token("token")
    account.save()
    player = "https://player-vz-1a2b3c4d-5e6.tv.example.com/embed/?v=1"
    answer = Answer(200, {}, json.dumps({"videos": [{"id": "1", "video_player": player}]}).encode())
    question = question_of(lambda platform: platform.videos.list())
    store.keep(account.pk, question, answer, timezone.now())
    _code, said = doctor()
    assert "Set PLATFORM_SUBTITLES_URL=https://subtitles.tv.example.com\n" in said
    assert "Set PLATFORM_LIVE_CONFIG_URL=https://config-live.tv.example.com\n" in said


@pytest.mark.parametrize(
    ("player", "config", "subtitles", "live"),
    [
        (
            "https://player-vz-1a2b3c4d-5e6.tv.example.com.br/embed/?v=636f6d70-1",
            "https://config.tv.example.com.br",
            "https://subtitles.tv.example.com.br",
            "https://config-live.tv.example.com.br",
        ),
        ("https://player.example.com.br/embed/?v=1&l=vz-1a2b3c4d-5e6", "", "", ""),
        ("https://[", "", "", ""),
    ],
)
def test_init_env_derives_the_public_hosts_from_a_player_whose_host_tells_them(
    tmp_path: Path, player: str, config: str, subtitles: str, live: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "new").mkdir()
    values = dict(re.findall(r"^(\w+)=(.*)$", _init_env(tmp_path / "new", "--player", player), re.MULTILINE))
    names = ("PLATFORM_CONFIG_URL", "PLATFORM_SUBTITLES_URL", "PLATFORM_LIVE_CONFIG_URL")
    assert tuple(values[name] for name in names) == (config, subtitles, live)
    assert ("does not tell where the public files are" in capsys.readouterr().err) is not bool(config)
    (tmp_path / "other").mkdir()
    text = _init_env(tmp_path / "other", "--player", player, "--subtitles", "https://files.example")
    assert "PLATFORM_SUBTITLES_URL=https://files.example\n" in text


def test_the_example_of_a_sender_is_in_quotes_because_env_is_read_only_up_to_a_line_without(settings: Settings) -> None:
    settings.MAIL_SERVER, settings.EMAIL_FROM = MailServer("mail.example", 465, tls=True), ""
    _code, said = doctor()
    assert 'EMAIL_FROM="Reelroom <reelroom@example.com>"' in said
    page = (ROOT / "docs" / "operations.md").read_text()
    assert not re.search(r'(?<!EMAIL_FROM=")Reelroom <reelroom@', page + said)


def test_init_env_makes_strong_secrets_for_its_owner_alone_and_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    text = _init_env(tmp_path / "new", "--host", "reelroom.example", "--platform", "https://api.example")
    assert (tmp_path / "new" / ".env").stat().st_mode & 0o777 == 0o600
    values = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    assert text_bits(values["SECRET_KEY"]) >= ENOUGH and key_bits(values["TOKEN_KEYS"]) >= ENOUGH
    assert (values["ALLOWED_HOSTS"], values["PLATFORM_BASE_URL"]) == ("reelroom.example", "https://api.example")
    with pytest.raises(CommandError, match="Nothing was written"):
        _init_env(tmp_path / "new")
    assert (tmp_path / "new" / ".env").read_text() == text
    printed = io.StringIO()
    call_command("init_env", "-", stdout=printed)
    assert values["SECRET_KEY"] not in printed.getvalue() and "SECRET_KEY=" in printed.getvalue()


def test_the_page_on_operations_has_every_setting_and_every_code() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    read = re.compile(r"environ(?:ment)?(?:\(\))?\.(?:text|flag|number|choice|words|get)\(\s*\"(\w+)\"")
    sources = [(ROOT / "dashboard" / name).read_text() for name in ("settings.py", "gunicorn.py")]
    variables = {name for source in sources for name in read.findall(source)}
    assert variables - set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set()
    modules = (checks, installation, sandbox_doctor, callers)
    codes = {
        code
        for module in modules
        for code in re.findall(r"\"reelroom\.([EW]\d+)\"", Path(str(module.__file__)).read_text())
    }
    documented = set(re.findall(r"`([EW]\d{3})`", page.split("## What the doctor says")[1]))
    assert codes == documented


def test_readme_has_the_production_commands_that_are_tried() -> None:
    blocks = production_blocks()
    assert set(blocks) == {"Install", "Run"}
    words = " ".join(blocks["Run"].split())
    order = [words.index(step) for step in ("manage.py migrate", "collectstatic", "doctor", "gunicorn dashboard.wsgi")]
    assert order == sorted(order)
    assert "python -m tests.installation --servers" in (ROOT / ".ci" / "run").read_text()
    assert project.BASE_DIR == ROOT
