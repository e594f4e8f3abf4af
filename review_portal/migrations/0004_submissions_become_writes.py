"""Carry every attempt to post over into the outbox of all writes.

The old table and column stay for one release, so that the previous code runs on this schema during a rolling deployment. A
later migration drops them.
"""

from django.db import migrations
from django.utils import timezone

STATES = {
    "held": "held",
    "sending": "unconfirmed",
    "sent": "done",
    "refused": "refused",
    "unconfirmed": "unconfirmed",
    "taken_back": "cancelled",
}
"""A call that was out when the old code stopped has an unclear end."""
BATCH = 500


def carry_over(apps, schema_editor):
    Submission = apps.get_model("review_portal", "Submission")
    Write = apps.get_model("writes", "Write")
    accounts = dict(
        apps.get_model("review_portal", "ReviewLink").accounts.through.objects.values_list(
            "reviewlink_id", "account_id"
        )
    )
    rows = Submission.objects.select_related("reviewer").order_by("pk").iterator(chunk_size=BATCH)
    writes = []
    for submission in rows:
        writes.append(_write(Write, submission, accounts))
        if len(writes) == BATCH:
            _save(Write, writes)
            writes = []
    _save(Write, writes)


def _write(Write, submission, accounts):
    state, now = STATES[submission.state], timezone.now()
    reply_to = str(submission.reply_to) if submission.reply_to else None
    request = {
        "text": submission.text,
        "user_name": submission.user_name,
        "time": submission.time,
        "reply_to": reply_to,
    }
    body = {"text": submission.text, "user_name": submission.user_name}
    settled = state in ("done", "refused", "cancelled")
    return Write(
        scope=str(submission.link_id),
        key=submission.key,
        operation="public_review.create_comment",
        account_id=submission.reviewer.account_id or accounts.get(submission.link_id),
        author=str(submission.reviewer_id),
        actor=submission.user_name[:120],
        subject=str(submission.link_id),
        label=submission.text[:300],
        request=request,
        after=body | ({"reply_to": reply_to} if reply_to else {"time": submission.time}),
        state=state,
        attempt=submission.attempts,
        due_at=None if settled else (submission.due_at if state == "held" else now),
        created_at=submission.created_at,
        sent_at=submission.sent_at,
        ended_at=now if state == "unconfirmed" else None,
        settled_at=submission.created_at if settled else None,
        reason=submission.reason,
        message=submission.message,
        result={"comment_id": str(submission.comment_id)} if submission.comment_id else None,
        shown=submission.shown,
    )


def _save(Write, writes):
    """`created_at` is written as it was: `bulk_create` would put the present moment."""
    moments = [write.created_at for write in writes]
    Write.objects.bulk_create(writes)
    for write, moment in zip(writes, moments, strict=True):
        write.created_at = moment
    Write.objects.bulk_update(writes, ["created_at"])


class Migration(migrations.Migration):
    dependencies = [("review_portal", "0003_claims"), ("writes", "0001_writes")]

    operations = [
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="Submission"),
                migrations.RemoveField(model_name="reviewlink", name="next_due_at"),
            ]
        ),
    ]
