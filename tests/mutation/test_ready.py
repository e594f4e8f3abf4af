"""Run before the first mutant: the databases are made and seeded once, and every mutant starts from there."""

import pytest

from tests.mutation.forks import STATES
from tests.snapshots import Snapshots


def test_databases_are_ready(platform_states: Snapshots, pytestconfig: pytest.Config) -> None:
    platform_states.use("seeded")
    pytestconfig.stash[STATES] = platform_states
    assert platform_states.current == "seeded"


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_databases_are_made_although_no_other_test_needs_both() -> None:
    """pytest-django makes only those that a collected test names."""
