"""What the owner is working on: jobs in every state, A/B tests in every state, and AI content in several languages."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from dashboard.platform_api.vocabulary import CreditStatus, CreditType, JobStatus, JobType, TestStatus
from dashboard.sandbox import ai_packages, credits
from dashboard.sandbox.models import AiFile, Comparison, ComparisonVideo, CreditEntry, Job
from dashboard.sandbox.seed.identity import comparison_id, known

_DAY: Final = 24 * 60


class Task(NamedTuple):
    """A subtitle job; times in minutes from now, the past below zero. Without `target` it is a transcription."""

    video: str
    source: str
    target: str
    sent: float
    starts: float
    ends: float
    outcome: str = JobStatus.FINISHED
    reason: str = ""


TASKS: Final = (
    Task("launch_film", "pt-BR", "en-US", -2.2, -1.2, 4),
    Task("launch_film", "pt-BR", "fr", -2.2, -0.97, 6.5),
    Task("brewing_at_altitude", "pt-BR", "en-US", -2.1, -0.7, 9),
    Task("launch_film", "pt-BR", "de", -1.5, 3, 8),
    Task("brewing_at_altitude", "pt-BR", "fr", -1.5, 5, 12),
    Task("from_cherry_to_cup", "pt-BR", "fr", -14, -12, -9, JobStatus.ERROR, "The translation could not be completed"),
    Task(
        "how_we_roast", "pt-BR", "en-US", -14, -12.5, -10, JobStatus.SKIPPED, "The source subtitle has too little text"
    ),
    Task("from_cherry_to_cup", "pt-BR", "en-US", -190, -189, -187),
    Task("from_cherry_to_cup", "pt-BR", "es", -190, -189, -188),
    Task("answers", "pt-BR", "en-US", -2 * _DAY, -2 * _DAY + 1, -2 * _DAY + 3),
    Task("how_we_roast", "pt-BR", "de", -3 * _DAY, -3 * _DAY + 1, -3 * _DAY + 2),
    Task(
        "rain",
        "pt-BR",
        "",
        -4 * _DAY,
        -4 * _DAY + 1,
        -4 * _DAY + 2,
        JobStatus.SKIPPED,
        "No speech was found in the audio",
    ),
    Task("tape", "pt-BR", "", -5 * _DAY, -5 * _DAY + 1, -5 * _DAY + 2, JobStatus.ERROR, "The audio could not be read"),
    Task("launch_film", "pt-BR", "", -16 * _DAY, -16 * _DAY + 1, -16 * _DAY + 2),
    Task("launch_film", "pt-BR", "es", -15 * _DAY, -15 * _DAY + 1, -15 * _DAY + 2),
    Task("how_we_roast", "pt-BR", "", -47 * _DAY, -47 * _DAY + 1, -47 * _DAY + 4),
    Task("es_altitude", "es", "", -91 * _DAY, -91 * _DAY + 1, -91 * _DAY + 5),
    Task("en_curve", "en", "", -168 * _DAY, -168 * _DAY + 1, -168 * _DAY + 6),
)


class Trial(NamedTuple):
    """An A/B test: variants with the play rates that are true of them; days before now."""

    key: str
    name: str
    description: str
    variants: tuple[tuple[str, float], ...]
    created: float
    started: float | None = None
    finished: float | None = None
    winner: str = ""


TRIALS: Final = (
    Trial(
        "draft",
        "Capa do canal: serra ou xícara",
        "Qual capa faz mais gente apertar o play na abertura do canal?",
        (("cover_hills", 0.30), ("cover_cup", 0.32)),
        created=4,
    ),
    Trial(
        "draft_lonely",
        "Subtítulos: ¿arriba o abajo?",
        "Falta grabar la segunda versión.",
        (("spot_es", 0.31),),
        created=2,
    ),
    Trial(
        "in_progress",
        "Opening: valley or cup",
        "Does starting on the cup make more people press play than starting on the valley?",
        (("launch_film", 0.311), ("launch_film_cup", 0.337)),
        created=17,
        started=15,
    ),
    Trial(
        "completed",
        "Teaser da safra: com ou sem legenda",
        "Quase todo mundo assiste sem som. A legenda queimada faz diferença?",
        (("teaser_plain", 0.262), ("teaser_captioned", 0.335)),
        created=61,
        started=60,
        finished=39,
        winner="teaser_captioned",
    ),
    Trial(
        "same_twice",
        "A/A: o mesmo convite duas vezes",
        "Conferência da medição: as duas variantes são idênticas.",
        (("fair", 0.29), ("fair_copy", 0.29)),
        created=92,
        started=90,
        finished=69,
        winner="fair",
    ),
)
PACKAGES: Final = (
    ("cherry_pt", "pt-BR", 100),
    ("cherry_pt", "en", 96),
    ("es_altitude", "es", 60),
    ("answers", "", 25),
)
"""Video, language (empty: the legacy file) and age in days of every AI content file."""


CREDITS_A_MONTH: Final = 600
MONTHS_OF_CREDITS: Final = 7


def plant(now: datetime) -> None:
    """Write jobs with the credits they used, A/B tests and AI content."""
    Job.objects.bulk_create(_job(number, task, now) for number, task in enumerate(TASKS))
    CreditEntry.objects.bulk_create([*_used(), *_renewed(now)])
    Comparison.objects.bulk_create(_comparison(trial, now) for trial in TRIALS)
    variants = [(trial, place, *variant) for trial in TRIALS for place, variant in enumerate(trial.variants)]
    ComparisonVideo.objects.bulk_create(
        ComparisonVideo(
            id=number,
            comparison_id=comparison_id(trial.key),
            video_id=known("video", video),
            position=place,
            play_rate=rate,
        )
        for number, (trial, place, video, rate) in enumerate(variants, 1)
    )
    AiFile.objects.bulk_create(
        AiFile(
            id=number,
            video_id=known("video", video),
            lang=lang,
            content=ai_packages.package(lang),
            written_at=now - timedelta(days=days),
            published_at=now - timedelta(days=days) + timedelta(seconds=8),
        )
        for number, (video, lang, days) in enumerate(PACKAGES, 1)
    )


def _job(number: int, task: Task, now: datetime) -> Job:
    return Job(
        id=known("job", str(number)),
        video_id=known("video", task.video),
        type=JobType.TRANSLATION if task.target else JobType.TRANSCRIPTION,
        from_lang=task.source,
        to_lang=task.target,
        created_at=now + timedelta(minutes=task.sent),
        starts_at=now + timedelta(minutes=task.starts),
        ends_at=now + timedelta(minutes=task.ends),
        outcome=task.outcome,
        reason=task.reason,
        settled=task.ends <= 0,
    )


def _used() -> Iterator[CreditEntry]:
    """What the jobs of the demo used; those that did not finish gave it back."""
    owner = known("organization", "owner")
    for job in Job.objects.select_related("video").order_by("created_at", "id"):
        entry = credits.entry_of(owner, job)
        if job.settled and job.outcome != JobStatus.FINISHED:
            entry.status = CreditStatus.REFUNDED
        yield entry


def _renewed(now: datetime) -> Iterator[CreditEntry]:
    """What every month of the plan brought, the last one twelve days ago."""
    for month in range(MONTHS_OF_CREDITS):
        yield CreditEntry(
            id=known("credits", str(month)),
            organization_id=known("organization", "owner"),
            type=CreditType.ADD,
            amount=CREDITS_A_MONTH,
            description="Credits of the plan",
            created_at=now - timedelta(days=12 + 30 * month),
        )


def _comparison(trial: Trial, now: datetime) -> Comparison:
    created_at = now - timedelta(days=trial.created)
    started = now - timedelta(days=trial.started) if trial.started else None
    finished = now - timedelta(days=trial.finished) if trial.finished else None
    status = TestStatus.IN_PROGRESS if started else TestStatus.DRAFT
    return Comparison(
        id=comparison_id(trial.key),
        organization_id=known("organization", "owner"),
        name=trial.name,
        description=trial.description,
        status=TestStatus.COMPLETED if finished else status,
        winner_id=known("video", trial.winner) if trial.winner else None,
        created_at=created_at,
        updated_at=finished or started or created_at,
        started_at=started,
        finished_at=finished,
    )
