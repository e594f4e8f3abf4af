"""Deletions of the previous release are carried over into the outbox, whatever their state."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.db import connection
from django.utils import timezone


def test_every_deletion_of_the_previous_release_becomes_a_write_with_its_copy(
    schema: Callable[[str, str], Any],
) -> None:
    old, now = schema("playlists", "0001_initial"), timezone.now()
    account = old.get_model("accounts", "Account").objects.create(name="Studio", fingerprint="f", sealed_token="s")
    deletions, entries = old.get_model("playlists", "Deletion").objects, old.get_model("activity", "Entry").objects
    made = {}
    for state in ("held", "abandoned", "sending", "done", "undone", "refused", "unconfirmed"):
        made[state] = deletions.create(
            account_id=account.pk, playlist_id=state, name=f"Playlist {state}", contents=[{"id": "v", "title": "Film"}],
            state={"abandoned": "held"}.get(state, state),
            due_at=now + timedelta(seconds=8) if state == "held" else now - timedelta(days=3),
            message="It belongs to another account." if state == "refused" else "",
        )  # fmt: skip
        if state in ("sending", "done", "refused", "unconfirmed"):
            entries.create(account_id=account.pk, actor="Ana", operation="playlists.delete", target=state)
    deletions.create(account_id=uuid4(), playlist_id="of nobody", name="x", due_at=now)
    new = schema("playlists", "0002_deletions_become_writes")
    writes = {write.subject: write for write in new.get_model("writes", "Write").objects.select_related("entry")}
    assert set(writes) == set(made)
    for state, deletion in made.items():
        write = writes[state]
        assert write.pk == write.key == deletion.pk, "its address stays"
        assert write.before == {"name": f"Playlist {state}", "videos": [{"id": "v", "title": "Film"}]}
        assert write.request == {"playlist_id": state}
    assert {state: (write.state, write.entry and write.entry.outcome) for state, write in writes.items()} == {
        "held": ("held", None),
        "abandoned": ("held", None),
        "sending": ("unconfirmed", "unconfirmed"),
        "done": ("done", "done"),
        "undone": ("cancelled", None),
        "refused": ("refused", "refused"),
        "unconfirmed": ("unconfirmed", "unconfirmed"),
    }
    assert writes["held"].due_at == made["held"].due_at
    assert writes["abandoned"].due_at is None, "its page said that it leaves when somebody says so"
    now = timezone.now()
    assert all(writes[state].due_at <= now for state in ("sending", "unconfirmed"))
    assert writes["refused"].message == "It belongs to another account."
    with connection.cursor() as cursor:
        assert "playlists_deletion" in connection.introspection.table_names(cursor), "the previous release reads it"
