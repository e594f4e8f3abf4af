"""Videos that a funnel run could not add: when it pauses, and what becomes of the others."""

from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.runs.splitting import count_refused_in_a_row
from dashboard.writes.models import Write
from dashboard.writes.run_actions import ItemState
from tests.funnels.test_add_run import WRITE, main, start, steps
from tests.runs.conftest import Steps

__all__ = ["main", "steps"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.mark.parametrize("state", [ItemState.WAITING, ItemState.UNCONFIRMED, ItemState.DONE])
def test_a_video_that_left_and_was_not_refused_breaks_the_row(steps: Steps, main: str, state: ItemState) -> None:
    run = start(steps, main, 12)
    items = list(run.items.all())
    for place, item in enumerate(items[:11]):
        item.write = Write.objects.create(
            operation=WRITE, scope="s", key=Write().pk, sent_at=timezone.now() + timedelta(seconds=place)
        )
        item.state, item.ended_at = ItemState.REFUSED, item.write.sent_at
        item.save()
    assert count_refused_in_a_row(run, 10) == 10
    run.items.filter(pk=items[5].pk).update(state=state, ended_at=None)
    assert count_refused_in_a_row(run, 10) == 5
