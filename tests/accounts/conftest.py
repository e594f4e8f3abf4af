"""Tests of accounts sign in through the form, each of them: it is what they are about."""

from typing import Any

import pytest
from django.test import Client

from tests.conftest import signed_in


@pytest.fixture
def owner(client: Client, cast: dict[str, Any]) -> Client:
    """A browser in which the demo's account owner has just signed in."""
    return signed_in(client, cast["tokens"]["owner"])
