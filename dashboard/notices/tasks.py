"""Recurring work of the notices."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task

from dashboard.notices import subscriptions, webhooks
from dashboard.notices.models import Mail, Notice
from dashboard.writes import schedule

OLDEST = timedelta(days=90)
STEP = 500
"""Rows deleted in one transaction."""


@task()
def forget_old() -> None:
    """Delete addresses that nobody confirmed, and notices and e-mails of long ago."""
    subscriptions.delete_unconfirmed()
    webhooks.delete_old_attempts()
    before = timezone.now() - OLDEST
    _delete(Notice.objects.filter(created_at__lt=before))
    _delete(Mail.objects.filter(created_at__lt=before, notices=None))  # the others say what was told already


def _delete(rows: QuerySet[Any]) -> None:
    while old := list(rows.values_list("pk", flat=True)[:STEP]):
        rows.model._default_manager.filter(pk__in=old).delete()


schedule.recur(forget_old, every=timedelta(days=1))
