"""AI subtitles and AI content: the jobs that time has brought about, what they write, and the credits that they use.

What is written is deterministic, and plainly demo text.
"""

import json
import math
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid5

from babel import Locale, UnknownLocaleError
from django.db import connections, transaction
from django.db.models import Q, Sum

from dashboard.platform_api.vocabulary import (
    ALL_TEXT_ITEMS,
    AUTO_LANGUAGE,
    AiKind,
    CreditStatus,
    CreditType,
    JobStatus,
    JobType,
)
from dashboard.sandbox import clock
from dashboard.sandbox.http_types import JsonObject
from dashboard.sandbox.models import AiFile, CreditEntry, Job, Organization, Subtitle, Video

_SECONDS: Final = 4
_LINES: Final = {
    "en": (
        "Welcome to “{title}”.",
        "This subtitle was made by the demo platform.",
        "It follows the clock, not the speech.",
        "Every line lasts four seconds.",
        "A real platform would write what is said.",
    ),
    "pt": (
        "Boas-vindas a “{title}”.",
        "Esta legenda foi criada pela plataforma de demonstração.",
        "Ela segue o relógio, não a fala.",
        "Cada linha dura quatro segundos.",
        "Uma plataforma real escreveria o que é dito.",
    ),
    "es": (
        "Te damos la bienvenida a «{title}».",
        "Este subtítulo lo creó la plataforma de demostración.",
        "Sigue el reloj, no la voz.",
        "Cada línea dura cuatro segundos.",
        "Una plataforma real escribiría lo que se dice.",
    ),
}
_TIMING: Final = re.compile(r"^(?:\d+:)?\d\d:\d\d\.\d\d\d --> ")


def language_name(lang: str) -> str:
    """Return a language's own name for itself, or its code where that is not known."""
    try:
        name = Locale.parse(lang.replace("en-UK", "en-GB"), sep="-").get_display_name()
    except (ValueError, UnknownLocaleError):
        name = None
    return name[:1].upper() + name[1:] if name else lang


def transcript(title: str, length: float, lang: str) -> str:
    """Return WebVTT for a video of `length` seconds: one line every four seconds, to the end."""
    base = lang.split("-")[0].lower()
    lines = _LINES.get(base, _LINES["en"])
    mark = "" if base in _LINES else f"[{lang}] "
    heading = title.replace("-->", "→").replace("\n", " ")
    cues = []
    for number, start in enumerate(range(0, max(int(length), 1), _SECONDS)):
        end = min(start + _SECONDS, max(length, 1))
        text = lines[number % len(lines)].format(title=heading)
        cues.append(f"{number + 1}\n{_stamp(start)} --> {_stamp(end)}\n{mark}{text}\n")
    return "WEBVTT\n\n" + "\n".join(cues)


def translation(vtt: str, lang: str) -> str:
    """Return the same cues, each marked with the language it stands for."""
    out, in_cue = [], False
    for line in vtt.splitlines():
        out.append(f"[{lang}] {line}" if in_cue and line.strip() else line)
        in_cue = bool(_TIMING.match(line)) or (in_cue and bool(line.strip()))
    return "\n".join(out) + "\n"


def _stamp(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours:02d}:{minutes:02d}:{rest:06.3f}"


CONTENT: Final = Path(__file__).parent / "seed" / "content"
RESOURCE_OF: Final = {
    "questions": "questions",
    "questions_config": "questions",
    "mindmap": "mindmap",
    "abstract": "abstract",
    "abstract_html": "abstract",
    "abstract_summary": "abstract",
    "abstract_cover": "abstract",
}
"""For each key of a package the key that says that its resource exists."""
KEY_OF: Final = {AiKind.QUIZ: "questions", AiKind.MINDMAP: "mindmap", AiKind.EBOOK: "abstract"}
"""The key of a package that says that the resource is there [2.8]."""


def package(lang: str) -> dict[str, Any]:
    """AI content as its file holds it [4.3]; "" for the legacy file."""
    content: dict[str, Any] = json.loads((CONTENT / f"package.{lang or 'legacy'}.json").read_text("utf-8"))
    for key, ending in (("abstract", "md"), ("abstract_html", "html")):
        book = CONTENT / f"ebook.{lang}.{ending}"
        if book.exists():
            content[key] = book.read_text("utf-8")
    return content


def build_package(lang: str, kinds: list[str]) -> dict[str, Any]:
    """What generating these kinds in a language brings; of languages without content of their own, the English one."""
    has_whole = (CONTENT / f"ebook.{lang}.md").exists()
    keys = {KEY_OF[AiKind(kind)] for kind in kinds}
    content = package(lang if has_whole else "en")
    return {key: value for key, value in content.items() if RESOURCE_OF.get(key) in keys}


def without_kinds(content: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
    """The content without these kinds."""
    keys = {KEY_OF[AiKind(kind)] for kind in kinds}
    return {key: value for key, value in content.items() if RESOURCE_OF.get(key) not in keys}


_ENTRY: Final = "credits"
_WORDS: Final[dict[str, str]] = {
    JobType.TRANSCRIPTION: "Transcription",
    JobType.TRANSLATION: "Translation",
    ALL_TEXT_ITEMS: "AI content",
}


def credit_cost(length: float) -> int:
    """Credits for a video of so many seconds: one for each minute that has begun."""
    return max(1, math.ceil(length / 60))


def credit_entry_of(organization_id: UUID, job: Job) -> CreditEntry:
    """What a job uses; its identifier is made of the job's."""
    languages = f"{job.from_lang} to {job.to_lang}" if job.to_lang else job.from_lang
    return CreditEntry(
        id=uuid5(job.id, _ENTRY),
        organization_id=organization_id,
        video_id=job.video_id,
        type=CreditType.SUB,
        amount=credit_cost(job.video.length),
        description=f"{_WORDS.get(job.type, job.type)}, {languages}",
        created_at=job.created_at,
    )


def charge(organization: Organization, job: Job) -> None:
    """Take what the job costs from the organization whose token it was sent with."""
    credit_entry_of(organization.pk, job).save(force_insert=True)


def charge_following(follower: Job, first: Job) -> None:
    """Take what a job costs that follows another one from whoever sent that."""
    payer = CreditEntry.objects.filter(pk=uuid5(first.id, _ENTRY)).values_list("organization_id", flat=True).first()
    if payer is not None:
        credit_entry_of(payer, follower).save(force_insert=True)


def refund(job: Job) -> None:
    """Give back what the job used."""
    CreditEntry.objects.filter(pk=uuid5(job.id, _ENTRY)).update(status=CreditStatus.REFUNDED)


def credit_balance(organization: Organization) -> int:
    """What is left; never below zero."""
    kinds = organization.credit_entries.aggregate(
        added=Sum("amount", filter=Q(type=CreditType.ADD)),
        used=Sum("amount", filter=Q(type=CreditType.SUB) & ~Q(status=CreditStatus.REFUNDED)),
    )
    return max(0, (kinds["added"] or 0) - (kinds["used"] or 0))


def begin(
    video: Video, now: datetime, *, identifier: UUID, type: str, from_lang: str, to_lang: str = "", **more: list[str]
) -> Job:
    """Accept a job of a video that waits, runs and ends as its identifier and languages say."""
    waits, runs = clock.job_seconds(identifier)
    outcome, reason = clock.job_outcome(video, type, to_lang or from_lang)
    return Job.objects.create(
        id=identifier,
        video=video,
        type=type,
        from_lang=from_lang,
        to_lang=to_lang,
        created_at=now,
        starts_at=now + timedelta(seconds=waits),
        ends_at=now + timedelta(seconds=waits + runs),
        outcome=outcome,
        reason=reason,
        **more,
    )


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
        refund(job)
    job.settled = True
    job.save()


def _transcribed(job: Job) -> None:
    lang = job.video.spoken_lang if job.from_lang == AUTO_LANGUAGE else job.from_lang
    if _subtitle(job.video, lang):
        _skip(job)
        return
    _add(job, lang, transcript(job.video.title, job.video.length, lang))
    for target in job.additional_langs:
        if target.lower() != lang.lower():
            _follow(job, lang, target)


def _translated(job: Job) -> None:
    source = _subtitle(job.video, job.from_lang)
    if source is None or _subtitle(job.video, job.to_lang):
        _skip(job)
    else:
        _add(job, job.to_lang, translation(source.vtt, job.to_lang))


def _generated(job: Job) -> None:
    newest = job.video.ai_files.filter(lang=job.from_lang).order_by("-id").first()
    content = build_package(job.from_lang, job.resources)
    write_file(job.video, job.from_lang, {**(newest.content if newest else {}), **content}, job.ends_at)


def write_file(video: Video, lang: str, content: JsonObject, now: datetime) -> None:
    """The content of a language from now on; the CDN answers with it later."""
    AiFile.objects.create(video=video, lang=lang, content=content, written_at=now, published_at=now + clock.cdn_delay())


def _skip(job: Job) -> None:
    job.outcome, job.reason = JobStatus.SKIPPED, "The subtitle changed while the job was waiting"


def _subtitle(video: Video, lang: str) -> Subtitle | None:
    return video.subtitles.filter(lang__iexact=lang).first()


def _add(job: Job, lang: str, vtt: str) -> None:
    Subtitle.objects.create(
        video=job.video,
        lang=lang,
        label=language_name(lang),
        source="ai",
        vtt=vtt,
        created_at=job.ends_at,
        updated_at=job.ends_at,
    )


def _follow(job: Job, lang: str, target: str) -> None:
    """An extra language of a transcription becomes a translation that begins when the transcription has ended."""
    follower = begin(
        job.video,
        job.ends_at,
        identifier=uuid5(job.id, target),
        type=JobType.TRANSLATION,
        from_lang=lang,
        to_lang=target,
    )
    charge_following(follower, job)
