"""What the owner works on: jobs, A/B tests, AI content, reviews, lives, funnels, playlists, custom fields, assistants."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from dashboard.platform_api.vocabulary import (
    CommentStatus,
    CreditStatus,
    CreditType,
    JobStatus,
    JobType,
    LinkStatus,
    LiveStatus,
    TestStatus,
)
from dashboard.sandbox import jobs
from dashboard.sandbox.models import (
    AiFile,
    Assistant,
    ChatVisibility,
    Comparison,
    ComparisonVideo,
    CreditEntry,
    CustomField,
    Funnel,
    FunnelVideo,
    Job,
    Live,
    Playlist,
    PlaylistVideo,
    ReviewComment,
    ReviewLink,
    Video,
    live_id,
)
from dashboard.sandbox.seed.people import comparison_id, known, read_content


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


_CONTENT: Final = read_content("work")
TASKS: Final = tuple(Task(**task) for task in _CONTENT["tasks"])
TRIALS: Final = tuple(Trial(**trial) for trial in _CONTENT["trials"])
BROADCASTS: Final = tuple(Broadcast(**broadcast) for broadcast in _CONTENT["broadcasts"])
COURSES: Final = tuple(Course(**course) for course in _CONTENT["courses"])
FUNNELS: Final = _CONTENT["funnels"]
ASSISTANTS: Final = _CONTENT["assistants"]
CREDITS_A_MONTH: Final = 600
MONTHS_OF_CREDITS: Final = 7


def seed_jobs_and_tests(now: datetime) -> None:
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
            content=jobs.package(lang),
            written_at=now - timedelta(days=days),
            published_at=now - timedelta(days=days) + timedelta(seconds=8),
        )
        for number, (video, lang, days) in enumerate(_CONTENT["packages"], 1)
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
        entry = jobs.credit_entry_of(owner, job)
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


def seed_publications(now: datetime) -> None:
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
        for video, key, value in _CONTENT["fields"]
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
    places = _CONTENT["places"]
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
            is_first=key not in (funnel for funnel, *_ in places[: number - 1]),
        )
        for number, (key, video, x, y) in enumerate(places, 1)
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


def seed_reviews(now: datetime) -> None:
    """Write links and comments. A person keeps one reviewer token per link, as a browser does."""
    links = [link for name in ("reviews", "review_full") for link in read_content(name)["link"]]
    ReviewLink.objects.bulk_create(_link(link, now) for link in links)
    mains = [(link, number, text) for link in links for number, text in enumerate(link.get("comment", []))]
    ReviewComment.objects.bulk_create(_comment(link, f"{number}", text, now) for link, number, text in mains)
    ReviewComment.objects.bulk_create(
        _reply(link, number, place, text, now)
        for link, number, text in mains
        for place in range(len(text.get("replies", [])))
    )


def reviewer(link: str, name: str) -> str:
    """The token with which somebody wrote in a link."""
    return str(known("reviewer", f"{link} {name}"))


def _link(link: dict[str, Any], now: datetime) -> ReviewLink:
    created = now - timedelta(minutes=link["created"])
    return ReviewLink(
        id=known("link", link["key"]),
        video_id=known("video", link["video"]),
        name=link["name"],
        status=link.get("status", LinkStatus.ACTIVE),
        expires_at=now + timedelta(days=link["closes"]),
        allow_comment=link.get("allow_comment", True),
        allow_status_edit=link.get("allow_status_edit", True),
        show_resolved=link.get("show_resolved", True),
        created_at=created,
        updated_at=created,
    )


def _comment(link: dict[str, Any], key: str, source: dict[str, Any], now: datetime) -> ReviewComment:
    written_at = now - timedelta(minutes=source["ago"])
    last = min((reply[1] for reply in source.get("replies", [])), default=source["ago"])
    resolved = source.get("status") == CommentStatus.RESOLVED
    return ReviewComment(
        id=known("comment", f"{link['key']} {key}"),
        video_id=known("video", link["video"]),
        token=reviewer(link["key"], source["who"]),
        user_name=source["who"],
        text=source["text"],
        status=source.get("status", CommentStatus.OPEN),
        time=source["at"],
        created_at=written_at,
        updated_at=now - timedelta(minutes=last - 2) if resolved else written_at,
    )


def _reply(link: dict[str, Any], number: int, place: int, source: dict[str, Any], now: datetime) -> ReviewComment:
    who, ago, text = source["replies"][place]
    reply = {"who": who, "ago": ago, "text": text, "at": source["at"]}
    comment = _comment(link, f"{number} {place}", reply, now)
    comment.reply_to_id = known("comment", f"{link['key']} {number}")
    return comment
