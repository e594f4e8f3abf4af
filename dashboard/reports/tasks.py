"""Recurring work of the reports."""

from datetime import timedelta

from django_tasks import task

from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from dashboard.writes import schedule


@task()
def send_reports() -> int:
    """Let the e-mails leave whose Monday morning has come, as soon as their numbers are known. Returns how many."""
    return weekly.send_due()


schedule.recur(send_reports, every=timedelta(minutes=5), when=WeeklyReport.objects.exists)
