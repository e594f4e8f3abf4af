"""Back up, break, restore: everything is there again, nobody is signed in, and nothing that was sent meanwhile leaves again."""

import contextlib
import hashlib
import io
import json
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard import backups, installation
from dashboard.accounts.models import Account, Device
from dashboard.accounts.sessions import hash_key
from dashboard.activity.models import Entry, Outcome
from dashboard.sandbox.models import ReviewComment
from dashboard.writes import outbox, recovery, schedule
from dashboard.writes.models import Recurrence, State, Write
from review_portal.models import Comment, Passage, Reviewer
from tests.conftest import signed_in
from tests.moments import replace_time

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "sandbox"])


@pytest.fixture(autouse=True)
def own_database_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The platform is elsewhere, as in production: it does not go back to the time of the backup.

    Nor does this process serve: another test may have loaded the server, which holds its lock as long as the process lives.
    """
    monkeypatch.setattr(backups, "list_databases", lambda: ["default"])
    while installation._held:
        os.close(installation._held.pop())
    yield
    connection.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "backup"


def command(name: str, *words: object) -> str:
    said = io.StringIO()
    call_command(name, *map(str, words), stdout=said)
    return said.getvalue()


def refusal(folder: Path, *words: str) -> str:
    """Why a backup is not restored. The database is what it was."""
    accounts = list(Account.objects.values_list("pk", flat=True))
    with pytest.raises(CommandError) as raised:
        command("restore", folder, *words)
    assert list(Account.objects.values_list("pk", flat=True)) == accounts
    assert str(raised.value).endswith("Nothing was changed.")
    return str(raised.value)


def comment(client: Client, link: str, text: str, *, held: bool = False) -> Write:
    """A visitor's comment; a held one waits for its undo."""
    client.get(f"/{link}")
    typed = {"key": str(uuid.uuid4()), "text": text, "user_name": "Ana", "time": "0:01"}
    answer = client.post(f"/{link}/comments", typed | ({"hold": "1"} if held else {}))
    assert answer.status_code < 400, answer.content.decode()
    return Write.objects.get(request__text=text)


def on_the_platform(text: str) -> int:
    return ReviewComment.objects.filter(text=text).count()


def test_a_restored_backup_has_everything_and_sends_nothing_twice(
    client: Client, cast: dict[str, Any], folder: Path, calls: Callable[[str], int]
) -> None:
    link, owner = cast["review_links"]["open"], signed_in(Client(), cast["tokens"]["owner"])
    comment(client, link, "Sent before")
    held, other = (comment(client, link, text, held=True) for text in ("Held, sent later", "Held, never sent"))
    assert (held.state, other.state) == (State.HELD, State.HELD)
    reviewer = Reviewer.objects.get(pk=held.author)
    Passage.objects.create(reviewer=reviewer, code_hash="c", expires_at=timezone.now() + timedelta(minutes=9))
    command("backup", folder)
    outbox.deliver(held)
    assert on_the_platform("Held, sent later") == 1
    Account.objects.all().delete()
    sent = calls("public_review.create_comment")

    said = command("restore", folder, "--replace")
    assert "Writes that were open then: 2." in said
    assert Account.objects.count() == 1 and Comment.objects.filter(text="Sent before").exists()
    assert not Passage.objects.exists() and not Device.objects.exists()
    assert owner.get("/dashboard/").status_code == 302, "a session that may have been ended since is over"
    writes = {write.pk: write for write in Write.objects.filter(pk__in=(held.pk, other.pk))}
    assert {write.state for write in writes.values()} == {State.UNCONFIRMED}

    Write.objects.update(due_at=timezone.now(), ended_at=timezone.now() - timedelta(minutes=5))
    for write in writes.values():
        write.refresh_from_db()
        recovery.follow(write)
    states = {pk: Write.objects.get(pk=pk).state for pk in writes}
    assert states == {held.pk: State.DONE, other.pk: State.REFUSED}
    assert (on_the_platform("Held, sent later"), on_the_platform("Held, never sent")) == (1, 0)
    assert calls("public_review.create_comment") == sent


def test_activity_says_why_a_restored_write_is_not_confirmed(cast: dict[str, Any], owner: Client, folder: Path) -> None:
    account = Account.objects.get()
    write = Write.objects.create(
        scope=str(account.pk), key=uuid.uuid4(), operation="playlists.delete", account=account, actor="Ana", label="Old",
        request={"playlist_id": cast["playlists"]["own"]}, before={"name": "Old", "videos": []}, due_at=timezone.now(),
    )  # fmt: skip
    command("backup", folder)
    command("restore", folder, "--replace")
    entry = Entry.objects.get(write=write)
    assert (entry.outcome, entry.actor) == (Outcome.UNCONFIRMED, "Ana")
    page = signed_in(Client(), cast["tokens"]["owner"]).get(f"/dashboard/activity/{entry.pk}/").content.decode()
    assert "Reelroom was restored from a backup. This may have been sent after the backup" in page


def test_a_backup_is_its_owners_alone_and_names_no_key(
    cast: dict[str, Any], owner: Client, folder: Path, settings: Settings
) -> None:
    command("backup", folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert [path.name for path in folder.parent.iterdir()] == ["backup"], "nothing unfinished stays"
    manifest = json.loads((folder / "manifest.json").read_text())
    copy = manifest["databases"]["default"]
    assert copy["sha256"] == hashlib.sha256((folder / copy["file"]).read_bytes()).hexdigest()
    assert manifest["token_keys"] == [backups.fingerprint(settings.TOKEN_KEYS[0])]
    text = (folder / "manifest.json").read_text()
    assert settings.SECRET_KEY not in text and settings.TOKEN_KEYS[0] not in text
    with pytest.raises(CommandError, match=r"is not empty\. Nothing was written"):
        command("backup", folder)


KEPT_AND_NOT = ("accounts_account", "django_session")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="pg_dump leaves out by a pattern, which may match nothing")
def test_a_database_of_an_earlier_version_without_devices_is_backed_up_before_it_migrates(
    cast: dict[str, Any], owner: Client, folder: Path
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE accounts_device RENAME TO of_another_version")
    try:
        command("backup", folder)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE of_another_version RENAME TO accounts_device")
    with contextlib.closing(sqlite3.connect(folder / "default.sqlite3")) as copy:
        kept = {table: copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in KEPT_AND_NOT}  # noqa: S608
    assert kept == {"accounts_account": 1, "django_session": 0}


def test_a_backup_has_nobody_signed_in_not_even_in_its_free_pages(
    cast: dict[str, Any], owner: Client, folder: Path
) -> None:
    signed_in(Client(), cast["tokens"]["trial"]).post("/sign-out/")
    gone = [hash_key(f"session {number}") for number in range(300)]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA secure_delete = OFF")  # as some builds have it: the row is gone, its bytes are not
        Session.objects.bulk_create(Session(session_key=key, expire_date=timezone.now()) for key in gone)
        Session.objects.filter(session_key__in=gone).delete()
    stored = [*Session.objects.values_list("pk", flat=True), *Device.objects.values_list("session_key", flat=True)]
    assert len(stored) == 2
    command("backup", folder)
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert not [one for one in (*stored, *gone) if one.encode() in kept]
    assert owner.get("/dashboard/activity/").status_code == 200, "nobody is signed out by it"
    command("restore", folder, "--replace")
    assert Account.objects.count() == 2 and owner.get("/dashboard/activity/").status_code == 302


def test_restore_refuses_what_would_lose_or_break_something(
    cast: dict[str, Any], owner: Client, folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("backup", folder)
    assert "The database is not empty." in refusal(folder)
    keys = settings.TOKEN_KEYS
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    assert "These TOKEN_KEYS cannot read this backup: 1 of the 1" in refusal(folder, "--replace")
    settings.TOKEN_KEYS = [Fernet.generate_key().decode(), *keys]
    backups.check(backups.read_manifest(folder), replace=True, keys_lost=False)
    settings.TOKEN_KEYS = keys

    manifest = json.loads((folder / "manifest.json").read_text())
    default = manifest["databases"]["default"]
    changed: dict[str, dict[str, Any]] = {
        "does not know accounts.9999_later": {"migrations": [*default["migrations"], "accounts.9999_later"]},
        "is of oracle": {"engine": "oracle"},
        "is not as it was written": {"sha256": "0"},
        "is no whole backup": {"file": "missing"},
    }
    for reason, fields in changed.items():
        databases = {"default": {**default, **fields}}
        (folder / "manifest.json").write_text(json.dumps({**manifest, "databases": databases}))
        assert reason in refusal(folder, "--replace")
    (folder / "manifest.json").write_text(json.dumps({**manifest, "format": 2}))
    assert "made by a newer version" in refusal(folder, "--replace")


def test_restore_refuses_while_a_worker_or_a_server_runs(
    cast: dict[str, Any], owner: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("backup", folder)
    moment: list[float] = []
    replace_time(monkeypatch, "dashboard.installation", sleep=moment.append)
    schedule.take_turn(schedule.RECOVER, schedule.RECOVER_EVERY)
    backups.check(backups.read_manifest(folder), replace=True, keys_lost=False)
    assert len(moment) == 1, "its last turn may have been a moment ago"

    def another_turn(_seconds: float) -> None:
        Recurrence.objects.update(due_at=timezone.now() + timedelta(seconds=9))

    replace_time(monkeypatch, "dashboard.installation", sleep=another_turn)
    assert "The product is in use: a worker is running." in refusal(folder, "--replace")
    Recurrence.objects.all().delete()
    if connection.vendor == "sqlite":
        installation.announce()
        assert "A server or a worker is running on this database." in refusal(folder, "--replace")
        os.close(installation._held.pop())
        command("restore", folder, "--replace")


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="breaks a file")
def test_a_restore_that_is_interrupted_leaves_the_database_of_before(
    cast: dict[str, Any], owner: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("backup", folder)
    Account.objects.update(name="Changed since")

    def broken() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(recovery, "doubt_restored", broken)
    with pytest.raises(KeyboardInterrupt):
        command("restore", folder, "--replace")
    assert Account.objects.get().name == "Changed since"
    here = Path(connections["default"].settings_dict["NAME"])
    assert not here.with_name(f"{here.name}.restoring").exists()


def test_a_server_does_not_start_on_a_restore_that_was_not_finished() -> None:
    assert installation.restore_problems() == []
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {installation.UNFINISHED} (number integer)")
        assert [problem.id for problem in installation.restore_problems()] == ["reelroom.E024"]
        with pytest.raises(CommandError, match="A restore was not finished"):
            call_command("worker")
        cursor.execute(f"DROP TABLE {installation.UNFINISHED}")


def test_a_program_that_is_missing_or_too_old_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(backups.CopyFailed, match="pg_dump is not installed"):
        backups._require("pg_dump", 15)
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 13.9'\n")
    old.chmod(0o700)
    with pytest.raises(backups.CopyFailed, match="is of version 13 and the server of 15: install"):
        backups._require("pg_dump", 15)
    backups._require("pg_dump", 13)
