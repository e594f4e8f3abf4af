"""A run's page leads to the other runs of the account."""

import pytest

from tests.runs.conftest import Steps

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_page_of_a_run_lists_the_others_that_were_started(steps: Steps) -> None:
    only = steps.start(count=1)
    assert "Other runs" not in steps.page(only)
    other, unsent = steps.start(count=2), steps.check(count=3)
    others = steps.page(only).partition("Other runs")[2]
    assert f"/dashboard/runs/{other.pk}/" in others
    assert f"/dashboard/runs/{unsent.pk}/" not in others and f'href="/dashboard/runs/{only.pk}/"' not in others
