"""Sendings of the previous release that had not ended are carried over into the outbox; drafts stay drafts."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.utils import timezone

from dashboard.funnels.models import Draft


def test_every_open_sending_of_the_previous_release_becomes_a_write(schema: Callable[[str, str], Any]) -> None:
    old = schema("funnels", "0001_initial")
    account = old.get_model("accounts", "Account").objects.create(name="Studio", fingerprint="f", sealed_token="s")
    after = {"entry": "v", "videos": [{"id": "v", "front_coordinates": {"x": 1, "y": 2}, "is_first": True}]}
    before = {"entry": "v", "videos": []}
    for state in ("editing", "sending", "unconfirmed", "never left"):
        old.get_model("funnels", "Draft").objects.create(
            account_id=account.pk, funnel_id=state, entry="v", state={"never left": "sending"}.get(state, state)
        )
        if state != "never left":
            old.get_model("activity", "Entry").objects.create(
                account_id=account.pk, actor="Ana", operation="funnels.add_videos", target=state,
                before=before, after=after, outcome="refused" if state == "editing" else "unconfirmed",
            )  # fmt: skip
    new = schema("funnels", "0002_sendings_become_writes")
    writes = {write.subject: write for write in new.get_model("writes", "Write").objects.select_related("entry")}
    assert set(writes) == {"sending", "unconfirmed"}
    now = timezone.now()
    for funnel, write in writes.items():
        assert (write.state, write.entry.outcome) == ("unconfirmed", "unconfirmed")
        assert write.request == {"funnel_id": funnel, "videos": after["videos"]}
        assert write.before == before
        assert write.due_at <= now
    assert Draft.objects.count() == 4
    Draft.objects.create(account_id=account.pk, funnel_id="of the new code")
    with connection.cursor() as cursor:
        cursor.execute("SELECT state FROM funnels_draft WHERE funnel_id = 'of the new code'")
        assert cursor.fetchone() == ("editing",), "the previous release reads the column"
