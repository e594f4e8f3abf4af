"""What the weekly report counts of an account's links."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from review_portal import owners
from review_portal.models import Decision, Reviewer, ReviewLink


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_week_counts_decisions_and_none_that_took_one_back(account: Account, link: ReviewLink) -> None:
    reviewer = Reviewer.objects.create(link=link)
    for verdict in (Decision.Verdict.APPROVED, Decision.Verdict.CHANGES, Decision.Verdict.WITHDRAWN):
        Decision.objects.create(link=link, reviewer=reviewer, key=uuid4(), verdict=verdict, name="Ana", version=1)
    hour = timedelta(hours=1)
    week = owners.count_week(account, timezone.now() - hour, timezone.now() + hour)
    assert week.decisions == 2
