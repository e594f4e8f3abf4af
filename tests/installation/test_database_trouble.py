"""A database that is locked, full or away: an answer that says so in time, and everything typed is still there."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, InterfaceError, OperationalError, connection, connections
from django.test import Client
from django.utils import timezone

from dashboard import installation
from dashboard import settings as project
from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.accounts.sessions import hash_key
from dashboard.databases import Trouble, trouble_of, wait_less_for_locks
from dashboard.sandbox.models import ReviewLink, Video
from tests.conftest import signed_in
from tests.installation.locks import held_by_another_process

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "sandbox"])
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="holds SQLite's lock")
TYPED = '\nCut <b>"né"</b> & 🎬'


@contextmanager
def locked() -> Iterator[None]:
    """Another process holds the lock for writing; we wait a moment for it, not the seconds of production."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    with held_by_another_process(str(connection.settings_dict["NAME"])):
        yield
    connection.close()


@contextmanager
def full() -> Iterator[None]:
    """The database may not grow by a page, and none of it is free."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    yield
    connection.close()  # the limit was the connection's


@pytest.fixture
def owner(client: Client, cast: dict[str, Any]) -> Client:
    client.raise_request_exception = False
    return signed_in(client, cast["tokens"]["owner"])


@pytest.fixture
def room(cast: dict[str, Any]) -> str:
    """The comments of a link that a visitor may write to."""
    closes = timezone.now() + timedelta(days=3)
    link = ReviewLink.objects.create(video=Video.objects.get(pk=cast["videos"]["plain"]), name="Cut", expires_at=closes)
    return f"/{link.pk}/comments"


def own_account() -> str:
    return f"/accounts/{Account.objects.get().pk}/"


def fields(page: str) -> dict[str, str]:
    """What a browser would send again: it drops the first line break of a text area."""
    found = re.findall(r'<textarea name="([^"]+)" hidden>\n?([^<]*)</textarea>', page)
    return {name: unescape(value) for name, value in found}


@on_sqlite
def test_a_locked_database_is_a_503_with_what_was_typed_which_can_be_sent_again(
    owner: Client, caplog: pytest.LogCaptureFixture
) -> None:
    action = own_account()
    with locked():
        answer = owner.post(f"{action}?from=list", {"name": TYPED, "parent": "", "token": "never-on-a-page"})
    page = answer.content.decode()
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "Reelroom’s database is busy" in page and "What you typed is kept on this page." in page
    assert fields(page) == {"name": TYPED, "parent": ""}
    assert f'<form action="{action}?from=list" method="post">' in page
    assert "never-on-a-page" not in page and "<b>" not in page
    (line,) = [record.getMessage() for record in caplog.records if record.name == "dashboard.databases"]
    assert line == "locked: database is locked (POST accounts:account)"
    assert "Cut" not in caplog.text
    assert owner.post(action, fields(page)).status_code == 302, "still signed in, and the form is whole"
    assert Account.objects.get().name == TYPED.strip()


@on_sqlite
def test_a_full_disk_is_a_503_that_says_who_can_help(owner: Client, room: str) -> None:
    owner.get(room.removesuffix("/comments"))
    typed = {"key": "5f7e2d0c-3c4c-4a55-9d0e-0d2f6b1f7a11", "user_name": "Ana", "text": "á" * 500, "time": "0:01"}
    with full():
        answers = [owner.post(room, typed | {"key": typed["key"][:-1] + end}) for end in "123456789"]
    refused = [answer for answer in answers if answer.status_code == 503]
    assert refused and {answer.status_code for answer in answers} <= {302, 303, 503}
    page = refused[0].content.decode()
    assert refused[0].headers["Retry-After"] == "60"
    assert "Reelroom’s disk is full" in page and "tell the administrator of this installation" in page
    assert fields(page)["text"] == typed["text"]
    assert owner.post(room, fields(page)).status_code in {302, 303}


@on_sqlite
def test_the_page_speaks_the_readers_language(owner: Client) -> None:
    action = own_account()
    with locked():
        for language, heading in {"pt-br": "O banco de dados do Reelroom está ocupado", "es": "ocupada"}.items():
            owner.cookies["language"] = language
            assert heading in owner.post(action, {"name": "x"}).content.decode()


@on_sqlite
def test_an_htmx_request_gets_a_notice_and_its_page_keeps_the_form(owner: Client) -> None:
    action = own_account()
    with locked():
        answer = owner.post(action, {"name": "Typed"}, headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert answer.status_code == 503 and text.startswith('<div class="toast" role="alert">')
    assert "Reelroom’s database is busy" in text and "<html" not in text and "Typed" not in text


@on_sqlite
def test_a_session_that_cannot_be_kept_is_told_like_any_other_change(owner: Client) -> None:
    """Django alone takes it for a session that somebody else ended, and answers 400."""
    session = owner.session
    session["kept"] = {"action": "/x/", "page": "/dashboard/", "fields": [["note", "n"]], "account": None}
    session.save()
    with locked():
        answer = owner.post("/accounts/kept/discard/", {"why": "typed"})
    assert answer.status_code == 503 and fields(answer.content.decode()) == {"why": "typed"}
    assert "Set-Cookie" not in answer.headers and Session.objects.filter(pk=hash_key(session.session_key)).exists()
    assert "kept" in owner.session


def test_a_database_that_is_away_before_the_view_is_told_too(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(request: Any) -> None:
        raise OperationalError("connection refused") from DriverError("connection refused")

    monkeypatch.setattr(access, "current", refuse)
    answer = owner.get("/dashboard/videos/?search=x")
    page = answer.content.decode()
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert "Reelroom’s database doesn’t answer" in page and 'href="/dashboard/videos/?search=x"' in page
    sent = owner.post("/dashboard/videos/", {"note": "typed"})
    assert fields(sent.content.decode()) == {"note": "typed"}
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.cookies = owner.cookies
    foreign = strict.post("/dashboard/videos/", {"note": "of another site"}).content.decode()
    assert fields(foreign) == {} and "<form" not in foreign, "nobody is offered to send another site's form"
    with_file = owner.post("/x/", {"note": "typed", "file": SimpleUploadedFile("a.csv", b"1")}).content.decode()
    assert fields(with_file) == {} and "<dd>typed</dd>" in with_file and "but not the file" in with_file


@on_sqlite
def test_readiness_says_503_while_another_process_keeps_the_lock_or_the_disk_is_full(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "LOCK_SECONDS", 0.05)
    with held_by_another_process(str(connection.settings_dict["NAME"])):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "locked")
    assert client.get("/readyz").json()["database"] == "ok"
    monkeypatch.setattr(installation, "ROOM", 2**80)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "full")


@on_sqlite
def test_pages_wait_five_seconds_for_a_lock_and_commands_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    of_commands = project._database("sqlite:////tmp/of-a-test.sqlite3")["OPTIONS"]
    assert of_commands["timeout"] == 20
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", of_commands)
    wait_less_for_locks()
    assert connections.settings["default"]["OPTIONS"]["timeout"] == 5, "what new connections are made of"
    assert "wait_less_for_locks()" in (project.BASE_DIR / "dashboard" / "wsgi.py").read_text()
    assert project._database("postgres://a:b@c/d")["OPTIONS"] == {"connect_timeout": 5}


class DriverError(Exception):
    """What a database's own library raises."""

    def __init__(self, text: str, **codes: object) -> None:
        super().__init__(text)
        self.__dict__.update(codes)


def judged(kind: type[Exception], **codes: object) -> Trouble | None:
    error = kind("x")
    error.__cause__ = DriverError("x", **codes)
    return trouble_of(error)


def test_every_kind_of_trouble_is_told_from_mistakes_in_a_statement() -> None:
    away, locked, full = Trouble.AWAY, Trouble.LOCKED, Trouble.FULL
    sqlite = {5: locked, 517: locked, 6: locked, 13: full, 10: away, 778: away, 14: away, 1: None, 11: None, 19: None}
    assert {code: judged(OperationalError, sqlite_errorcode=code) for code in sqlite} == sqlite
    postgresql = {"53100": full, "53300": away, "55P03": locked, "40P01": locked, "57P01": away, "57P03": away}
    postgresql |= {"08006": away, "25006": away, "58030": away, "57014": None, "42P01": None, "23505": None}  # type: ignore[dict-item]  # None: not ours
    assert {state: judged(OperationalError, sqlstate=state) for state in postgresql} == postgresql
    assert (judged(OperationalError, sqlstate=None), judged(InterfaceError)) == (away, away), "no connection"
    assert (judged(DatabaseError), trouble_of(OperationalError("of a test")), trouble_of(None)) == (None, None, None)
