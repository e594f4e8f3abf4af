"""Forms whose test was not confirmed become unconfirmed writes, which the worker settles by reading the list of tests.

What such a form had sent stands in its row of the activity log, made a moment after its key. The table of the old model
stays for one release, so that the previous code still runs during a rolling deployment; only the model is gone.
"""

from datetime import timedelta

from django.db import migrations
from django.utils import timezone

MOMENT = timedelta(seconds=10)


def carry_over(apps, schema_editor):
    Creation, Entry = apps.get_model("ab_tests", "Creation"), apps.get_model("activity", "Entry")
    Account, Write = apps.get_model("accounts", "Account"), apps.get_model("writes", "Write")
    now = timezone.now()
    for creation in Creation.objects.filter(comparison_id="").order_by("at").iterator():
        rows = Entry.objects.filter(
            account_id=creation.account_id,
            operation="comparisons.create",
            outcome="unconfirmed",
            at__gte=creation.at,
            at__lte=creation.at + MOMENT,
        )
        entry = rows.filter(write=None).order_by("at").first()
        if entry is None or not entry.after or not Account.objects.filter(pk=creation.account_id).exists():
            continue
        Write.objects.get_or_create(
            scope=str(creation.account_id),
            key=creation.key,
            defaults={
                "operation": "comparisons.create",
                "account_id": creation.account_id,
                "actor": entry.actor,
                "label": entry.label,
                "request": entry.after,
                "after": entry.after,
                "entry": entry,
                "state": "unconfirmed",
                "attempt": 1,
                "sent_at": entry.at,
                "ended_at": entry.at,
                "due_at": now,
                "reason": "Unreachable",
            },
        )


class Migration(migrations.Migration):
    dependencies = [
        ("ab_tests", "0001_initial"),
        ("writes", "0001_writes"),
    ]

    operations = [
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Creation")]),
    ]
