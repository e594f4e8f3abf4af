"""What sub-accounts use: a table where the platform tells it, "not known" where it does not."""

from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox.models import Organization
from tests.answering import change_answers
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HERE = "/dashboard/sub-accounts/"


def usage(client: Client) -> str:
    text: str = unescape(client.get(HERE).content.decode())
    return text.split('id="usage-title"')[1].split("</section>")[0] if 'id="usage-title"' in text else ""


def test_each_sub_account_has_a_row_with_its_videos_and_storage(owner: Client, cast: dict[str, Any]) -> None:
    child = Organization.objects.filter(parent__isnull=False).first()
    assert child is not None
    text = usage(owner)
    assert child.name in text and "Videos" in text and "Storage" in text and "Active" in text
    assert "made elsewhere" not in owner.get(HERE).content.decode()


def test_figures_without_a_known_name_are_shown_under_the_platform_s_own(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [{"id": "1", "name": "Escola", "minutes_encoded": 12.5}, {"id": "2", "name": "Marca", "storage": 2_000_000}]
    change_answers(monkeypatch, lambda _answer: told, "organizations.usage")
    text = usage(owner)
    assert "<code>minutes_encoded</code>" in text and "12.5" in text
    assert "2.00 MB" in text and text.count("–") >= 2, "what is not told is not zero"


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 404}, "This platform does not give it over its API."),
        ({"status": 405}, "This platform does not give it over its API."),
        ({"status": 403}, "This account may not do that."),
        ({"status": 500}, "The platform has trouble of its own."),
        ({"broken": "refused"}, "The platform cannot be reached right now."),
    ],
)
def test_where_it_is_not_told_it_is_not_known_and_the_page_stands(
    owner: Client, faults: ModuleType, fault: dict[str, Any], sentence: str
) -> None:
    faults.set("organizations.usage", **fault)
    answer = owner.get(HERE)
    assert answer.status_code == 200
    text = usage(owner)
    assert "Not known." in text and sentence in text and "<table" not in text
    assert "made elsewhere are not shown" in unescape(answer.content.decode())


def test_an_answer_that_cannot_be_read_is_not_known(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    change_answers(monkeypatch, lambda _answer: {"status": "soon"}, "organizations.usage")
    assert "Not known." in usage(owner)


def test_no_sub_accounts_is_no_empty_table(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    change_answers(monkeypatch, lambda _answer: {"sub_accounts": []}, "organizations.usage")
    assert "lists no sub-accounts" in usage(owner)


def test_a_new_sub_account_is_in_the_table_at_once_and_leads_to_its_page(owner: Client) -> None:
    usage(owner)
    form = {"name": "Marca Nova", "tax_id": "529.982.247-25", "phone": "1", "currency": "brl", "user_name": "Ana"}
    made = owner.post(f"{HERE}create/", form | {"user_email": "ana@example.com"})["Location"]
    text = usage(owner)
    assert f'<a href="{made}">Marca Nova</a>' in text and "Creating" in text


def test_a_sub_account_has_none_itself(client: Client, owner: Client, cast: dict[str, Any]) -> None:
    signed_in(client, cast["tokens"]["sub_account"])
    assert client.get(HERE).status_code == 200
