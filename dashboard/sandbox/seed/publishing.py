"""How the owner shows videos: lives, funnels, playlists, custom fields, assistants."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from dashboard.platform_api.vocabulary import LiveStatus
from dashboard.sandbox.models import (
    Assistant,
    ChatVisibility,
    CustomField,
    Funnel,
    FunnelVideo,
    Live,
    Playlist,
    PlaylistVideo,
    Video,
    live_id,
)
from dashboard.sandbox.seed.identity import known


class Broadcast(NamedTuple):
    """A live: `scheduled` and `online` in hours from now, the past below zero; `hours` is how long a finished one was."""

    key: str
    house: str
    title: str
    scheduled: float | None = None
    online: float | None = None
    hours: float | None = None
    recording: str = ""
    broken: bool = False


class Course(NamedTuple):
    """A playlist and its videos in order."""

    key: str
    owner: str
    name: str
    description: str
    access: str
    videos: tuple[str, ...]


BROADCASTS: Final = (
    Broadcast("scheduled", "owner", "Prova ao amanhecer, ao vivo do terreiro", scheduled=46),
    Broadcast("scheduled_later", "owner", "Cata en vivo con Lucía", scheduled=212),
    Broadcast("unscheduled", "owner", "Ensaio de câmera e som"),
    Broadcast("online", "owner", "Terreiro ao vivo: a última secagem do ano", online=-0.4),
    Broadcast("ingest_broken", "owner", "Colheita ao vivo, câmera 2", scheduled=22, broken=True),
    Broadcast(
        "finished", "owner", "Prova ao vivo com a cooperativa", online=-58 * 24 - 1, hours=0.75, recording="tasting"
    ),
    Broadcast("finished_en", "owner", "Roasting night", online=-30 * 24 - 2, hours=0.9, recording="roasting_night"),
    Broadcast("trial", "trial", "Primeira transmissão do ateliê", scheduled=5),
    Broadcast("unreadable", "unreadable", "Programa da manhã", scheduled=9),
    Broadcast("other_account", "other", "Live de outra conta", scheduled=30),
)
FUNNELS: Final = (
    ("main", "owner", "Funil de lançamento", "launch"),
    ("course", "owner", "Entrada do curso", "course_pt"),
    ("empty", "owner", "Embudo para Bogotá", "course_es"),
    ("other_account", "other", "Funil de outra conta", ""),
)
PLACES: Final = (
    ("main", "launch_film", 40, 180),
    ("main", "from_cherry_to_cup", 300, 60),
    ("main", "brewing_at_altitude", 300, 300),
    ("main", "meet_joaquim", 560, 60),
    ("main", "answers", 620, 360),
    ("course", "trailer", 60, 160),
    ("course", "cherry_pt", 340, 160),
)
"""Funnel, video and its place on the canvas; the first of a funnel is its entry."""
_LESSONS: Final = (
    "pt_altitude pt_varieties pt_soil pt_calendar pt_picking pt_four_hours pt_processes pt_drying "
    "pt_curve pt_crack pt_defects pt_water pt_methods pt_cupping"
)
COURSES: Final = (
    Course(
        "own",
        "owner",
        "Para assistir com café na mão",
        "Seis filmes curtos, na ordem em que a gente mostra às visitas.",
        "public",
        ("launch_film", "meet_joaquim", "dalva", "bene", "rosa", "generations"),
    ),
    Course(
        "lessons", "owner", "Do pé à xícara, curso completo", "As catorze aulas.", "private", tuple(_LESSONS.split())
    ),
    Course(
        "clases",
        "owner",
        "De la cereza a la taza",
        "Las cinco clases en español.",
        "anyone_with_password",
        ("es_altitude", "es_picking", "es_drying", "es_crack", "es_cupping"),
    ),
    Course("old", "owner", "Rascunho 2023", "", "private", ("institutional",)),
    Course("other_account", "other", "Playlist de outra conta", "", "public", ("other_plain",)),
)
FIELDS: Final = (
    ("plain", "color", "terracota"),
    ("plain", "mood", "calmo"),
    ("launch_film", "campaign", "Lançamento 2026"),
    ("launch_film", "agency", "Estúdio Maré"),
    ("meet_joaquim", "course", "Do pé à xícara"),
    ("how_we_roast", "Nível de torra", "médio, 10,5% de desenvolvimento"),
    ("how_we_roast", "batch", "microlote 7"),
    ("pt_altitude", "module", "1"),
    ("pt_altitude", "teacher", "Joaquim Prado"),
    ("other_plain", "color", "azul"),
)
"""One key has an accent and a space: real accounts do, although new ones may not [2.6]."""
ASSISTANTS: Final[tuple[tuple[str, str, str, dict[str, bool]], ...]] = (
    ("main", "owner", "Mestra de torra", {"launch_film": False, "cherry_pt": True, "pt_curve": True, "pt_crack": True}),
    ("shop", "owner", "Balcão da loja", {"launch_film": True}),
    ("other_account", "other", "Assistente de outra conta", {}),
)


def plant(now: datetime) -> None:
    """Write lives, funnels, playlists, custom fields and assistants."""
    _lives(now)
    _funnels(now)
    _playlists(now)
    CustomField.objects.bulk_create(
        CustomField(
            id=known("field", f"{video} {key}"),
            video_id=known("video", video),
            key=key,
            value=value,
            created_at=now - timedelta(days=6),
            updated_at=now - timedelta(days=6),
        )
        for video, key, value in FIELDS
    )
    _assistants(now)


def _lives(now: datetime) -> None:
    Live.objects.bulk_create(_live(cast, now) for cast in BROADCASTS)
    for cast in BROADCASTS:
        if cast.recording:
            Video.objects.filter(pk=known("video", cast.recording)).update(live_id=live_id(known("live", cast.key)))


def _live(cast: Broadcast, now: datetime) -> Live:
    online = now + timedelta(hours=cast.online) if cast.online is not None else None
    finished = online + timedelta(hours=cast.hours) if online and cast.hours else None
    created_at = (online or now) - timedelta(days=3)
    over = LiveStatus.FINISHED_IMPORTED if cast.recording else LiveStatus.FINISHED
    return Live(
        id=live_id(known("live", cast.key)),
        organization_id=known("organization", cast.house),
        title=cast.title,
        status=over if finished else LiveStatus.ONLINE if online else LiveStatus.OFFLINE,
        scheduled_at=now + timedelta(hours=cast.scheduled) if cast.scheduled else None,
        online_at=online,
        finished_at=finished,
        ingest_broken=cast.broken,
        created_at=created_at,
        updated_at=finished or online or created_at,
    )


def _funnels(now: datetime) -> None:
    created_at = now - timedelta(days=18)
    Funnel.objects.bulk_create(
        Funnel(
            id=known("funnel", key),
            organization_id=known("organization", house),
            name=name,
            folder_id=known("folder", folder) if folder else None,
            created_at=created_at,
            updated_at=created_at,
        )
        for key, house, name, folder in FUNNELS
    )
    FunnelVideo.objects.bulk_create(
        FunnelVideo(
            id=number,
            funnel_id=known("funnel", key),
            video_id=known("video", video),
            x=x,
            y=y,
            is_first=key not in (funnel for funnel, *_ in PLACES[: number - 1]),
        )
        for number, (key, video, x, y) in enumerate(PLACES, 1)
    )


def _playlists(now: datetime) -> None:
    for number, course in enumerate(COURSES):
        created_at = now - timedelta(days=20 + number * 30)
        Playlist.objects.create(
            id=known("playlist", course.key),
            user_id=known("user", course.owner),
            name=course.name,
            description=course.description,
            access_type=course.access,
            created_at=created_at,
            updated_at=created_at,
        )
    entries = [(course.key, place, video) for course in COURSES for place, video in enumerate(course.videos)]
    PlaylistVideo.objects.bulk_create(
        PlaylistVideo(id=number, playlist_id=known("playlist", key), video_id=known("video", video), position=place)
        for number, (key, place, video) in enumerate(entries, 1)
    )


def _assistants(now: datetime) -> None:
    created_at = now - timedelta(days=30)
    Assistant.objects.bulk_create(
        Assistant(
            id=known("assistant", key),
            organization_id=known("organization", house),
            name=name,
            created_at=created_at,
            updated_at=created_at,
        )
        for key, house, name, _ in ASSISTANTS
    )
    entries = [(key, video, visible) for key, _, _, chats in ASSISTANTS for video, visible in chats.items()]
    ChatVisibility.objects.bulk_create(
        ChatVisibility(id=number, assistant_id=known("assistant", key), video_id=known("video", video), visible=visible)
        for number, (key, video, visible) in enumerate(entries, 1)
    )
