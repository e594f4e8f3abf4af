"""A parent with several sub-accounts of the embedded platform, and how a browser connects them."""

import re
from html import unescape

from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.sandbox.models import Organization, Token
from dashboard.sandbox.seed.large import LibrarySize, seed_large

HERE = "/dashboard/sub-accounts/"
CAFE = "Café Escola Serra Alta"


def plant_schools(count: int = 12) -> None:
    """As many sub-accounts as are wanted, with the one that is there: the large library's, without its videos."""
    seed_large(timezone.now(), LibrarySize(videos=0, folders=0, cards=0, sub_accounts=count))


def token_of(name: str) -> str:
    """The token of a sub-account."""
    return Token.objects.filter(user__organization__name=name).values_list("value", flat=True)[0]


def connect(client: Client, name: str) -> Account:
    """Connect a sub-account as its row's action does: the parent stays in use."""
    organization = Organization.objects.get(name=name)
    parent = Account.objects.get(parent=None)
    form = {"token": token_of(name), "name": name, "parent": parent.pk, "organization": organization.pk, "stay": "1"}
    answer = client.post("/sign-in/", {**form, "next": HERE})
    assert (answer.status_code, answer["Location"]) == (302, HERE), answer.content.decode()
    return Account.objects.get(organization_id=organization.pk)


def rows(client: Client, query: str = "", path: str = HERE) -> dict[str, list[str]]:
    """The words of each row of the table by its first cell, in the table's order; the totals are the last."""
    return rows_of(unescape(client.get(f"{path}{query}").content.decode()))


def rows_of(page: str) -> dict[str, list[str]]:
    """The same of a page."""
    if "portfolio__table" not in page:
        return {}
    table = page.split("portfolio__table")[1].split("</table>")[0]
    cells = [
        re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in re.findall(r"<tr>.*?</tr>", table, re.S)
    ]
    words = [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells[1:]]
    return {row[0]: row[1:] for row in words}
