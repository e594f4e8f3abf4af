"""The list of assumptions stays true to the code: every row is complete and points at modules that exist."""

from pkgutil import resolve_name

import pytest

from dashboard.sandbox.assumptions import ASSUMPTIONS, Assumption


@pytest.mark.parametrize("row", ASSUMPTIONS, ids=lambda row: row.what[:60])
def test_a_row_says_what_why_and_where(row: Assumption) -> None:
    assert row.section and row.what.endswith(".") and row.why.endswith(".")
    for place in row.where.split(", "):
        assert any(_exists(f"{package}.{place}") for package in ("dashboard.sandbox", "dashboard.platform_api")), place


def _exists(name: str) -> bool:
    try:
        return resolve_name(name) is not None
    except (ImportError, AttributeError):
        return False


def test_nothing_is_decided_twice() -> None:
    assert len({row.what for row in ASSUMPTIONS}) == len(ASSUMPTIONS)
