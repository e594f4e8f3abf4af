"""What the worker does with changes of many fields: goes on with those that are due."""

from datetime import timedelta

from django_tasks import task

from dashboard.custom_fields.models import MOVING, Change
from dashboard.writes import schedule


@task()
def run_change(change_id: str) -> None:
    """Compare or send for a moment; the step that follows is another task."""
    from dashboard.custom_fields import changes  # it enqueues this task

    change = Change.objects.filter(pk=change_id).first()
    if change is not None and changes.is_due(change):
        changes.run(change)


@task()
def recover_changes() -> None:
    """Go on with changes whose worker died."""
    from dashboard.custom_fields import changes

    changes.recover()


schedule.recur(
    recover_changes, every=timedelta(seconds=5), when=lambda: Change.objects.filter(stage__in=MOVING).exists()
)
