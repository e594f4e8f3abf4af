"""What time has brought about: jobs whose end has come write their subtitle or AI content, once, when somebody looks."""

from datetime import datetime, timedelta
from typing import Final
from uuid import uuid5

from django.db import connections, transaction

from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, JobStatus, JobType
from dashboard.sandbox import ai_packages, captions, credits, timing
from dashboard.sandbox.http_types import JsonObject
from dashboard.sandbox.models import AiFile, Job, Subtitle, Video

_DUE: Final = "SELECT 1 FROM sandbox_job WHERE NOT settled AND ends_at <= %s LIMIT 1"
"""SQL, because every look at subtitles asks it: composing it anew took most of its time."""


def settle(now: datetime) -> None:
    """Carry out everything that was due by `now`, in the order in which it was due."""
    with connections["sandbox"].cursor() as cursor:
        cursor.execute(_DUE, [connections["sandbox"].ops.adapt_datetimefield_value(now)])
        if cursor.fetchone() is None:
            return
    with transaction.atomic(using="sandbox"):
        due = Job.objects.select_related("video").filter(settled=False, ends_at__lte=now).order_by("ends_at", "id")
        while job := due.first():
            _end(job)


def _end(job: Job) -> None:
    if job.outcome == JobStatus.FINISHED:
        if job.resources:
            _generated(job)
        elif job.type == JobType.TRANSCRIPTION:
            _transcribed(job)
        else:
            _translated(job)
    if job.outcome != JobStatus.FINISHED:
        credits.refund(job)
    job.settled = True
    job.save()


def _transcribed(job: Job) -> None:
    lang = job.video.spoken_lang if job.from_lang == AUTO_LANGUAGE else job.from_lang
    if _subtitle(job.video, lang):
        _skip(job)
        return
    _add(job, lang, captions.transcript(job.video.title, job.video.length, lang))
    for target in job.additional_langs:
        if target.lower() != lang.lower():
            _follow(job, lang, target)


def _translated(job: Job) -> None:
    source = _subtitle(job.video, job.from_lang)
    if source is None or _subtitle(job.video, job.to_lang):
        _skip(job)
    else:
        _add(job, job.to_lang, captions.translation(source.vtt, job.to_lang))


def _generated(job: Job) -> None:
    newest = job.video.ai_files.filter(lang=job.from_lang).order_by("-id").first()
    content = ai_packages.build_package(job.from_lang, job.resources)
    write_file(job.video, job.from_lang, {**(newest.content if newest else {}), **content}, job.ends_at)


def write_file(video: Video, lang: str, content: JsonObject, now: datetime) -> None:
    """The content of a language from now on; the CDN answers with it later."""
    AiFile.objects.create(
        video=video, lang=lang, content=content, written_at=now, published_at=now + timing.cdn_delay()
    )


def _skip(job: Job) -> None:
    job.outcome, job.reason = JobStatus.SKIPPED, "The subtitle changed while the job was waiting"


def _subtitle(video: Video, lang: str) -> Subtitle | None:
    return video.subtitles.filter(lang__iexact=lang).first()


def _add(job: Job, lang: str, vtt: str) -> None:
    Subtitle.objects.create(
        video=job.video,
        lang=lang,
        label=captions.language_name(lang),
        source="ai",
        vtt=vtt,
        created_at=job.ends_at,
        updated_at=job.ends_at,
    )


def _follow(job: Job, lang: str, target: str) -> None:
    """An extra language of a transcription becomes a translation that begins when the transcription has ended."""
    identifier = uuid5(job.id, target)
    waits, runs = timing.job_seconds(identifier)
    outcome, reason = timing.job_outcome(job.video, JobType.TRANSLATION, target)
    follower = Job.objects.create(
        id=identifier,
        video=job.video,
        type=JobType.TRANSLATION,
        from_lang=lang,
        to_lang=target,
        created_at=job.ends_at,
        starts_at=job.ends_at + timedelta(seconds=waits),
        ends_at=job.ends_at + timedelta(seconds=waits + runs),
        outcome=outcome,
        reason=reason,
    )
    credits.use_too(follower, job)
