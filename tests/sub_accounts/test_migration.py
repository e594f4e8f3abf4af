"""Creations of the previous release are carried over into the outbox, under their addresses."""

from collections.abc import Callable
from typing import Any


def test_every_creation_of_the_previous_release_becomes_a_write(schema: Callable[[str, str], Any]) -> None:
    old = schema("sub_accounts", "0001_initial")
    account = old.get_model("accounts", "Account").objects.create(name="Studio", fingerprint="f", sealed_token="s")
    made = {}
    for state in ("sending", "creating", "unconfirmed"):
        made[state] = old.get_model("sub_accounts", "Creation").objects.create(
            account_id=account.pk, name=state, administrator="ana@example.com", state=state, organization_id="o"
        )
        sent = {"name": state, "currency": "brl", "phone": "1", "tax_id": "2", "user": {"name": "A", "email": "a@b.c"}}
        old.get_model("activity", "Entry").objects.create(
            account_id=account.pk, actor="Ana", operation="organizations.create_sub_account", label=state,
            after={**sent, "organization_id": "o"}, outcome="done" if state == "creating" else "unconfirmed",
        )  # fmt: skip
    new = schema("sub_accounts", "0002_creations_become_writes")
    writes = {write.label: write for write in new.get_model("writes", "Write").objects.select_related("entry")}
    assert {name: (write.state, write.entry.outcome) for name, write in writes.items()} == {
        "sending": ("unconfirmed", "unconfirmed"),
        "creating": ("done", "done"),
        "unconfirmed": ("unconfirmed", "unconfirmed"),
    }
    for name, write in writes.items():
        assert write.pk == made[name].pk, "its address stays"
        assert write.due_at is None, "nothing can be read"
        assert set(write.request) == {"name", "currency", "phone", "tax_id", "user"}, "no other field may be sent"
    assert writes["creating"].result == {"organization_id": "o", "status": "creating"}
