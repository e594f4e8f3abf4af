"""Reviewers: the session token [5] is created here and stored sealed; the browser holds only a signed id.

The cookie is bound to its link by its path and by its signature: a cookie of one link proves nothing on another.

A code lets one more device go on as a reviewer: it works once, on its link, for a few minutes. What passes between the
devices is the code alone, kept here as a keyed hash. The session token stays where it is; the new device gets the same
signed cookie, and only after somebody there has seen whose it is and pressed the button.
"""

import secrets
import uuid
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from dashboard.accounts import identity
from dashboard.accounts.models import Account
from dashboard.shared import vault
from review_portal.models import Passage, Reviewer, ReviewLink

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


ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without characters that look alike: people type codes from another screen."""
LENGTH: Final = 10
"""31 letters and digits in 10 places are 8.2e14 codes, so no limit per link is needed, and nobody can be locked out by others.

Guessing is limited for who guesses: 200 looks in 10 minutes from one network, and 400 at most while one code lives, as the
windows are fixed. 10,000 networks together, all that time, find one living code with a chance of 4e6 / 8.2e14 = 5e-9; a
year of that (52,560 times) with a code living at every moment, of 0.03%.
"""
MINUTES: Final = 10
KEPT: Final = timedelta(days=1)
"""How long a used or expired code still gets its own error."""

TRIES_PER_ADDRESS: Final = (20, 600)
"""Looks at a code, seconds. One passage needs two."""
TRIES_PER_NETWORK: Final = (200, 600)
"""More than for one address: in an office or behind a mobile provider, many people are one network."""
CODES_PER_REVIEWER: Final = (6, 600)


class Refusal(StrEnum):
    """Why a code does not work."""

    UNKNOWN = "unknown"
    """Mistyped, replaced by a newer one, or of another link: nobody is told which."""
    USED = "used"
    OVER = "over"
    TOO_OFTEN = "too-often"


def create_code(reviewer: Reviewer, now: datetime) -> str:
    """A new code for the reviewer; the one before, if nobody used it, is worth nothing any more."""
    reviewer.passages.filter(used_at=None).delete()
    Passage.objects.filter(expires_at__lt=now - KEPT).delete()
    code = "".join(secrets.choice(ALPHABET) for _place in range(LENGTH))
    expires_at = now + timedelta(minutes=MINUTES)
    Passage.objects.create(
        reviewer=reviewer, code_hash=_hash(reviewer.link, code, identity.key()), expires_at=expires_at
    )
    return code


def normalize(typed: str) -> str:
    """The code as it was minted, however it was typed."""
    return "".join(character for character in typed.upper() if character.isalnum())[: LENGTH * 4]


def format_code(code: str) -> str:
    """For people: in two halves."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def find_passage(link: ReviewLink, typed: str, now: datetime) -> Passage | Refusal:
    """The passage that a typed code opens on this link, or why it opens none."""
    hashes = [_hash(link, normalize(typed), key) for key in identity.all_keys()]
    passage = Passage.objects.select_related("reviewer__link").filter(code_hash__in=hashes).first()
    if passage is None:
        return Refusal.UNKNOWN
    if passage.used_at is not None:
        return Refusal.USED
    return passage if passage.expires_at > now else Refusal.OVER


def use_passage(passage: Passage, now: datetime) -> bool:
    """Mark the code as used. False when another device used it first."""
    return bool(Passage.objects.filter(pk=passage.pk, used_at=None, expires_at__gt=now).update(used_at=now))


def _hash(link: ReviewLink, code: str, key: str | bytes) -> str:
    return salted_hmac("review_portal.device_codes", f"{link.pk} {code}", key, algorithm="sha256").hexdigest()
