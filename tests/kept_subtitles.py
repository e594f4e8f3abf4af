"""The subtitles of every video of an account, kept as the worker keeps what it reads."""

import json

from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.platform import question_of
from dashboard.sandbox import serializers
from dashboard.sandbox.models import Token
from dashboard.upstream import clients, store
from dashboard.upstream.languages import LANGUAGES


def keep_subtitles(account: Account) -> int:
    """Keep what the platform answers of each video now. Returns how many videos there are."""
    organization = Token.objects.get(value=account.token).user.organization
    assert organization is not None
    reads, now = clients.config().review_reads, timezone.now()
    rows = []
    for video in organization.videos.prefetch_related("subtitles"):
        told = [serializers.subtitle(subtitle, video) for subtitle in video.subtitles.all()]
        question = question_of(LANGUAGES.query(str(video.pk)).call, review_reads=reads)
        body = json.dumps({"subtitles": told}, default=str).encode()
        rows.append(store._Unwritten(account.pk, question, Answer(200, {}, body), now))
    store._insert(rows)
    return len(rows)
