"""Reviewers: the session token [5] is created here and stored sealed; the browser holds only a signed id.

The cookie is bound to its link by its path and by its signature: a cookie of one link proves nothing on another.
"""

import uuid

from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from dashboard.accounts import identity
from dashboard.accounts.models import Account
from dashboard.shared import vault
from review_portal.models import Reviewer, ReviewLink

COOKIE = "reviewer"
COOKIE_AGE = 60 * 60 * 24 * 60
"""Seconds: twice the longest life of a link, so that what is closed can still be read as one's own."""


def get_reviewer(request: HttpRequest, link: ReviewLink) -> Reviewer | None:
    """The reviewer whose cookie came with the request; None without one, and for a cookie that is not ours."""
    reviewer_id = get_id(request, link.pk)
    return Reviewer.objects.filter(pk=reviewer_id, link=link).first() if reviewer_id else None


def get_id(request: HttpRequest, link_id: uuid.UUID) -> str:
    """Whom the cookie names, without a look at the database; "" without one, and for a cookie that is not ours."""
    try:
        return str(uuid.UUID(identity.signer(f"{COOKIE}:{link_id}").unsign(request.COOKIES.get(COOKIE, ""))))
    except (signing.BadSignature, ValueError):
        return ""


def create_reviewer(link: ReviewLink, name: str, key: uuid.UUID) -> Reviewer:
    """Create the reviewer who begins with the form `key`. Each has a token of their own: shared ones could edit each other.

    A browser without a cookie that sends the same form twice, even at the same time, is one person.
    """
    reviewer, _new = Reviewer.objects.get_or_create(
        pk=uuid.uuid5(link.pk, str(key)),
        defaults={"link": link, "name": name, "sealed_token": vault.seal(str(uuid.uuid4()))},
    )
    return reviewer


def rename(reviewer: Reviewer, name: str) -> None:
    """Remember under which name they write now; comments written before keep theirs."""
    if reviewer.name != name:
        reviewer.name = name
        reviewer.save(update_fields=["name"])


def set_cookie(response: HttpResponse, reviewer: Reviewer) -> None:
    """Let the browser remember who it is on this link."""
    response.set_cookie(
        COOKIE,
        identity.signer(f"{COOKIE}:{reviewer.link_id}").sign(str(reviewer.pk)),
        max_age=COOKIE_AGE,
        path=f"/{reviewer.link_id}",
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def find_owner(link: ReviewLink, account: Account) -> Reviewer | None:
    """The account as a reviewer of its link, if it ever acted there."""
    return Reviewer.objects.filter(link=link, account=account).first()


def get_or_create_owner(link: ReviewLink, account: Account) -> Reviewer:
    """The account itself as a reviewer of its link: one token for all that it does there."""
    reviewer = find_owner(link, account)
    if reviewer is not None:
        return reviewer
    try:
        with transaction.atomic():
            sealed = vault.seal(str(uuid.uuid4()))
            return Reviewer.objects.create(link=link, account=account, name=account.name, sealed_token=sealed)
    except IntegrityError:
        return Reviewer.objects.get(link=link, account=account)
