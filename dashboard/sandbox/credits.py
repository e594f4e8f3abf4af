"""AI credits of an organization: what jobs use, what they give back, and what is left."""

import math
from typing import Final
from uuid import UUID, uuid5

from django.db.models import Q, Sum

from dashboard.platform_api.vocabulary import ALL_TEXT_ITEMS, CreditStatus, CreditType, JobType
from dashboard.sandbox.models import CreditEntry, Job, Organization

_ENTRY: Final = "credits"
_WORDS: Final[dict[str, str]] = {
    JobType.TRANSCRIPTION: "Transcription",
    JobType.TRANSLATION: "Translation",
    ALL_TEXT_ITEMS: "AI content",
}


def cost(length: float) -> int:
    """Credits for a video of so many seconds: one for each minute that has begun."""
    return max(1, math.ceil(length / 60))


def entry_of(organization_id: UUID, job: Job) -> CreditEntry:
    """What a job uses; its identifier is made of the job's."""
    languages = f"{job.from_lang} to {job.to_lang}" if job.to_lang else job.from_lang
    return CreditEntry(
        id=uuid5(job.id, _ENTRY),
        organization_id=organization_id,
        video_id=job.video_id,
        type=CreditType.SUB,
        amount=cost(job.video.length),
        description=f"{_WORDS.get(job.type, job.type)}, {languages}",
        created_at=job.created_at,
    )


def use(organization: Organization, job: Job) -> None:
    """Take what the job costs from the organization whose token it was sent with."""
    entry_of(organization.pk, job).save(force_insert=True)


def use_too(follower: Job, first: Job) -> None:
    """Take what a job costs that follows another one from whoever sent that."""
    payer = CreditEntry.objects.filter(pk=uuid5(first.id, _ENTRY)).values_list("organization_id", flat=True).first()
    if payer is not None:
        entry_of(payer, follower).save(force_insert=True)


def refund(job: Job) -> None:
    """Give back what the job used."""
    CreditEntry.objects.filter(pk=uuid5(job.id, _ENTRY)).update(status=CreditStatus.REFUNDED)


def balance(organization: Organization) -> int:
    """What is left; never below zero."""
    kinds = organization.credit_entries.aggregate(
        added=Sum("amount", filter=Q(type=CreditType.ADD)),
        used=Sum("amount", filter=Q(type=CreditType.SUB) & ~Q(status=CreditStatus.REFUNDED)),
    )
    return max(0, (kinds["added"] or 0) - (kinds["used"] or 0))
