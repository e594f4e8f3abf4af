"""What is kept of the custom fields of every video: as they were read for searching."""

from django.db.models import Count, Max

from dashboard.accounts.models import Account
from dashboard.custom_fields import queries
from dashboard.custom_fields.models import Field
from dashboard.upstream.facts import VideoFacts, VideoSource, register_source


def _load_fields(account: Account) -> VideoFacts:
    """By video, its fields as (key, value). Once all were read, a video without any has none."""
    fields: dict[str, tuple[tuple[str, str], ...]] = {}
    rows = Field.objects.filter(account_id=account.pk).order_by("video_id", "key", "pk")
    for video, key, value in rows.values_list("video_id", "key", "value"):
        fields[video] = (*fields.get(video, ()), (key, value))
    reading = queries.get_reading(account.pk)
    return VideoFacts(fields, () if reading is not None and reading.finished_at is not None else None)


def _version(account: Account) -> tuple[object, ...]:
    totals = Field.objects.filter(account_id=account.pk).aggregate(count=Count("pk"), newest=Max("read_at"))
    reading = queries.get_reading(account.pk)
    return (*totals.values(), reading.finished_at if reading else None)


register_source(VideoSource("fields", _version, _load_fields))
