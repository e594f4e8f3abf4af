"""What the inbox costs over all links: its first view with 30, 930 and 5,000 comments, in one run.

CPU is this process's own, through the whole middleware; the least of many runs.
"""

from django.test import Client, override_settings

from tests.bench.figure import Figure, cpu

INBOX = "/dashboard/review-links/inbox/"
SIZES = (1, 31, 167)
"""Videos with thirty comments each, as many as the platform takes."""


def figures(runs: int = 30) -> list[Figure]:
    """Everything measured, on a database that is there and empty."""
    from dashboard.accounts.models import Account
    from dashboard.sandbox import models as platform
    from tests.review_links.inbox_rows import make_library  # models, after Django is set up

    studio = platform.Organization.objects.create(name="Bench inbox", pullzone="vz-00000000-001")
    user = platform.User.objects.create(organization=studio, name="Bench inbox", email="inbox@example.org")
    platform.Token.objects.create(value="bench-inbox", user=user)
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.post("/sign-in/", {"token": "bench-inbox", "name": "Bench inbox", "person": "Ana"})
    account, costs, made = Account.objects.get(name="Bench inbox"), [], 0
    with override_settings(PLATFORM_REVIEW_READS=False):
        for size in SIZES:
            make_library(account, size - made, 30)
            made = size
            client.get(INBOX)  # the index is made once
            costs.append(cpu(lambda: client.get(INBOX), runs))
    thirty, thousand, many = costs
    return [
        Figure("inbox of 30 comments: CPU", thirty, 100, "ms"),
        Figure("inbox of 930 comments: CPU, over 30", thousand / thirty, 1.3, "times"),
        Figure("inbox of 5,010 comments: CPU, over 30", many / thirty, 1.3, "times"),
    ]
