"""The way of a result through A/B tests, from the address to the verdict."""

from typing import Any

import pytest
from django.test import Client

from tests.ways import follow

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

MOST = 21
"""Stays, those that count days and loads included."""


def test_a_result_enters_few_functions_before_its_verdict(owner: Client, cast: dict[str, Any]) -> None:
    with follow("dashboard/ab_tests", "read_out") as way:
        owner.get(f"/dashboard/ab-tests/{cast['ab_tests']['completed']}/")
    assert way.is_over, "there was no verdict"
    assert 5 < len(way.stays) <= MOST, str(way)
