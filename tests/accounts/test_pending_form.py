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

STILL_HERE = "You were signed out before it was sent"


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


def signed_out_form(client: Client, page: str, action: str, form: dict[str, Any]) -> str:
    """The field in which the sign-in page carries a form that was typed on `page`."""
    answer = client.post(action, form, headers={"Referer": f"http://testserver{page}"}, follow=True)
    found = re.search(r'name="kept" value="([^"]*)"', answer.content.decode())
    return unescape(found[1]) if found else ""


def value_of(page: str, name: str) -> str:
    """What a text field of a page holds."""
    found = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)
    assert found, name
    value = re.search(r'value="([^"]*)"', found[0])
    return unescape(value[1]) if value else ""


SUB_ACCOUNT = {
    "name": 'Escola "Sol" <1>',
    "currency": "usd",
    "user_name": "Ana",
    "user_email": "ana@example.com",
    "key": "00000000-0000-4000-8000-000000000001",
}


def test_a_form_comes_back_where_it_was_typed_and_only_there(owner: Client, cast: dict[str, Any]) -> None:
    owner.get("/dashboard/activity/")
    owner.post("/sign-out/")
    page = "/dashboard/sub-accounts/create/"
    field = signed_out_form(owner, page, page, SUB_ACCOUNT | {"token": "secret"})
    assert "secret" not in str(signing.loads(field, key=identity.key(), salt=pending_form.SALT))
    wrong = owner.post("/sign-in/", {"token": "", "kept": field}).content.decode()
    assert "What you typed is kept." in wrong, "a mistake at sign-in loses nothing"
    assert 'name="kept"' in wrong
    form = {"token": cast["tokens"]["owner"], "next": page, "kept": field}
    after = owner.post("/sign-in/", form, follow=True).content.decode()
    assert re.search(r"“Create sub-account”, typed at \d\d:\d\d", unescape(after))
    assert after.index(STILL_HERE) < after.index("<h1>")
    assert [value_of(after, name) for name in ("name", "user_email")] == [SUB_ACCOUNT["name"], "ana@example.com"]
    assert re.search(r'<option value="usd" selected', after)
    assert after.count("button--primary") == 1, "the form's own"
    for elsewhere in ("/dashboard/", "/dashboard/sub-accounts/", "/accounts/", "/dashboard/ab-tests/create/"):
        other = owner.get(elsewhere).content.decode()
        assert STILL_HERE not in other and "typed at" not in other and 'name="name" value="Escola' not in other
    assert not Entry.objects.exists(), "nothing was sent"
    assert STILL_HERE in owner.get(page).content.decode(), "until it is sent or discarded"
    owner.post(page, SUB_ACCOUNT | {"name": ""})
    assert STILL_HERE in owner.get(page).content.decode(), "it was refused: nothing is lost"
    owner.post("/accounts/kept/discard/")
    fresh = owner.get(page).content.decode()
    assert STILL_HERE not in fresh and value_of(fresh, "name") == ""


def test_a_form_that_was_sent_is_kept_no_longer(owner: Client, cast: dict[str, Any]) -> None:
    page = "/dashboard/ab-tests/create/"
    owner.get(page)
    owner.post("/sign-out/")
    videos = [cast["videos"]["plain"], cast["videos"]["with_subtitles"]]
    field = signed_out_form(owner, page, page, {"name": "Openings", "description": "a\n\nb", "video_ids": videos})
    form = {"token": cast["tokens"]["owner"], "next": page, "kept": field}
    after = owner.post("/sign-in/", form, follow=True).content.decode()
    assert value_of(after, "name") == "Openings" and "a\n\nb</textarea>" in after
    ticked = re.findall(r'<input[^>]*name="video_ids" value="([^"]+)"[^>]* checked', after)
    assert set(ticked) == set(videos)
    owner.post(page, {"name": "Openings", "video_ids": videos})
    assert STILL_HERE not in owner.get(page).content.decode()


def test_what_has_no_form_on_its_page_can_be_copied_there_and_is_filled_in_when_the_form_comes(
    owner: Client, cast: dict[str, Any]
) -> None:
    page, action = "/dashboard/", "/dashboard/sub-accounts/create/"
    owner.get(page)
    owner.post("/sign-out/")
    field = signed_out_form(owner, page, action, {"name": "Escola Sol"})
    shown = owner.post("/sign-in/", {"token": cast["tokens"]["owner"], "kept": field}, follow=True).content.decode()
    assert "its form is not on this page" in shown and "<dd>Escola Sol</dd>" in shown
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{page}"}
    assert value_of(owner.get(action, headers=headers).content.decode(), "name") == "Escola Sol"
    assert value_of(owner.get(action).content.decode(), "name") == ""


def test_a_form_is_offered_to_the_account_that_typed_it_and_to_no_other(owner: Client, cast: dict[str, Any]) -> None:
    owner.get("/dashboard/activity/")
    owner.post("/sign-out/")
    page = "/dashboard/sub-accounts/create/"
    field = signed_out_form(owner, page, page, {"name": "for the owner"})
    form = {"token": cast["tokens"]["trial"], "next": page, "kept": field}
    other = owner.post("/sign-in/", form, follow=True).content.decode()
    assert STILL_HERE not in other and "for the owner" not in other
    form = {"token": cast["tokens"]["owner"], "next": page}
    again = owner.post("/sign-in/", form, follow=True).content.decode()
    assert STILL_HERE in again and value_of(again, "name") == "for the owner"


EVERY_KIND = """<body><main id="main"><form method="post" action="/a/"><input type="hidden" name="row" value="1">
<input name="t"></form>
<details><summary>More</summary><form class="form" method="post" action="/a/" novalidate>
<input type="hidden" name="csrfmiddlewaretoken" value="new"><input type="hidden" name="row" value="2">
<input type="text" name="t" value="was &quot;here&quot;" data-x><input name="t">
<textarea name="long" rows="2">old &lt;b&gt;</textarea>
<select name="s"><option value="1" selected>One<option>Two</option></select>
<select name="m" multiple><option value="a" selected>A</option><option value="b">B</option><option value="c">C</option></select>
<input type="checkbox" name="c" value="x" checked><input type="checkbox" name="c" value="y"><input type="checkbox" name="on">
<input type="radio" name="r" value="1" checked><input type="radio" name="r" value="2">
<input type="radio" name="alone" value="1" checked>
<input type="password" name="pw"><input type="file" name="f"><input name="off" disabled>
<button type="button" name="x">No</button><button name="do" value="draft">Save <b>draft</b></button>
<button name="do" value="send">Send</button></form></details>
<input name="outside" form="kept-form"><p>ümlaut &amp; <br/> stays</p></main></body>"""


def test_every_kind_of_field_is_filled_and_nothing_else_changes() -> None:
    typed = (
        ("row", "2"), ("t", '1 "<é>"'), ("t", "2"), ("long", "\n\nfirst\n</textarea>"), ("s", "Two"), ("m", "b"), ("m", "c"),
        ("c", "y"), ("on", "on"), ("r", "2"), ("pw", "no"), ("f", "no"), ("off", "no"), ("do", "send"), ("gone", "kept"),
    )  # fmt: skip
    page = pending_form.Page(EVERY_KIND)
    filled = page.fill(pending_form.Kept("/a/", "/p/", typed, None, 0))
    html = page.render()
    assert (filled.name, filled.anchor, filled.has_files) == ("Send", "kept-form", True)
    assert filled.rest == [("pw", "no"), ("f", "no"), ("off", "no"), ("gone", "kept")]
    assert html.startswith(EVERY_KIND[: EVERY_KIND.index("<details>")]), "the first form has another hidden field"
    assert "<details open><summary>" in html and ' id="kept-form">' in html
    for expected in (
        'name="t" data-x value="1 &quot;&lt;é&gt;&quot;">', '<input name="t" value="2">',
        'rows="2">\n\n\nfirst\n&lt;/textarea&gt;</textarea>', '<option value="1">One', '<option selected>Two',
        '<option value="a">A',
        '<option value="b" selected>', '<option value="c" selected>', 'name="c" value="x"><', 'name="c" value="y" checked>',
        'name="on" checked>', 'name="r" value="1"><', 'name="r" value="2" checked>', 'name="alone" value="1" checked>',
        'type="password" name="pw">', 'value="new"', "<p>ümlaut &amp; <br/> stays</p>",
    ):  # fmt: skip
        assert expected in html, expected


def test_nobody_can_put_a_form_into_the_hands_of_another(client: Client, cast: dict[str, Any]) -> None:
    field = pending_form.packed(
        pending_form.Kept("/dashboard/lives/x/start/", "/dashboard/", (("note", "forged"),), None, 0)
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
