"""The list of assumptions stays true to the code: every row is complete and points at modules that exist."""

from pkgutil import resolve_name

from dashboard.sandbox.assumptions import ASSUMPTIONS, Assumption
from tests.house.sources import assert_none


def test_every_row_says_what_why_and_where() -> None:
    assert_none(row.what[:60] for row in ASSUMPTIONS if not _is_complete(row))


def _is_complete(row: Assumption) -> bool:
    packages = ("dashboard.sandbox", "dashboard.platform_api")
    places = [any(_exists(f"{package}.{place}") for package in packages) for place in row.where.split(", ")]
    return bool(row.section) and row.what.endswith(".") and row.why.endswith(".") and all(places)


def _exists(name: str) -> bool:
    try:
        return resolve_name(name) is not None
    except (ImportError, AttributeError):
        return False


def test_nothing_is_decided_twice() -> None:
    assert len({row.what for row in ASSUMPTIONS}) == len(ASSUMPTIONS)
