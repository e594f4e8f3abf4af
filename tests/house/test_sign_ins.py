"""Tests that are not about signing in find what the form would have left behind."""

from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client

from dashboard.accounts import identity
from tests.conftest import SignedIn

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

MOMENTS = {"created_at", "used_at", "expire_date", "signed_in_at", "seen_at"}


def everything_stored() -> dict[str, list[dict[str, Any]]]:
    """All rows of Reelroom without the moments of signing in."""
    return {
        model._meta.label: [
            {name: value for name, value in row.items() if name not in MOMENTS}
            for row in model._base_manager.order_by("pk").values()
        ]
        for model in apps.get_models()
        if model._meta.app_label != "sandbox"
    }


def test_a_sign_in_that_is_repeated_leaves_what_the_form_leaves(cast: dict[str, Any]) -> None:
    identity.key()  # the process makes it once, and keeps it when a test takes its row back
    before, browser = everything_stored(), Client()
    beginning = transaction.savepoint()
    kept = SignedIn.by_form(browser, cast["tokens"]["owner"])
    by_form, session = everything_stored(), dict(browser.session)
    transaction.savepoint_rollback(beginning)
    assert everything_stored() == before != by_form
    repeated = kept.repeat(Client())
    assert everything_stored() == by_form
    assert dict(repeated.session) == session
    assert {name: one.value for name, one in repeated.cookies.items()} == kept.cookies
    assert repeated.get("/accounts/").status_code == 200
