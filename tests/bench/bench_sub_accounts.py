"""What the page of all sub-accounts costs with everything known: twelve of them, all connected.

CPU is this process's own, through the whole middleware, up to the first byte: the page is one answer. The least of many runs.
"""

from typing import Any

from django.core.cache import cache
from django.test import Client

from dashboard.platform_api.vocabulary import PERMISSIONS_FOR_SUB_ACCOUNTS as PERMISSIONS
from tests.bench.figure import Figure, cpu

PAGE = "/dashboard/sub-accounts/"
COUNT = 12


def figures(runs: int = 30) -> list[Figure]:
    """Everything measured, on a database that is there and empty."""
    from dashboard.accounts.models import Account
    from dashboard.sandbox.models import Organization
    from tests.review_links.inbox_rows import make_comment, make_link  # models, after Django is set up

    client = Client(headers={"Accept-Encoding": "gzip"})
    family = Organization.objects.create(name="Bench family", pullzone="vz-00000000-00a")
    _connect(client, family, {})
    parent = Account.objects.get(name=family.name)
    for number in range(COUNT):
        name, zone = f"Bench school {number}", f"vz-{number:08}-00b"
        school = Organization.objects.create(name=name, pullzone=zone, parent=family)
        _connect(client, school, {"parent": parent.pk, "organization": school.pk, "stay": "1"})
    for account in parent.children.all():
        make_comment(make_link(account))
    page = client.get(PAGE).content  # everything is read once
    assert parent.children.count() == COUNT and page
    return [Figure("12 sub-accounts, everything known: CPU", cpu(lambda: client.get(PAGE), runs), 100, "ms")]


def _connect(client: Client, organization: Any, form: dict[str, Any]) -> None:
    """Give an organization of the embedded platform a token, and connect it."""
    from dashboard.sandbox.models import Token, User

    user = User.objects.create(organization=organization, name=organization.name, permissions=[*PERMISSIONS])
    token = Token.objects.create(value=f"bench-{organization.pk}", user=user)
    cache.clear()  # how often somebody signs in is limited
    answer = client.post("/sign-in/", {"token": token.value, "name": organization.name} | form)
    assert answer.status_code == 302
