"""The large library of the embedded platform: so many videos, folders, cards and sub-accounts, added once."""

from typing import Any

import pytest
from django.utils import timezone

from dashboard.sandbox.models import Folder, Funnel, Organization, Subtitle, Video
from dashboard.sandbox.seed.large import LibrarySize, seed_large

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SIZE = LibrarySize(videos=200, folders=60, cards=30, sub_accounts=5)


def test_account_has_as_much_as_was_wanted_with_what_it_had(cast: dict[str, Any]) -> None:
    account = Video.objects.get(pk=cast["videos"]["plain"]).organization
    seed_large(timezone.now(), SIZE)
    assert Video.objects.filter(organization=account).count() == 200
    assert Folder.objects.filter(organization=account).count() == 60
    assert Organization.objects.filter(parent=account).count() == 5
    assert Funnel.objects.get(name="All courses").placed.count() == 30
    lessons = Video.objects.filter(title__contains=", lesson ")
    assert lessons.exclude(folder=None).exists()
    counts = [Subtitle.objects.filter(video__in=lessons, lang=lang).count() for lang in ("pt-BR", "es", "en-US", "fr")]
    assert counts == sorted(counts, reverse=True) and counts[0] == lessons.count() > counts[-1] > 0


def test_nothing_is_added_twice(cast: dict[str, Any]) -> None:
    seed_large(timezone.now(), SIZE)
    assert seed_large(timezone.now(), SIZE) == LibrarySize(0, 0, 0, 0)
    assert Video.objects.get(pk=cast["videos"]["plain"]).title
