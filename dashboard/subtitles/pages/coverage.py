"""The table of videos and languages: hundreds of cells, so their view models hold ready strings."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, JobType
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.subtitles import messages, rules
from dashboard.subtitles.forms import SHORT, PlanRequest, packed
from dashboard.subtitles.library import Library, LibraryRow
from dashboard.subtitles.rules import CellKey, CellState, Order, RejectionReason, VideoState

USUAL: Final = ("en", "es", "pt-BR", "fr", "de", "it")
"""Columns that fill the table up when few languages are in use."""
LEAST_COLUMNS: Final = 7
MOST_COLUMNS: Final = 12
"""Beyond the targets themselves, which are always shown."""

KEY: Final[tuple[tuple[str, str, Any], ...]] = (
    ("exists", "exists", pgettext_lazy("subtitles", "Subtitles available")),
    ("planned", "picked", pgettext_lazy("subtitles", "Planned")),
    ("queue", "queue", pgettext_lazy("subtitles", "In queue")),
    ("running", "running", pgettext_lazy("subtitles", "Running")),
    ("finished", "finished", pgettext_lazy("subtitles", "Just finished")),
    ("error", "error", pgettext_lazy("subtitles", "Error")),
    ("skipped", "skipped", pgettext_lazy("subtitles", "Skipped")),
    ("none", "blocked", pgettext_lazy("subtitles", "Blocked")),
    ("none", "unknown", pgettext_lazy("subtitles", "Not checked")),
)


@dataclass(frozen=True, slots=True)
class LanguageColumn:
    """A language: `named` is the id of its heading."""

    code: str
    name: str
    named: str


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell. `named` are the ids that name it, `field` is the name of its checkbox (empty: it is a link), `id` that of its
    live part (empty: it has none), `why` the whole name of a blocked one."""

    look: str
    shape: str
    word: str
    named: str
    id: str = ""
    field: str = ""
    value: str = ""
    checked: bool = False
    href: str = ""
    blocked: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class RowView:
    """One video with its cells. `offered` and `left` say which cells were ticked, and which were unticked, by the plan."""

    video_id: str
    named: str
    title: str
    length: str
    selected: bool
    cells: tuple[CellView, ...]
    offered: str = ""
    left: str = ""


@dataclass(frozen=True, slots=True)
class CoverageNote:
    """A sentence under the table, with the step that helps."""

    shape: str
    sentence: str
    step: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """The table itself."""

    columns: tuple[LanguageColumn, ...]
    rows: tuple[RowView, ...]
    sprite: str

    def under_way(self) -> list[CellKey]:
        """The cells that are being made, whose live parts a poll replaces."""
        heads = self.columns
        return [
            (row.video_id, head.code)
            for row in self.rows
            for head, cell in zip(heads, row.cells, strict=True)
            if cell.id
        ]


def columns(order: Order, library: Library) -> tuple[LanguageColumn, ...]:
    """The source, the wanted languages, those being made, those that exist (the most frequent first), the usual ones."""
    order_languages = [order.from_lang, *order.to] if order.from_lang else list(order.to)
    if order.from_lang == AUTO_LANGUAGE and not order.transcribes:
        order_languages = list(order.to)
    under_way = [
        rules.language_of(job)
        for row in library.rows
        for job in row.video_state.jobs or ()
        if job.type in set(JobType) and rules.active(job)
    ]
    existing = Counter(rules.spelled(lang) for row in library.rows for lang in row.video_state.subtitles or ())
    frequent = [lang for lang, _count in existing.most_common()]
    languages = dict.fromkeys(lang for lang in (*order_languages, *under_way) if lang)
    for lang in frequent:
        if len(languages) < MOST_COLUMNS:
            languages.setdefault(lang)
    for lang in USUAL:
        if len(languages) < LEAST_COLUMNS:
            languages.setdefault(lang)
    return tuple(LanguageColumn(lang, messages.language(lang), f"c{index}") for index, lang in enumerate(languages))


def matrix(plan_request: PlanRequest, library: Library, planned: frozenset[CellKey], now: datetime) -> Matrix:
    """The table of these rows, with the cells of the plan ticked."""
    heads = columns(plan_request.order, library)
    drawn = _MatrixBuilder(plan_request, frozenset(planned), heads, now)
    rows = tuple(drawn.row(row, f"r{index}") for index, row in enumerate(library.rows))
    if plan_request.filter.gaps:
        rows = tuple(
            view
            for view, row in zip(rows, library.rows, strict=True)
            if view.selected or rules.has_gap(row.video_state, plan_request.order)
        )
    return Matrix(heads, rows, messages.sprite())


@dataclass(frozen=True)
class _MatrixBuilder:
    plan_request: PlanRequest
    planned: frozenset[CellKey]
    columns: tuple[LanguageColumn, ...]
    now: datetime
    steps: dict[tuple[str, RejectionReason], tuple[str, str]] = field(default_factory=dict)
    """What unblocks a video, found once for all its cells."""

    @cached_property
    def again(self) -> str:
        """The address of this page: cells of videos that are not known yet lead there."""
        return f"?{self.plan_request.query()}"

    def row(self, row: LibraryRow, named: str) -> RowView:
        selected = row.video_id in self.plan_request.choice.videos
        cells = tuple(self._cell(row, column, named) for column in self.columns)
        languages = rules.languages_in_order(self.plan_request.order)
        ticked = [lang for lang in languages if (row.video_id, lang) in self.planned - self.plan_request.choice.also]
        free = ticked if selected else [lang for lang in languages if self._free(row.video_state, lang)]
        left = [lang for lang in languages if (row.video_id, lang) in self.plan_request.choice.left_out]
        return RowView(
            row.video_id,
            named,
            row.title or row.video_id,
            formats.clock(row.length) if row.length else "",
            selected,
            cells,
            packed(row.video_id, free) if free else "",
            packed(row.video_id, left) if left else "",
        )

    def _free(self, video_state: VideoState, lang: str) -> bool:
        standing = rules.cell_state(video_state, lang, self.now).state
        return (
            rules.rejection_reason(self.plan_request.order, video_state, lang) is None
            and standing not in rules.ENDED_WITHOUT
        )

    def _cell(self, row: LibraryRow, column: LanguageColumn, row_id: str) -> CellView:
        video_state, lang = row.video_state, column.code
        standing = rules.cell_state(video_state, lang, self.now)
        reason = rules.rejection_reason(self.plan_request.order, video_state, lang)
        state = standing.state
        word = str(messages.CELL_WORDS[state])
        where = f"{row_id} {column.named}"
        cell = (row.video_id, lang)
        if reason is None:
            again = state in rules.ENDED_WITHOUT
            return CellView(
                look=state,
                shape=state if again else "none",
                word=word if again else "",
                named=f"do {where}",
                field="again" if again else "cell",
                value=packed(row.video_id, [lang]),
                checked=cell in self.planned,
            )
        if state in (CellState.NONE, CellState.ERROR, CellState.SKIPPED) and reason != RejectionReason.IS_SOURCE:
            return self._blocked(row, column, reason)
        if state == CellState.UNKNOWN:
            return CellView("none", "unknown", word, f"{where} k-unknown", href=self.again)
        live = cell_id(row.video_id, lang) if state in rules.UNDER_WAY else ""
        href = page_of(row.video_id, lang)
        if state == CellState.NONE:
            return CellView("none", "none", "", f"{where} k-bare", href=href)
        return CellView(state, state, word, f"{where} {live or f'k-{state}'}", id=live, href=href)

    def _blocked(self, row: LibraryRow, column: LanguageColumn, reason: RejectionReason) -> CellView:
        step, href = self.unblocking(row, reason)
        values = {"title": row.title, "language": column.name, "reason": messages.reason(reason), "step": step}
        why = _("%(title)s, %(language)s: Blocked. %(reason)s %(step)s") % values
        return CellView("blocked", "blocked", pgettext("subtitles", "Blocked"), "", href=href, blocked=True, why=why)

    def unblocking(self, row: LibraryRow, reason: RejectionReason) -> tuple[str, str]:
        """The step that would make the video's cells possible, in words, and its address."""
        if (row.video_id, reason) not in self.steps:
            self.steps[row.video_id, reason] = self._step(row, reason)
        return self.steps[row.video_id, reason]

    def _step(self, row: LibraryRow, reason: RejectionReason) -> tuple[str, str]:
        order = self.plan_request.order
        if reason == RejectionReason.SOURCE_MISSING:
            return _("Transcribe it first"), self._instead(row, JobType.TRANSCRIPTION, order.from_lang)
        if reason == RejectionReason.NEEDS_TRANSCRIPTION and row.video_state.has(order.from_lang):
            return _("Translate it instead"), self._instead(row, JobType.TRANSLATION, order.from_lang)
        return _("Open its jobs"), address("subtitles:video_jobs", row.video_id)

    def _instead(self, row: LibraryRow, kind: JobType, source: str) -> str:
        order = Order(kind, self.plan_request.order.tier, source, self.plan_request.order.to)
        other = PlanRequest(self.plan_request.filter, order, rules.CellChoice(videos=(row.video_id,)))
        return f"{reverse('subtitles:subtitles')}?{other.query()}"


def cell_id(video_id: str, lang: str) -> str:
    """The id of a cell's live part: what the platform calls a language may have spaces."""
    return f"s-{video_id[:SHORT]}-{'.'.join(lang.split())}"


def page_of(video_id: str, lang: str) -> str:
    """The page where the subtitles of a cell are read, or where it says what stands in their way.

    "" for a language that no address can hold: it is shown without a link.
    """
    return address("subtitles:subtitle", video_id, lang)


def list_notes(plan_request: PlanRequest, library: Library, now: datetime) -> tuple[CoverageNote, ...]:
    """What the rules say about the chosen videos (about all that are shown, while none is chosen)."""
    chosen_rows = [row for row in library.rows if row.video_id in plan_request.choice.videos]
    rows = chosen_rows or [row for row in library.rows if row.title]
    drawing = _MatrixBuilder(plan_request, frozenset(), (), now)
    notes = [*_source_lines(plan_request.order, rows)]
    notes += _blocked_lines(drawing, plan_request.order, chosen_rows)
    notes += _count_lines(plan_request, chosen_rows, now)
    return tuple(notes)


def _source_lines(order: Order, rows: list[LibraryRow]) -> list[CoverageNote]:
    rows = [row for row in rows if not row.video_state.untold]
    if order.transcribes or not order.from_lang or not rows:
        return []
    have = sum(row.video_state.has(order.from_lang) for row in rows)
    sentence = ngettext(
        "Source subtitles available for %(have)s of %(count)s video",
        "Source subtitles available for %(have)s of %(count)s videos",
        len(rows),
    ) % {"have": have, "count": len(rows)}
    return [CoverageNote("finished" if have else "none", sentence)]


NAMED_LINES: Final = 3


def _blocked_lines(drawing: _MatrixBuilder, order: Order, rows: list[LibraryRow]) -> list[CoverageNote]:
    """A sentence for each chosen video that is blocked as a whole, and one for the rest of them."""
    notes = []
    for row in rows:
        reason = _whole(order, row)
        if reason is not None:
            step, href = drawing.unblocking(row, reason)
            sentence = _("“%(title)s”: %(reason)s") % {"title": row.title, "reason": messages.reason(reason)}
            notes.append(CoverageNote("blocked", sentence, step, href))
    more = len(notes) - NAMED_LINES
    if more > 0:
        sentence = ngettext("%(count)s more video is blocked", "%(count)s more videos are blocked", more)
        return [*notes[:NAMED_LINES], CoverageNote("blocked", sentence % {"count": more})]
    return notes


def _whole(order: Order, row: LibraryRow) -> RejectionReason | None:
    """Why nothing of the order can be made for this video, where that is one reason."""
    if not row.video_state.complete:
        return None
    if order.transcribes:
        main = rules.rejection_reason(order, row.video_state, order.from_lang)
        return RejectionReason.NEEDS_TRANSCRIPTION if main == RejectionReason.SOURCE_EXISTS else main
    reasons = {rules.rejection_reason(order, row.video_state, lang) for lang in rules.languages_in_order(order)}
    return next(
        (reason for reason in (RejectionReason.SOURCE_MISSING, RejectionReason.SOURCE_UNDER_WAY) if reason in reasons),
        None,
    )


def _count_lines(plan_request: PlanRequest, rows: list[LibraryRow], now: datetime) -> list[CoverageNote]:
    cells = [
        (row, rules.cell_state(row.video_state, lang, now).state)
        for row in rows
        for lang in rules.languages_in_order(plan_request.order)
    ]
    states = Counter(state for row, state in cells if state != CellState.UNKNOWN or not row.video_state.untold)
    notes = []
    if any(state == CellState.UNKNOWN and row.video_state.untold for row, state in cells):
        notes.append(CoverageNote("unknown", _(
            "This platform doesn't show which subtitles a video has. Jobs are sent without that "
            "check; the platform refuses those that already exist.")))  # fmt: skip
    if have := states[CellState.EXISTS] + states[CellState.FINISHED]:
        notes.append(CoverageNote("skipped", ngettext(
            "%(count)s cell already has subtitles and stays as it is",
            "%(count)s cells already have subtitles and stay as they are", have) % {"count": have}))  # fmt: skip
    if under_way := states[CellState.QUEUE] + states[CellState.RUNNING]:
        notes.append(CoverageNote("running", ngettext(
            "%(count)s cell is being made already", "%(count)s cells are being made already", under_way,
        ) % {"count": under_way}))  # fmt: skip
    if ended := states[CellState.ERROR] + states[CellState.SKIPPED]:
        notes.append(CoverageNote("error", ngettext(
            "%(count)s cell ended without subtitles before: tick it to send it again",
            "%(count)s cells ended without subtitles before: tick them to send them again", ended,
        ) % {"count": ended}))  # fmt: skip
    if unknown := states[CellState.UNKNOWN]:
        notes.append(CoverageNote("unknown", ngettext(
            "%(count)s cell could not be checked and is not planned",
            "%(count)s cells could not be checked and are not planned", unknown,
        ) % {"count": unknown}, _("Check again"), f"?{plan_request.query()}"))  # fmt: skip
    return notes


def table(library: Library, order: Order, now: datetime) -> tuple[list[str], list[list[str]]]:
    """The same coverage as heads and rows of a file: a state in words in each cell."""
    heads = columns(order, library)
    rows = [
        [
            row.title,
            row.video_id,
            *(_told(rules.cell_state(row.video_state, column.code, now).state) for column in heads),
        ]
        for row in library.rows
    ]
    return [_("Video"), _("Video id"), *(column.code for column in heads)], rows


def _told(state: CellState) -> str:
    return "" if state == CellState.NONE else str(messages.CELL_WORDS[state])
