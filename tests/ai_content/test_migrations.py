"""Saves of the previous schema that had not ended are carried over into the outbox."""

import uuid
from typing import Any

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.ai_content.models import Document
from dashboard.ai_content.save.queries import SAVE, get_next_key
from dashboard.writes.models import State, Write
from tests.migrated import newest, schema_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_saves_without_an_answer_are_settled_by_the_worker_after_an_upgrade() -> None:
    models = schema_of("ai_content", "0001_initial")
    account = Account.objects.create(name="Studio", sealed_token="x", fingerprint="f")
    blob = models("ai_content", "Blob").objects.create(account_id=account.pk, digest="d", body=b"", size=0)
    now, video, entries = timezone.now(), uuid.uuid4(), {}

    def language(lang: str, *kinds: str, since: Any = None, owner: uuid.UUID = account.pk) -> list[int]:
        document = models("ai_content", "Document").objects.create(
            account_id=owner, video_id=video, lang=lang, title="Film", saving_since=since
        )
        made = [
            models("ai_content", "Version").objects.create(
                document=document, blob=blob, kind=kind, at=now, actor="Ana", changes_count=1
            )
            for kind in kinds
        ]
        for version in made:
            entries[version.pk] = Entry.objects.create(
                account_id=owner, actor="Ana", operation=SAVE, target=str(video), label=f"Film · {lang}",
                before={"version": made[0].pk}, after={"version": version.pk, "changes": 1},
            )  # fmt: skip
        return [version.pk for version in made]

    unconfirmed = language("en", "loaded", "sending", "sending")[-1]
    sending = language("pt-BR", "loaded", "sending", "loaded", since=now)[1]
    language("es", "loaded", "sending", "saved")
    language("", "loaded", "saved")
    language("fr", "loaded", "sending", owner=uuid.uuid4())
    newest("ai_content")
    found = {write.request["version"]: write for write in Write.objects.select_related("entry")}
    assert set(found) == {unconfirmed, sending}
    for pk, write in found.items():
        assert (write.state, write.entry, write.due_at is not None) == (State.UNCONFIRMED, entries[pk], True)
        assert write.before == entries[pk].before and write.after == entries[pk].after
        assert write.key == get_next_key(account, Document.objects.get(pk=write.request["document"]))
    assert found[unconfirmed].ended_at == now, "its author may decide at once when that is a minute ago"
    assert found[sending].reason == "sender_died"
    assert found[sending].request["word"] == "pt-BR"
    assert models("ai_content", "Document").objects.create(account_id=account.pk, video_id=video, lang="de")
