"""The panels of one video that need nothing but the platform: subtitles, AI content, fields, chat, plays, A/B tests."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api.analytics import Analytics
from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import Missing, NotAllowed
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.charts.spark import build_sparkline
from dashboard.shared.http import OwnerRequest
from dashboard.shared.video_panels import video_panel
from dashboard.upstream import languages, reads
from dashboard.upstream.library import load_ai_resources
from dashboard.videos.labels import SPELLED

DAYS = 28


@dataclass(frozen=True)
class SubtitleRow:
    """One language: to read, and to take as a file."""

    lang: str
    name: str
    read: str
    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SubtitlesPanel:
    """videos/_subtitles.html."""

    rows: tuple[SubtitleRow, ...]
    plan: str
    jobs: str


@video_panel("subtitles", title=gettext_noop("Subtitles"), template="videos/_subtitles.html", order=10, wide=True)
def subtitles(request: OwnerRequest, video_id: UUID) -> SubtitlesPanel:
    """The subtitles that exist, by language."""
    listed = languages.load_subtitles(reads.of(request), str(video_id))
    return SubtitlesPanel(
        rows=tuple(
            _build_subtitle_row(video_id, subtitle.lang, subtitle.label, subtitle.url or "") for subtitle in listed
        ),
        plan=address("subtitles:subtitles", video=video_id),
        jobs=address("subtitles:video_jobs", video_id),
    )


def _build_subtitle_row(video_id: UUID, lang: str, label: str, url: str) -> SubtitleRow:
    code = SPELLED.get(lang.lower(), lang)
    ours = tuple((kind.upper(), address("subtitles:download", video_id, code, kind)) for kind in ("vtt", "srt", "txt"))
    files = tuple(pair for pair in ours if pair[1]) or ((("VTT", url),) if url else ())
    name = formats.language_name(code)
    return SubtitleRow(
        code, name if name != code else label or code, address("subtitles:subtitle", video_id, code), files
    )


@dataclass(frozen=True)
class AiRow:
    """What AI made in one language."""

    lang: str
    name: str
    kinds: str
    address: str


@dataclass(frozen=True)
class AiPanel:
    """videos/_ai_content.html."""

    rows: tuple[AiRow, ...]
    is_listed: bool
    """Whether the platform says which AI content there is."""
    legacy: bool
    legacy_address: str
    everything: str


@video_panel("ai_content", title=gettext_noop("AI content"), template="videos/_ai_content.html", order=20)
def ai_content(request: OwnerRequest, video_id: UUID) -> AiPanel:
    """eBook, mind map and quiz by language, as the video itself names them [4.3]."""
    read: Video = reads.of(request).get(lambda platform: platform.videos.get(video_id))
    video = load_ai_resources(reads.of(request), request.account.pullzone, [read])[read.id]
    kinds: dict[str, list[str]] = {}
    for resource in video.ai_resources:
        kinds.setdefault(resource.lang, []).append(_kind_label(resource.kind))
    return AiPanel(
        rows=tuple(
            AiRow(
                lang,
                formats.language_name(lang) if lang else _("No language"),
                ", ".join(dict.fromkeys(kinds[lang])),
                address("ai_content:language", video_id, lang) if lang else address("ai_content:video", video_id),
            )
            for lang in sorted(kinds)
        ),
        is_listed=video.are_ai_resources_told,
        legacy=bool(video.ai_url),
        legacy_address=address("ai_content:language", video_id, "legacy"),
        everything=address("ai_content:video", video_id),
    )


def _kind_label(kind: str) -> str:
    """The kind as a word; one that nobody knows as it came, and one that is not told as that."""
    return {"quiz": _("Quiz"), "mindmap": _("Mind map"), "ebook": _("eBook"), "": _("Contents unknown")}.get(kind, kind)


@dataclass(frozen=True)
class FieldsPanel:
    """videos/_custom_fields.html."""

    rows: tuple[tuple[str, str], ...]
    edit: str
    is_told: bool = True


@video_panel("custom_fields", title=gettext_noop("Custom fields"), template="videos/_custom_fields.html", order=60)
def custom_fields(request: OwnerRequest, video_id: UUID) -> FieldsPanel:
    """Keys and values of the video. Where the platform does not list them, each can be changed by its id all the same."""
    try:
        fields = reads.of(request).get(lambda platform: platform.custom_fields.list(video_id))
    except (Missing, NotAllowed):
        return FieldsPanel((), address("custom_fields:video", video_id), is_told=False)
    return FieldsPanel(
        tuple((field.key, field.value) for field in fields),
        address("custom_fields:video", video_id),
    )


@dataclass(frozen=True)
class ChatRow:
    """One assistant: whether its chat shows beside this video. `visible` is None where the platform does not say."""

    name: str
    visible: bool | None


@dataclass(frozen=True)
class ChatPanel:
    """videos/_chat.html."""

    rows: tuple[ChatRow, ...]
    switch: str


@video_panel("chat", title=gettext_noop("Chat"), template="videos/_chat.html", order=70)
def chat(request: OwnerRequest, video_id: UUID) -> ChatPanel | None:
    """Where assistants show their chat. Left out on a platform that does not list its assistants."""
    try:
        listed = reads.of(request).get(lambda platform: platform.assistants.list())
    except Missing:
        return None
    rows = tuple(ChatRow(assistant.name or assistant.id, assistant.chat.get(str(video_id))) for assistant in listed)
    return ChatPanel(rows, address("assistants:assistants", video=video_id))


@dataclass(frozen=True)
class PlaysPanel:
    """videos/_analytics.html."""

    figures: tuple[tuple[str, str], ...]
    line: SafeString
    period: str
    more: str
    retention: str
    lessons: str
    raw: str
    """The answer as it came, where no figure can be read in it."""


@video_panel("analytics", title=gettext_noop("Analytics"), template="videos/_analytics.html", order=20, wide=True)
def analytics(request: OwnerRequest, video_id: UUID) -> PlaysPanel:
    """Views and plays of the last 28 whole days, with the course of the first known figure."""
    end = datetime.now(UTC).date() - timedelta(days=1)
    start = end - timedelta(days=DAYS - 1)
    figures = reads.of(request).get(lambda platform: platform.analytics.general(video_id, start, end))
    names = metric_names()
    columns = [name for name in names if figures.table and name in figures.table.columns]
    columns = columns or list(figures.table.columns if figures.table else ())[:2]
    return PlaysPanel(
        figures=tuple((names.get(name, name), formats.number(sum_figure(figures, name))) for name in columns),
        line=build_sparkline(daily_figures(figures, columns[-1], start, end) if columns else ()),
        period=_("%(start)s to %(end)s, whole days in UTC") % {"start": formats.day(start), "end": formats.day(end)},
        more=address("analytics:analytics", video=video_id),
        retention=address("analytics:retention", video=video_id),
        lessons=address("analytics:lessons", video=video_id),
        raw="" if figures.table else as_it_came(figures.raw),
    )


def metric_names() -> dict[str, str]:
    """The figures whose names are public, in the order of the page; others keep the platform's own names."""
    return {"view": _("Views"), "play": _("Plays")}  # unique viewers of days do not add up to those of a month


def sum_figure(figures: Analytics, metric: str) -> float:
    """The sum of a figure over the buckets, which are days or hours depending on the range."""
    return sum(row.metrics.get(metric, 0.0) for row in figures.table.rows) if figures.table else 0.0


def daily_figures(figures: Analytics, metric: str, start: date, end: date) -> list[float]:
    """The figure day by day; a day without a bucket is a day without plays."""
    days = {(start + timedelta(days=n)).isoformat(): 0.0 for n in range((end - start).days + 1)}
    for row in figures.table.rows if figures.table else ():
        if (day := (row.at or row.label)[:10]) in days:
            days[day] += row.metrics.get(metric, 0.0)
    return list(days.values())


@dataclass(frozen=True)
class TestRow:
    """One A/B test that the video stands in."""

    __test__ = False  # the name starts with Test: keep pytest from collecting it

    name: str
    address: str
    state: str
    shape: str
    note: str


@dataclass(frozen=True)
class TestsPanel:
    """videos/_ab_tests.html."""

    __test__ = False

    rows: tuple[TestRow, ...]
    create: str


@video_panel("ab_tests", title=gettext_noop("A/B tests"), template="videos/_ab_tests.html", order=40)
def ab_tests(request: OwnerRequest, video_id: UUID) -> TestsPanel:
    """The tests in which the video is a variant."""
    listed = reads.of(request).get(lambda platform: platform.comparisons.list())
    rows = tuple(
        _build_test_row(test, str(video_id))
        for test in listed.comparisons
        if any(variant.video_id == str(video_id) for variant in test.videos)
    )
    return TestsPanel(rows, address("ab_tests:create", video=video_id))


def _build_test_row(test: Comparison, video_id: str) -> TestRow:
    state, shape = {
        TestStatus.DRAFT: (_("Draft"), "draft"),
        TestStatus.IN_PROGRESS: (_("Running"), "running"),
        TestStatus.COMPLETED: (_("Finished"), "finished"),
    }.get(test.status, (test.status or _("Unknown"), "unknown"))  # type: ignore[call-overload]  # any text may come
    letter = next(chr(65 + n) for n, variant in enumerate(test.videos) if variant.video_id == video_id)
    note = _("Variant %(letter)s") % {"letter": letter}
    if test.winner:
        note = f"{note}. " + (_("This video won.") if test.winner == video_id else _("Another variant won."))
    return TestRow(test.name or test.id, address("ab_tests:ab_test", test.id), state, shape, note)
