"""What somebody typed whose session had ended: in their browser until they have signed in, and for nobody else."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.accounts import identity, pending_form
from dashboard.activity.models import Entry

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

STILL_HERE = "What you were sending is still here"


def sent_signed_out(client: Client, action: str, form: dict[str, Any]) -> tuple[str, str]:
    """The sign-in page that a browser comes to, and the field in which it carries the form."""
    page = client.post(action, form, follow=True).content.decode()
    found = re.search(r'name="kept" value="([^"]*)"', page)
    return page, unescape(found[1]) if found else ""


def test_of_somebody_who_is_signed_out_nothing_is_stored(client: Client, cast: dict[str, Any]) -> None:
    big = {"note": "typed " * 300_000}
    identity.key()  # an installation makes it once, before anybody comes
    with CaptureQueriesContext(
        connection,
    ) as asked:
        answer = client.post("/dashboard/lives/x/start/", big, follow=True)
    assert answer.status_code == 200
    assert "What you typed is kept." in answer.content.decode()
    assert not [query["sql"] for query in asked if not query["sql"].startswith("SELECT")]
    assert "sessionid" not in client.cookies
    assert not Session.objects.exists()
    assert len(repr(getattr(cache, "_cache", {}))) < 10_000


def test_a_form_goes_through_sign_in_word_for_word_and_is_not_sent_by_itself(
    client: Client, cast: dict[str, Any]
) -> None:
    action = f"/dashboard/lives/{cast['lives']['scheduled']}/start/"
    typed = {
        "note": 'é <b> "quoted" & kept\r\n 🎬',
        "next": "not-mine",
        "token": "secret",
        "renew": "x",
        "tags": ["a", "b"],
    }
    page, field = sent_signed_out(client, action, typed)
    assert "secret" not in page and "secret" not in str(
        signing.loads(field, key=identity.key(), salt=pending_form.SALT)
    )
    wrong = client.post("/sign-in/", {"token": "", "kept": field}).content.decode()
    assert "What you typed is kept." in wrong, "a mistake at sign-in loses nothing"
    assert 'name="kept"' in wrong
    form = {"token": cast["tokens"]["owner"], "next": "/dashboard/", "kept": field}
    after = client.post("/sign-in/", form, follow=True).content.decode()
    assert STILL_HERE in after and f'action="{action}"' in after
    fields = re.findall(r'<textarea name="([^"]+)" hidden>([^<]*)</textarea>', after)
    assert [(name, unescape(value)) for name, value in fields] == [
        ("note", typed["note"]), ("next", "not-mine"), ("renew", "x"), ("tags", "a"), ("tags", "b")
    ]  # fmt: skip
    assert not Entry.objects.exists()


def test_a_form_is_offered_to_the_account_that_typed_it_and_to_no_other(owner: Client, cast: dict[str, Any]) -> None:
    owner.get("/dashboard/activity/")
    owner.post("/sign-out/")
    _page, field = sent_signed_out(owner, "/dashboard/lives/x/start/", {"note": "for the owner"})
    form = {"token": cast["tokens"]["trial"], "kept": field}
    other = owner.post("/sign-in/", form, follow=True).content.decode()
    assert STILL_HERE not in other and "for the owner" not in other
    again = owner.post("/sign-in/", {"token": cast["tokens"]["owner"]}, follow=True).content.decode()
    assert STILL_HERE in again and "for the owner" in again


def test_nobody_can_put_a_form_into_the_hands_of_another(client: Client, cast: dict[str, Any]) -> None:
    field = pending_form.packed(
        pending_form.Kept("/dashboard/lives/x/start/", "/dashboard/", (("note", "forged"),), None)
    )
    for forged in (field[:-2] + "xx", "rubbish", field.replace(":", "", 1), ""):
        answer = client.post("/sign-in/", {"token": cast["tokens"]["owner"], "kept": forged}, follow=True)
        assert answer.status_code == 200
        assert STILL_HERE not in answer.content.decode()
    elsewhere = client.post("/sign-in/?form=https://evil.example/&next=//evil.example", {"note": "x"}).content.decode()
    assert 'name="next" value="/dashboard/"' in elsewhere and 'name="kept"' not in elsewhere


def test_more_than_can_be_handed_on_is_said(client: Client) -> None:
    page, field = sent_signed_out(client, "/dashboard/lives/x/start/", {"note": "a" * (pending_form.MOST + 1)})
    assert "too long to wait here" in page and not field


def test_a_form_sent_by_script_is_told_where_to_take_what_it_holds(client: Client) -> None:
    answer = client.post(
        "/dashboard/lives/x/start/",
        {"note": "typed"},
        headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/dashboard/lives/x/"},
    )
    onward = "/sign-in/?next=%2Fdashboard%2Flives%2Fx%2F&form=%2Fdashboard%2Flives%2Fx%2Fstart%2F"
    assert answer["HX-Redirect"] == onward
    assert "What you typed is kept." in client.post(onward, {"note": "typed"}).content.decode()
