"""A large library in the demo's account: thousands of lessons in courses, a deep tree of folders, a wide funnel, sub-accounts.

What is there stays; as much is added as is missing. The same number always gives the same record.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final
from uuid import UUID

from django.db import transaction

from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.sandbox import jobs
from dashboard.sandbox.models import Folder, Funnel, FunnelVideo, Organization, Subtitle, Token, User, Video
from dashboard.sandbox.seed.people import external_id, known, pullzone, token

DATABASE: Final = "sandbox"
TOPICS: Final = (
    "Planting",
    "Harvest",
    "Drying",
    "Roasting",
    "Brewing",
    "Tasting",
    "Water",
    "Milk",
    "Espresso",
    "Trade",
)
MODULES: Final = 4
LESSONS: Final = 10
"""Of a module, which is a folder; four of them are in the folder of their course."""
CARDS_A_ROW: Final = 20
STEP: Final = 320
"""Between two cards of the funnel, in its units."""
SCHOOL_VIDEOS_MOST: Final = 3
CHUNK: Final = 2_000
LANGUAGES: Final = ("pt-BR", "es", "en-US", "fr")
"""Each lesson has the first of them, fewer have the next."""
VTT: Final = "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\nA lesson about coffee.\n"
SENTENCES: Final = (
    "Hoje começamos pelo que está na mesa.",
    "E agora vamos ver a tabela completa, linha por linha.",
    "Antes de continuar, uma palavra sobre a máquina.",
    "Este trecho é só para quem já tem moedor.",
    "Repare na cor, e espere.",
    "E essa é a diferença entre os dois.",
)
SPOKEN: Final = "WEBVTT\n\n" + "".join(
    f"{n // 2:02}:{n % 2 * 30:02}.000 --> {n // 2:02}:{n % 2 * 30 + 29:02}.000\n{SENTENCES[n % len(SENTENCES)]}\n\n"
    for n in range(23 * 2)
)
"""What is said in every lesson, in the first language, to the end of the longest."""
BYTES_PER_SECOND: Final = 312_000


@dataclass(frozen=True)
class LibrarySize:
    """How much of everything there is to be in the account, with what it has already."""

    videos: int = 5_000
    folders: int = 10_000
    cards: int = 300
    sub_accounts: int = 12


LARGE: Final = LibrarySize()


def seed_large(now: datetime, size: LibrarySize = LARGE) -> LibrarySize:
    """Add what is missing to the owner's account. Returns how much of everything was added."""
    owner = {"organization_id": known("organization", "owner"), "user_id": known("user", "owner")}
    with transaction.atomic(using=DATABASE):
        folders = _count_missing(size.folders, Folder.objects.filter(organization_id=owner["organization_id"]).count())
        videos = _count_missing(size.videos, Video.objects.filter(organization_id=owner["organization_id"]).count())
        children = Organization.objects.filter(parent_id=owner["organization_id"]).count()
        accounts = _count_missing(size.sub_accounts, children)
        _create(Folder, islice(_folders(owner, now), folders))
        _create(Video, islice(_videos(owner, now, folders), videos))
        _create(Subtitle, _subtitles(now, videos))
        _seed_sub_accounts(now, accounts)
        cards = _seed_cards(now, min(size.cards, videos))
    return LibrarySize(videos, folders, cards, accounts)


def _count_missing(size: int, there: int) -> int:
    return max(0, size - there)


def _create(model: type[Folder] | type[Video] | type[Subtitle], rows: Iterator[object]) -> None:
    """Write the rows that are not there, in steps."""
    while chunk := list(islice(rows, CHUNK)):
        model._default_manager.bulk_create(chunk, ignore_conflicts=True)  # type: ignore[arg-type]  # rows of the model


def _folders(owner: dict[str, UUID], now: datetime) -> Iterator[Folder]:
    """Courses with their modules, and after the last lesson as many empty years of an archive as are wanted."""
    number = 0
    while True:
        course, place = divmod(number, MODULES + 1)
        topic = TOPICS[course % len(TOPICS)]
        name = f"Course {course + 1:04}: {topic}" if place == 0 else f"{place} {TOPICS[(course + place) % len(TOPICS)]}"
        yield Folder(
            id=_folder_id(number),
            parent_id=_folder_id(number - place) if place else None,
            name=name,
            created_at=now - timedelta(days=400, minutes=-number),
            updated_at=now - timedelta(days=400, minutes=-number),
            **owner,
        )
        number += 1


def _folder_id(number: int) -> UUID:
    return known("folder", f"large {number}")


def _videos(owner: dict[str, UUID], now: datetime, folders: int) -> Iterator[Video]:
    number = 0
    while True:
        course, lesson = divmod(number, MODULES * LESSONS)
        folder = course * (MODULES + 1) + 1 + lesson // LESSONS
        topic = TOPICS[(course + lesson) % len(TOPICS)]
        came = now - timedelta(days=number % 390, minutes=number % 1_400)
        seconds = 180 + number * 37 % 1_200
        yield Video(
            id=_video_id(number),
            external_id=external_id(f"large {number}", number % 24 + 1),
            folder_id=_folder_id(folder) if folder < folders else None,
            title=f"{topic}, lesson {lesson + 1} of course {course + 1}",
            status=VideoStatus.CONVERTED,
            length=seconds,
            storage_size=seconds * BYTES_PER_SECOND,
            converted_at=came + timedelta(minutes=2),
            created_at=came,
            updated_at=came,
            **owner,
        )
        number += 1


def _video_id(number: int) -> UUID:
    return known("video", f"large {number}")


def _subtitles(now: datetime, videos: int) -> Iterator[Subtitle]:
    """Every lesson in the first language, two of three in the second, every other in the third, every fifth in the last."""
    for number in range(videos):
        has = (True, number % 3 > 0, number % 2 == 0, number % 5 == 0)
        for lang in (lang for lang, is_there in zip(LANGUAGES, has, strict=True) if is_there):
            yield Subtitle(
                id=known("subtitle", f"large {number} {lang}"),
                video_id=_video_id(number),
                lang=lang,
                label=jobs.language_name(lang),
                vtt=SPOKEN if lang == LANGUAGES[0] else VTT,
                created_at=now - timedelta(days=1),
                updated_at=now - timedelta(days=1),
            )


def _seed_cards(now: datetime, cards: int) -> int:
    """One funnel with so many cards, row by row."""
    funnel, _is_new = Funnel.objects.get_or_create(
        id=known("funnel", "large"),
        defaults={
            "organization_id": known("organization", "owner"),
            "name": "All courses",
            "created_at": now,
            "updated_at": now,
        },
    )
    there = funnel.placed.count()
    rows = [
        FunnelVideo(
            funnel=funnel,
            video_id=_video_id(number),
            x=number % CARDS_A_ROW * STEP,
            y=number // CARDS_A_ROW * STEP,
            is_first=number == 0,
        )
        for number in range(there, cards)
    ]
    FunnelVideo.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _seed_sub_accounts(now: datetime, count: int) -> None:
    """Sub-accounts with a person and a token each, and some with videos."""
    keys = [f"large {number}" for number in range(1, count + 1)]
    when = {"created_at": now - timedelta(days=200), "updated_at": now - timedelta(days=200)}
    organizations = [
        Organization(
            id=known("organization", key),
            parent_id=known("organization", "owner"),
            name=f"School {number}",
            pullzone=pullzone(key),
            library_id=known("library", key),
            ready_at=now - timedelta(days=200),
            **when,
        )
        for number, key in enumerate(keys, 1)
    ]
    users = [
        User(
            id=known("user", key),
            organization_id=known("organization", key),
            name=f"School {number}",
            email=f"school{number}@example.org",
            **when,
        )
        for number, key in enumerate(keys, 1)
    ]
    tokens = [Token(value=token(key), user_id=known("user", key), note=f"School {n}") for n, key in enumerate(keys, 1)]
    Organization.objects.bulk_create(organizations, ignore_conflicts=True)
    User.objects.bulk_create(users, ignore_conflicts=True)
    Token.objects.bulk_create(tokens, ignore_conflicts=True)
    Video.objects.bulk_create(_school_videos(keys, now), ignore_conflicts=True)


def _school_videos(keys: list[str], now: datetime) -> Iterator[Video]:
    """From none to three videos for each sub-account."""
    for number, key in enumerate(keys, 1):
        for place in range(number % (SCHOOL_VIDEOS_MOST + 1)):
            came = now - timedelta(days=120 + place)
            yield Video(
                id=known("video", f"{key} {place}"),
                external_id=external_id(f"{key} {place}", 1),
                organization_id=known("organization", key),
                user_id=known("user", key),
                title=f"Open day {place + 1} at School {number}",
                status=VideoStatus.CONVERTED,
                length=300 + 60 * place,
                storage_size=(300 + 60 * place) * BYTES_PER_SECOND,
                converted_at=came + timedelta(minutes=2),
                created_at=came,
                updated_at=came,
            )
