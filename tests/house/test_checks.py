"""A wrong variable stops the start, with a code and a hint; a right one says nothing."""

import json
import os
import re
import secrets
import subprocess
import sys
import warnings
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.checks.registry import registry
from django.core.management.utils import get_random_secret_key
from django.test import override_settings

from dashboard import gunicorn, memory
from dashboard.environment import ENOUGH, Environment, MailServer, key_bits, parse_email_url, text_bits
from dashboard.settings import _sqlite
from tests.bytecode import KEPT
from tests.house.sources import assert_none

ROOT = Path(__file__).resolve().parents[2]
SAFE = {
    "DEBUG": "off",
    "SECRET_KEY": "wq0K4yS-mJ9v2Rz_7TnXc5LhUe8PbGd1",
    "TOKEN_KEYS": Fernet.generate_key().decode(),
    "ALLOWED_HOSTS": "reelroom.example",
    "PLATFORM_BASE_URL": "https://api.example",
    "PLATFORM_DATA_URL": "https://data.example",
    "PLATFORM_CONFIG_URL": "https://config.example",
}


def start(**changes: str) -> subprocess.CompletedProcess[str]:
    """Run the production checks in a process of its own with exactly these variables."""
    environment = {"PATH": os.environ["PATH"], **KEPT, **SAFE, **changes}
    return subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )


def test_a_safe_configuration_starts() -> None:
    done = start()
    assert done.returncode == 0, done.stderr


FORMER = Fernet.generate_key().decode()
WEAK_KEYS = {
    "zeros": bytes(32),
    "counted": bytes(range(32)),
    "a word": b"passwordpasswordpasswordpassword",
    "two bytes": b"\xff\x00" * 16,
}
PRODUCTION: dict[str, Any] = {
    "DEBUG": False,
    "LOCAL": False,
    "DEMO": False,
    "SANDBOX": False,
    "SECRET_KEY": SAFE["SECRET_KEY"],
    "SECRET_KEY_FALLBACKS": [],
    "TOKEN_KEYS": [SAFE["TOKEN_KEYS"]],
    "ALLOWED_HOSTS": ["reelroom.example"],
    "CSRF_TRUSTED_ORIGINS": [],
    "CACHE_URL": "",
    "MAIL_SERVER": MailServer(),
    "EMAIL_FROM": "",
    "WAS_READABLE": [],
    "TRUSTED_PROXIES": 1,
    "PLATFORM_EMBEDDED": False,
    "PLATFORM_BASE_URL": "https://api.example",
    "PLATFORM_DATA_URL": "https://data.example",
    "PLATFORM_CONFIG_URL": "https://config.example",
}


def codes(**changes: Any) -> set[str]:
    """The codes that the system checks give with these settings in the place of safe ones."""
    ours = [check for check in registry.get_checks() if check.__module__.startswith("dashboard.")]
    with warnings.catch_warnings(action="ignore", category=UserWarning), override_settings(**PRODUCTION | changes):
        return {str(found.id) for check in ours for found in check(app_configs=None, databases=None)}


MAIL = MailServer("mail.example", 465, tls=True)
HASH, WORD = sha256(b"Tk2-nobody-knows").hexdigest(), sha256(b"changeme").hexdigest()
FERNET_SPECIFICATION = "cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4="
OF_OTHERS = (
    "github.io", "GitHub.io", "herokuapp.com", "blogspot.com.br", "com.br", "co.uk", "netlify.app", "vercel.app", "pages.dev",
    "amazonaws.com", "kawasaki.jp", "公司.cn", "xn--55qx5d.cn", "internal",
)  # fmt: skip
ENDLESS = {f".{domain}": f"https://*.{domain}" for domain in OF_OTHERS}


def as_fernet_key(digits: str) -> str:
    return urlsafe_b64encode(bytes.fromhex(digits)).decode()


def postgresql(at: str, **options: str) -> dict[str, Any]:
    return {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "reelroom", "HOST": at, "OPTIONS": options}}


def redis(address: str) -> dict[str, Any]:
    return {"CACHE_URL": address, "DATABASES": postgresql("localhost")}


UNSAFE: list[tuple[dict[str, Any], str | None]] = [
    ({}, None),
    ({"SECRET_KEY": "missing"}, "E002"),
    ({"SECRET_KEY": "12345678" * 8}, "E002"),
    ({"SECRET_KEY": "abcdefghijklmnopqrstuvwxyz0123456789"}, "E002"),
    ({"SECRET_KEY": "django-insecure-change-me-in-production-please"}, "E002"),
    ({"SECRET_KEY": "thisismysecretkeythatisverylongandnobodywillguess"}, "E002"),
    *(({"SECRET_KEY": key}, "E002") for key in (HASH * 2, HASH + HASH.upper(), f"{HASH}-{HASH}", HASH[:32] * 2)),
    *(({"SECRET_KEY": key}, "E002") for key in (WORD, sha256(WORD.encode()).hexdigest(), f"{WORD}!", "#" * 60)),
    ({"SECRET_KEY": HASH}, None),
    *(({"SECRET_KEY": key}, "E002") for key in (FERNET_SPECIFICATION, f"django-insecure-{SAFE['SECRET_KEY']}")),
    ({"SECRET_KEY_FALLBACKS": [HASH * 2]}, "E015"),
    ({"SECRET_KEY_FALLBACKS": [FERNET_SPECIFICATION]}, "E015"),
    *(
        ({"TOKEN_KEYS": [key]}, "E003")
        for key in (FERNET_SPECIFICATION, "cw/0x689RpI+jtRR7oE8h/eQsKImvJapLeSbXpwF4e4=")
    ),
    *(({"TOKEN_KEYS": [SAFE["TOKEN_KEYS"], as_fernet_key(key)]}, "E003") for key in (HASH[:32] * 2, WORD)),
    ({"TOKEN_KEYS": []}, "E003"),
    ({"TOKEN_KEYS": [SAFE["TOKEN_KEYS"], "not-a-key"]}, "E003"),
    *(({"TOKEN_KEYS": [urlsafe_b64encode(key).decode()]}, "E003") for key in WEAK_KEYS.values()),
    ({"TOKEN_KEYS": [SAFE["TOKEN_KEYS"]], "SECRET_KEY": SAFE["TOKEN_KEYS"]}, "E003"),
    ({"TOKEN_KEYS": [FORMER], "SECRET_KEY_FALLBACKS": [FORMER]}, "E003"),
    ({"SECRET_KEY_FALLBACKS": [FORMER, "12345678" * 8]}, "E015"),
    ({"SECRET_KEY_FALLBACKS": [SAFE["SECRET_KEY"]]}, "E015"),
    ({"SECRET_KEY_FALLBACKS": [FORMER]}, None),
    ({"ALLOWED_HOSTS": []}, "E004"),
    ({"ALLOWED_HOSTS": ["reelroom.example", "*"]}, "E004"),
    ({"ALLOWED_HOSTS": [".com"]}, "E004"),
    ({"ALLOWED_HOSTS": [".com.br"]}, "E004"),
    ({"ALLOWED_HOSTS": ["https://reelroom.example"]}, "E004"),
    ({"ALLOWED_HOSTS": ["reelroom.example:8000"]}, "E004"),
    *(({"ALLOWED_HOSTS": [host]}, "E004") for host in ENDLESS),
    ({"ALLOWED_HOSTS": [".reelroom.example", "[::1]", "10.0.0.3"]}, None),
    ({"ALLOWED_HOSTS": [".reelroom.github.io", "reelroom.herokuapp.com", ".reelroom.com.br", ".video.internal"]}, None),
    ({"PLATFORM_BASE_URL": "http://api.example"}, "E005"),
    ({"PLATFORM_DATA_URL": "https://name:password@data.example"}, "E005"),
    *(({"PLATFORM_DATA_URL": f"https://{user}@data.example"}, "E005") for user in (":p", "", ":", "name")),
    ({"PLATFORM_DATA_URL": "https://data.example:none"}, "E005"),
    ({"PLATFORM_CONFIG_URL": "config.example"}, "E005"),
    ({"PLATFORM_EMBEDDED": True, "PLATFORM_BASE_URL": ""}, "E006"),
    ({"PLATFORM_DATA_URL": ""}, "E008"),
    ({"DEMO": True, "LOCAL": True}, "E009"),
    ({"CSRF_TRUSTED_ORIGINS": ["http://*"]}, "E010"),
    ({"CSRF_TRUSTED_ORIGINS": ["https://*"]}, "E010"),
    ({"CSRF_TRUSTED_ORIGINS": ["https://*.com.br"]}, "E010"),
    ({"CSRF_TRUSTED_ORIGINS": ["http://reelroom.example"]}, "E010"),
    *(({"CSRF_TRUSTED_ORIGINS": [origin]}, "E010") for origin in ENDLESS.values()),
    ({"CSRF_TRUSTED_ORIGINS": ["https://*.github.io:8443"]}, "E010"),
    ({"CSRF_TRUSTED_ORIGINS": ["https://:p@reelroom.example"]}, "E010"),
    ({"CSRF_TRUSTED_ORIGINS": ["https://reelroom.example/page"]}, "E010"),
    ({"CSRF_TRUSTED_ORIGINS": ["https://reelroom.github.io", "https://reelroom.example:8443"]}, None),
    ({"CSRF_TRUSTED_ORIGINS": ["https://*.reelroom.example", "http://localhost:8000"]}, None),
    ({"SANDBOX": True}, "E011"),
    ({"CACHE_URL": "memcached://10.0.0.4"}, "E014"),
    ({"CACHE_URL": "rediss://cache.example:6379/0"}, None),
    ({"MAIL_SERVER": MailServer("mail.example", 465, tls=True), "EMAIL_FROM": ""}, "E025"),
    ({"MAIL_SERVER": MailServer("mail.example", 465, tls=True), "EMAIL_FROM": "Reelroom"}, "E025"),
    ({"MAIL_SERVER": MailServer("mail.example", 465, tls=True), "EMAIL_FROM": "Reelroom <r@mail.example>"}, None),
    *(
        ({"MAIL_SERVER": MAIL, "EMAIL_FROM": sender}, "E025")
        for sender in (
            "Reelroom <r@mail.example>\nBcc: x@mail.example",
            "r@mail.example\n",
            "Reel\rroom <r@mail.example>",
            "r@mail.example, x@mail.example",
        )
    ),
    ({"MAIL_SERVER": MAIL, "EMAIL_FROM": '"Reelroom, é" <r@mail.example>'}, None),
    ({"DATABASES": postgresql("10.0.0.5"), "CACHE_URL": "rediss://cache.example"}, "W030"),
    *(
        ({"DATABASES": postgresql("", host=host), "CACHE_URL": "rediss://cache.example"}, code)
        for host, code in (("db.example", "W030"), ("/run/postgresql", None))
    ),
    ({"DATABASES": postgresql("localhost,db.example"), "CACHE_URL": "rediss://cache.example"}, "W030"),
    ({"DATABASES": postgresql("db.example", sslmode="prefer"), "CACHE_URL": "rediss://cache.example"}, "W030"),
    ({"DATABASES": postgresql("db.example", sslmode="verify-full"), "CACHE_URL": "rediss://cache.example"}, None),
    *(
        ({"DATABASES": postgresql(host), "CACHE_URL": "redis://127.0.0.1"}, None)
        for host in ("", "/run", "::1", "127.0.0.2")
    ),
    (redis("redis://:password@cache.example:6379/0"), "W030"),
    (redis("redis://[::1]:6379"), None),
    (redis("unix:///run/redis.sock"), None),
    ({"MAIL_SERVER": MailServer("mail.example", 25), "EMAIL_FROM": "r@mail.example"}, "W028"),
    ({"MAIL_SERVER": MailServer("localhost", 25), "EMAIL_FROM": "r@mail.example"}, None),
]
"""Settings in the place of safe ones, and the code that they are refused with; none where they are fine."""
WRONG = {
    "PAGE_PATIENCE_MS": ("soon", "reelroom.E001"),
    "EMAIL_FROM": ("Reelroom <r@mail.example>\nBcc: x@mail.example", "reelroom.E001"),
    "WEB_CONCURRENCY": ("0", "reelroom.E001"),
    "DATABASE_URL": ("postgres//reelroom", "reelroom.E001"),
    "EMAIL_URL": ("mail.example", "reelroom.E001"),
    "SECRET_KEY": ("12345678" * 8, "reelroom.E002"),
}
"""Variables that can be wrong at once, with the code of each."""
PROBLEM = re.compile(r"^\?: \((?P<code>reelroom\.E\d+)\) (?P<variable>\w+) .*\n\tHINT: \w", re.MULTILINE)


def test_every_unsafe_setting_is_refused_with_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX", "on")  # on purpose, where a row switches it on
    offenders = []
    for changes, code in UNSAFE:
        told = codes(**changes)
        if told != ({f"reelroom.{code}"} if code else set()):
            offenders.append(f"{changes}: {told} instead of {code}")
    assert_none(offenders)


def test_every_unsafe_variable_stops_the_start_with_its_code_and_a_hint() -> None:
    done = start(**{variable: value for variable, (value, _code) in WRONG.items()})
    problems = {found["variable"]: found["code"] for found in PROBLEM.finditer(done.stderr)}
    assert problems == {variable: code for variable, (_value, code) in WRONG.items()}
    assert done.returncode != 0


def test_a_database_in_memory_stops_the_start() -> None:
    done = start(DATABASE_URL="sqlite://:memory:")
    assert done.returncode != 0
    assert [found["code"] for found in PROBLEM.finditer(done.stderr)] == ["reelroom.E013"]


def test_production_shares_sessions_and_cache_and_runs_sqlite_the_same_way_wherever_its_file_is(tmp_path: Path) -> None:
    program = (
        "import json; from dashboard import settings as s; d = s.DATABASES['default']; "
        "print(json.dumps([s.DEBUG, s.SESSION_ENGINE, s.CACHES['default']['BACKEND'], d['NAME'], d['OPTIONS']]))"
    )
    file = str(tmp_path / "elsewhere.sqlite3")
    environment = {"PATH": os.environ["PATH"], **KEPT, **SAFE, "DATABASE_URL": f"sqlite:///{file}"}
    del environment["DEBUG"]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    *kept, options = json.loads(done.stdout)
    assert kept == [False, "dashboard.accounts.sessions", "dashboard.file_cache.FileCache", file]
    assert options == _sqlite("")["OPTIONS"] and options["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize("address", ["smtps://:p@mail.example", "smtps://@mail.example", "mail.example"])
def test_a_mail_server_with_a_password_and_no_name_is_none(address: str) -> None:
    with pytest.raises(ValueError, match="mail"):
        parse_email_url(address)


@pytest.mark.parametrize(
    ("bind", "where"),
    [
        (None, "127.0.0.1:8000"), ("", "127.0.0.1:8000"), (" ", "127.0.0.1:8000"), (":9000", "127.0.0.1:9000"),
        ("9000", "127.0.0.1:9000"), ("0.0.0.0:8000", "0.0.0.0:8000"), ("unix:/run/reelroom.sock", "unix:/run/reelroom.sock"),
    ],
)  # fmt: skip
def test_the_server_listens_on_this_machine_alone_unless_it_is_told(bind: str | None, where: str) -> None:
    environment = {"PATH": os.environ["PATH"], **KEPT, **({} if bind is None else {"BIND": bind})}
    look = [sys.executable, "-c", "from dashboard import gunicorn; print(gunicorn.bind)"]
    done = subprocess.run(look, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == where


def test_random_secrets_are_strong_however_they_were_made() -> None:
    made = [secrets.token_urlsafe(50), secrets.token_urlsafe(32), secrets.token_hex(32), get_random_secret_key()]
    assert [text for text in made if text_bits(text) < ENOUGH] == []
    assert key_bits(Fernet.generate_key().decode()) >= ENOUGH


def test_the_embedded_platform_in_production_is_allowed_on_purpose() -> None:
    assert start(PLATFORM_BASE_URL="", SANDBOX="on").returncode == 0


def test_a_number_out_of_bounds_is_a_problem_and_counts_as_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("12.5", 12.5, False), ("0", 0.0, False), ("-1", 7.0, True), ("nan", 7.0, True), ("x", 7.0, True)]
    for value, kept, is_problem in rows:
        monkeypatch.setenv("SOME_NUMBER", value)
        environment = Environment()
        assert environment.number("SOME_NUMBER", 7.0, least=0, most=100) == kept, value
        assert ("SOME_NUMBER" in environment.problems) is is_problem, value


def test_a_flag_that_is_neither_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, kept, is_problem in [("on", True, False), ("0", False, False), ("maybe", True, True)]:
        monkeypatch.setenv("SOME_FLAG", value)
        environment = Environment()
        assert environment.flag("SOME_FLAG", default=True) is kept, value
        assert ("SOME_FLAG" in environment.problems) is is_problem, value


def test_what_is_loaded_before_a_worker_is_never_looked_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr("gc.collect", lambda: done.append("collect"))
    monkeypatch.setattr("gc.freeze", lambda: done.append("freeze"))
    monkeypatch.setattr("gc.set_threshold", lambda *objects: done.append(f"from {objects[0]} on"))
    gunicorn.pre_fork(None, None)
    assert gunicorn.preload_app and done == ["collect", "freeze", f"from {memory.YOUNG} on"]


def test_a_worker_waits_for_more_new_objects_before_it_searches_them_for_garbage() -> None:
    look = "import gc; from dashboard import gunicorn; before = gc.get_threshold(); gunicorn.pre_fork(None, None); "
    look += "after = gc.get_threshold(); print(after[0], before[0] < after[0], before[1:] == after[1:])"
    printed = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed.split() == [str(memory.YOUNG), "True", "True"]
