"""Signing in without script: where it leads, and what was typed before it."""

from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_people_come_back_to_where_they_were_going_and_choose_their_language(
    client: Client, cast: dict[str, Any]
) -> None:
    page = PlainBrowser(client).open("/dashboard/activity/").press("Look around with demo data")
    assert page.address == "/dashboard/activity/"
    assert page.choose("Language", "pt-br").press("Switch").has("h1", "Atividade")


def test_what_was_typed_when_the_session_had_ended_comes_back_after_sign_in(
    owner: Client, cast: dict[str, Any]
) -> None:
    page = PlainBrowser(owner).open("/accounts/").follow(Account.objects.get().name)
    page.fill("Name", "Typed before the end")
    del owner.cookies["sessionid"]
    assert "What you typed is kept." in page.press("Save account").text
    page.fill("API token", "wrong").press("Sign in").fill("API token", cast["tokens"]["owner"]).press("Sign in")
    assert page.has("h2", "“Save account”, typed at")
    assert page.field("Name").value == "Typed before the end"
    page.press("Save account")
    assert "Saved “Typed before the end”." in page.text
    assert "You were signed out before it was sent" not in page.text
