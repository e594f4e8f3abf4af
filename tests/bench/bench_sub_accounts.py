"""What the page of all sub-accounts costs with everything known: twelve of them, all connected.

CPU is this process's own, through the whole middleware, up to the first byte: the page is one answer. The least of many runs.
"""

from django.core.cache import cache
from django.test import Client

from tests.bench.figure import Figure, cpu

PAGE = "/dashboard/sub-accounts/"
COUNT = 12


def figures(runs: int = 30) -> list[Figure]:
    """Everything measured, on a database that is there and empty."""
    from dashboard.accounts.models import Account
    from tests.review_links.inbox_rows import make_comment, make_link  # models, after Django is set up

    client = Client(headers={"Accept-Encoding": "gzip"})
    parent = _make_family(client)
    for account in parent.children.all():
        make_comment(make_link(account))
    assert Account.objects.filter(parent=parent).count() == COUNT
    page = client.get(PAGE).content  # everything is read once
    assert page
    return [Figure("12 sub-accounts, everything known: CPU", cpu(lambda: client.get(PAGE), runs), 100, "ms")]


def _make_family(client: Client) -> "Account":  # noqa: F821  # a model, after Django is set up
    """A parent with its sub-accounts, all connected in this browser."""
    from dashboard.accounts.models import Account
    from dashboard.sandbox import models as platform

    parent = platform.Organization.objects.create(name="Bench parent", pullzone="vz-00000000-00a")
    for number in range(COUNT + 1):
        name = f"Bench school {number}" if number else parent.name
        organization = parent
        if number:
            zone = f"vz-{number:08}-00b"
            organization = platform.Organization.objects.create(name=name, pullzone=zone, parent=parent)
        user = platform.User.objects.create(
            organization=organization,
            name=name,
            email=f"bench{number}@example.org",
            permissions=["get-subaccount", "put-subaccount"],
        )
        platform.Token.objects.create(value=f"bench-sub-{number}", user=user)
        cache.clear()  # how often somebody signs in is limited
        form = {"token": f"bench-sub-{number}", "name": name}
        if number:
            form |= {"parent": str(account.pk), "organization": str(organization.pk), "stay": "1"}
        client.post("/sign-in/", form)
        account = Account.objects.get(name=parent.name)
    return account
