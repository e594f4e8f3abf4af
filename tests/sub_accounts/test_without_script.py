"""Sub-accounts are created, connected, read and opened without script."""

from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.writes.models import Write
from tests.conftest import signed_in
from tests.forms import PlainBrowser
from tests.review_links.inbox_rows import make_comment, make_link
from tests.sub_accounts.family import plant_schools, token_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
ADDRESS = "/dashboard/sub-accounts/"
RIGHT = {
    "Name of the sub-account": "Escola Serra Alta",
    "Tax id": "12.ABC.345/01DE-35",
    "Phone": "+55 11 91234-5678",
    "Name of its administrator": "Ana Prado",
    "E-mail of its administrator": "ana@example.com",
}


@pytest.mark.parametrize("role", ["owner", "trial"])
def test_sub_account_is_created_or_refused_with_everything_still_there(
    client: Client, cast: dict[str, Any], role: str
) -> None:
    page = PlainBrowser(signed_in(client, cast["tokens"][role])).open(f"{ADDRESS}create/")
    for label, text in RIGHT.items():
        page.fill(label, text)
    page.press("Create sub-account")
    if role == "owner":
        assert "Creating" in page.text and Write.objects.get().label == RIGHT["Name of the sub-account"]
    else:
        assert "Accounts in trial or without an active subscription" in page.text
        assert {label: page.field(label).value for label in RIGHT} == RIGHT


def test_rows_are_connected_read_in_the_report_and_opened(owner: Client) -> None:
    plant_schools(12)
    page = PlainBrowser(owner).open(ADDRESS).follow("Connect : School 3")
    assert page.fill("API token", token_of("School 3")).press("Sign in").address == ADDRESS
    make_comment(make_link(Account.objects.get(name="School 3")))
    page.follow("Report")
    assert "1 comment waits for an answer." in page.text and "1 of 12 known" in page.text
    page.follow("Sub-accounts").press("Open 1 waiting : School 3")
    assert page.address == "/dashboard/review-links/inbox/" and "1 unanswered comment" in page.text
