"""Changes say when they go on, and lines that were cut off or not confirmed become writes that the worker settles.

The new columns have database defaults: the previous code runs on this schema during a rolling deployment. Of what it begins
there, `due_at` is empty, which the worker takes for due.
"""

import uuid
from datetime import timedelta

from django.db import migrations, models
from django.db.models import Q
from django.utils import timezone

OPERATION = "custom_fields.update"
RECENT = timedelta(days=2)
"""What is older is settled where it can be, and not shown on pages any more."""


def carry_over(apps, schema_editor):
    Change, Line = apps.get_model("custom_fields", "Change"), apps.get_model("custom_fields", "Line")
    Account = apps.get_model("accounts", "Account")
    accounts = set(Account.objects.values_list("pk", flat=True))
    now = timezone.now()
    Change.objects.filter(stage__in=("checking", "sending")).update(due_at=now)
    for line in Line.objects.filter(state__in=("sending", "unconfirmed")).select_related("change").iterator():
        if line.change.account_id in accounts:
            _carry_line(apps, line, now)
    Line.objects.filter(state="sending").update(state="unconfirmed")


def _carry_line(apps, line, now):
    Entry, Write = apps.get_model("activity", "Entry"), apps.get_model("writes", "Write")
    place = {"video_id": line.video_id, "field_id": line.field_id}
    after = {**place, "key": line.new_key or line.key, "value": line.value}
    sent_at = line.sent_at or line.change.at
    rows = Entry.objects.filter(
        account_id=line.change.account_id, operation=OPERATION, target=line.video_id, outcome="unconfirmed"
    )
    entry = next((row for row in rows.filter(write=None, at__gte=line.change.at) if row.after == after), None)
    Write.objects.get_or_create(
        scope=str(line.change.account_id),
        key=uuid.uuid5(line.change.pk, str(line.number)),
        defaults={
            "operation": OPERATION,
            "account_id": line.change.account_id,
            "actor": entry.actor if entry else "",
            "subject": line.video_id,
            "label": line.key[:300],
            "request": {**after, "line": line.pk},
            "before": {**place, "key": line.key, "value": line.before},
            "after": after,
            "entry": entry,
            "state": "unconfirmed",
            "attempt": 1,
            "sent_at": sent_at,
            "ended_at": sent_at,
            "due_at": now,
            "reason": "Unreachable",
            "shown": sent_at > now - RECENT,
        },
    )


class Migration(migrations.Migration):
    dependencies = [
        ("custom_fields", "0002_taking_back"),
        ("writes", "0001_writes"),
    ]

    operations = [
        migrations.AddField("change", "actor", models.CharField(blank=True, db_default="", max_length=120)),
        migrations.AddField("change", "due_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("change", "busy_until", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("change", "reason", models.CharField(blank=True, db_default="", max_length=40)),
        migrations.AddField("change", "pauses", models.PositiveSmallIntegerField(db_default=0)),
        migrations.AddIndex(
            "change",
            models.Index(fields=["due_at"], condition=Q(stage__in=["checking", "sending"]), name="change_due"),
        ),
        migrations.RunPython(carry_over, migrations.RunPython.noop),
    ]
