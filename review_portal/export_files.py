"""Export of threads for the portal and the dashboard: the menu, its timeline, files and printed lines.

Marker files need a frame rate and a start timecode. The menu asks for them, the file's address carries them, and a cookie
saves them for the next export.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from dashboard.shared import formats
from review_portal import cuts, decisions, rules
from review_portal.decisions import describe_verdict
from review_portal.drawings import describe_sketch
from review_portal.exports import files, timecode
from review_portal.exports.files import File
from review_portal.exports.notes import CutNumber, Decided, Note, Options, Reply, Words
from review_portal.exports.timecode import DEFAULT_RATE, DEFAULT_START, RATES, BadTimecode, FrameRate
from review_portal.messages import describe_writer
from review_portal.models import ReviewLink
from review_portal.rules import Show, Sort
from review_portal.threads import Thread
from review_portal.videos import MeasuredRate, get_measured_rate, get_video_key

COOKIE: Final = "timeline"
COOKIE_AGE: Final = 60 * 60 * 24 * 365


@dataclass(frozen=True)
class Timeline:
    """The editor's timeline. `typed` and `problem` say what was asked for and could not be; `asked`: just chosen."""

    rate: FrameRate = DEFAULT_RATE
    start: str = DEFAULT_START
    typed: str = ""
    problem: str = ""
    asked: bool = False
    video_key: str = ""
    """The video it was chosen for (`videos.get_video_key`)."""


@dataclass(frozen=True)
class ExportSubject:
    """What the comments are about: the video's title and length, and the link they came through."""

    title: str
    link: str
    length: float | None
    whole: bool = True
    """Whether all its comments are known here."""
    decisions: tuple[Decided, ...] = ()
    cut: CutNumber | None = None

    @property
    def last_second(self) -> int | None:
        return None if self.length is None else int(self.length)


@dataclass(frozen=True)
class ExportMenu:
    """templates/components/_comment_export.html. `base` is the files' address without its extension, `query` the list's
    filters, `printed` the address of the list for paper; `measured`: what is known of the video's own rate."""

    base: str
    query: Mapping[str, str]
    printed: str
    timeline: Timeline
    measured: MeasuredRate | None

    @property
    def filters(self) -> str:
        return f"?{urlencode(self.query)}" if self.query else ""

    @property
    def rates(self) -> list[tuple[str, str]]:
        """Every frame rate, with its name."""
        return [(key, format_rate(rate)) for key, rate in RATES.items()]

    @property
    def measured_note(self) -> str:
        if self.measured is None:
            return ""
        return _("Measured in this video: {rate} frames a second.").format(rate=self.measured.frames)


def build_query(choice: rules.ListFilter, **changes: str) -> dict[str, str]:
    """What the address says to show this choice; nothing for everything by time."""
    query = {"show": choice.show.value, "by": choice.by, "q": choice.query, "sort": choice.sort.value}
    query |= {"since": str(choice.since)} if choice.show == Show.NEW else {}
    usual = (Show.ALL.value, Sort.TIME.value)
    return {name: value for name, value in (query | changes).items() if value and value not in usual}


def parse_timeline(request: HttpRequest) -> Timeline:
    """The timeline that the address names, else the one chosen for this video, else the video's own rate where it was
    measured, else the one chosen last, else 25 frames from 01:00:00:00."""
    saved_rate, saved_start, saved_key, *_more = [*request.COOKIES.get(COOKIE, "").split(" "), "", "", ""]
    video_key, measured = get_video_key(request), get_measured_rate(request)
    if measured and measured.rate and (not video_key or saved_key != video_key):
        saved_rate = measured.rate.key
    is_new = "fps" in request.GET or "start" in request.GET
    rate = RATES.get(request.GET.get("fps", saved_rate), DEFAULT_RATE)
    typed = request.GET.get("start", "").strip() or saved_start or DEFAULT_START
    try:
        return Timeline(rate, timecode.label(timecode.parse(typed, rate), rate), asked=is_new, video_key=video_key)
    except BadTimecode as error:
        if not is_new:
            return Timeline(rate)
        return Timeline(rate, typed=typed, problem=_describe_error(error, rate), asked=True)


def save_timeline(response: HttpResponse, timeline: Timeline) -> None:
    """Keep the chosen timeline for the next file. A semicolon would end the cookie, so every mark is a colon."""
    value = f"{timeline.rate.key} {timeline.start.replace(';', ':')} {timeline.video_key}".rstrip()
    response.set_cookie(
        COOKIE, value, max_age=COOKIE_AGE, httponly=True, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax"
    )


def build_menu(request: HttpRequest, base: str, query: Mapping[str, str], *, printed: str) -> ExportMenu:
    """The menu of a list of comments."""
    return ExportMenu(base, query, printed, timeline=parse_timeline(request), measured=get_measured_rate(request))


def format_rate(rate: FrameRate) -> str:
    """“29.97 drop-frame”, in words where counting differs from the frames."""
    number = rate.key.removesuffix("df")
    if rate.drop:
        return _("%(rate)s drop-frame") % {"rate": number}
    return _("%(rate)s non-drop") % {"rate": number} if f"{number}df" in RATES else number


def render_file(
    extension: str,
    threads: Iterable[Thread],
    about: ExportSubject,
    timeline: Timeline,
    now: datetime,
    links: Mapping[uuid.UUID, str] | None = None,
) -> File:
    """The threads, in their order, as a file. `links` names the link of a comment where there are several.

    Raises `KeyError` for an extension there is no file of.
    """
    options = Options(
        title=about.title or about.link,
        subtitle=about.link if about.title else "",
        rate=timeline.rate,
        start=timeline.start,
        duration=about.length,
        exported_at=now,
        words=_build_words(),
        decisions=about.decisions,
        cut=about.cut,
        whole=about.whole,
    )
    last = None if about.length is None else int(about.length)
    notes = [_build_note(thread, last, (links or {}).get(thread.first.comment_id, "")) for thread in threads]
    return files.write(extension, notes, options)


def find_cut(link: ReviewLink) -> CutNumber | None:
    """Which cut a link shows; None where there is no other."""
    numbered = cuts.list_cuts(link)
    number, total = cuts.find_number(numbered, link), len(numbered)
    return CutNumber(number, total, format_cut(number, total)) if number else None


def format_cut(number: int, total: int) -> str:
    """Cut 2 of 3."""
    return _("Cut %(cut)s of %(total)s") % {"cut": number, "total": total}


def list_decisions(link: ReviewLink) -> tuple[Decided, ...]:
    """What the reviewers of a link decided, for files and paper: newest first."""
    return tuple(
        Decided(
            name=decision.name,
            verdict=decision.verdict,
            label=describe_verdict(decision),
            note=decision.note,
            made_at=decision.made_at,
        )
        for decision in decisions.list_decisions(link)
    )


def build_download(file: File, timeline: Timeline) -> HttpResponse:
    """The file as a download; a timeline that was just chosen is remembered."""
    response = HttpResponse(file.content, content_type=file.content_type)
    response.headers["Content-Disposition"] = content_disposition_header(True, file.name) or "attachment"
    if timeline.asked and not timeline.problem:
        save_timeline(response, timeline)
    return response


def format_summary(threads: Sequence[Thread], selected: Sequence[Thread], *, whole: bool = True) -> str:
    """How many are resolved, and how many of all a narrowed list holds. Not `whole`: there may be others elsewhere."""
    if not whole:
        return f"{format_summary(threads, selected)}. {get_missing_note()}" if threads else get_missing_note()
    resolved = sum(not thread.is_open for thread in threads)
    values = {
        "resolved": formats.number(resolved),
        "total": formats.number(len(threads)),
        "shown": formats.number(len(selected)),
    }
    if len(selected) < len(threads):
        return _("%(shown)s of %(total)s comments shown, %(resolved)s of all resolved") % values
    return _("%(resolved)s of %(total)s resolved") % values


def get_missing_note() -> str:
    """What a list or a file says that holds what is known here alone."""
    return _("Comments written outside Reelroom are not included.")


def _build_note(thread: Thread, last_second: int | None, link: str) -> Note:
    first = thread.first
    span = rules.parse_span(first.text, first.time, last_second)
    replies = tuple(
        Reply(
            author=reply.user_name,
            text=reply.text,
            created_at=reply.created_at,
            by_owner=reply.by_owner,
            namesake=reply.namesake,
        )
        for reply in thread.replies
    )
    return Note(
        time=first.time,
        author=first.user_name,
        text=first.text,
        status=first.status,
        created_at=first.created_at,
        replies=replies,
        id=str(first.comment_id),
        link=link,
        end=span[1] if span else None,
        by_owner=first.by_owner,
        namesake=first.namesake,
        microseconds=first.frame.microseconds if first.frame else None,
        drawing=describe_sketch(first.drawing.sketch) if first.drawing else "",
        sketch=first.drawing.sketch.to_kept() if first.drawing else None,
    )


def _build_words() -> Words:
    return Words(
        time=pgettext("export", "Time"),
        until=pgettext("export", "Until"),
        seconds=pgettext("export", "Seconds"),
        timecode=pgettext("export", "Timecode"),
        author=pgettext("export", "Name"),
        status=pgettext("export", "State"),
        text=pgettext("export", "Comment"),
        replies=pgettext("export", "Replies"),
        created=pgettext("export", "Written"),
        link=pgettext("export", "Review link"),
        open=pgettext("export", "open"),
        resolved=pgettext("export", "resolved"),
        none=_("No comments."),
        missing=get_missing_note(),
        owner=describe_writer(by_owner=True, namesake=False),
        namesake=describe_writer(by_owner=False, namesake=True),
        decisions=_("Decisions"),
    )


def _describe_error(error: BadTimecode, rate: FrameRate) -> str:
    values = {"last": f"{rate.nominal - 1:02}", "rate": format_rate(rate)}
    sentences = {
        "form": _("Write the start timecode as hours, minutes, seconds and frames: 01:00:00:00."),
        "hours": _("Use an hour from 00 to 23."),
        "minutes": _("Use a minute from 00 to 59."),
        "seconds": _("Use a second from 00 to 59."),
        "frames": _("Use a frame from 00 to %(last)s. At %(rate)s, a second has no more frames."),
        "dropped": _("Use another frame. Drop-frame timecode skips the first frames of this minute."),
    }
    return sentences[error.reason] % values
