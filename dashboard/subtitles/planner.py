"""The planner: its fields, the table of videos and languages with what is said around it, and the way to a run."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, NamedTuple

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, ESSENTIAL_LANGUAGES, LANGUAGES, JobType
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.entries import Shelf
from dashboard.subtitles import messages, rules
from dashboard.subtitles.forms import ROOT, PlanRequest, packed
from dashboard.subtitles.messages import StateView
from dashboard.subtitles.models import cell_id, page_of
from dashboard.subtitles.queries import ROWS, Library, LibraryPage, LibraryRow
from dashboard.subtitles.rules import MOST_VIDEOS, CellChoice, CellKey, CellState, Order, RejectionReason, VideoState
from dashboard.upstream.languages import looked_up_sentence

USUAL: Final = ("en", "es", "pt-BR", "fr", "de", "it")
"""Languages offered before "Add a language" is opened, and columns that fill the table up when few languages are in use."""
LEAST_COLUMNS: Final = 7
MOST_COLUMNS: Final = 12
"""Beyond the targets themselves, which are always shown."""
NAMED_LINES: Final = 3
"""Videos that are blocked as a whole, each with a sentence of its own."""
KEY: Final = (
    StateView("exists", "exists", pgettext_lazy("subtitles", "Subtitles available")),
    StateView("planned", "picked", pgettext_lazy("subtitles", "Planned")),
    StateView("queue", "queue", pgettext_lazy("subtitles", "In queue")),
    StateView("running", "running", pgettext_lazy("subtitles", "Running")),
    StateView("finished", "finished", pgettext_lazy("subtitles", "Just finished")),
    StateView("error", "error", pgettext_lazy("subtitles", "Error")),
    StateView("skipped", "skipped", pgettext_lazy("subtitles", "Skipped")),
    StateView("none", "blocked", pgettext_lazy("subtitles", "Blocked")),
    StateView("none", "unknown", pgettext_lazy("subtitles", "Not checked")),
)
"""What the shapes of the table mean."""


def list_fields(order: Order, library: Library) -> dict[str, object]:
    """The choices of "New jobs" and of the folder, each a value and its words: what is chosen is in the plan."""
    exists = {rules.spelled(lang) for row in library.rows for lang in row.video_state.subtitles or ()}
    near = _sort_by_name(lang for lang in LANGUAGES if lang in {*USUAL, *exists, *order.to})
    return {
        "tiers": messages.TIERS.items(),
        "sources": _list_sources(order.from_lang),
        "near": [(lang, messages.language(lang)) for lang in near],
        "more": [(lang, messages.language_with_code(lang)) for lang in _sort_by_name(LANGUAGES) if lang not in near],
        "folders": _list_folders(library.page.folders),
    }


def likely_source(library: Library) -> str:
    """The language in which most of the shown videos have subtitles; Brazilian Portuguese where none has any."""
    counts = Counter(lang for row in library.rows for lang in row.video_state.subtitles or ())
    spelled = rules.spelled(max(counts, key=lambda lang: (counts[lang], lang), default="pt-BR"))
    return spelled if spelled in LANGUAGES else "pt-BR"


def _sort_by_name(codes: Iterable[str]) -> list[str]:
    return sorted(codes, key=lambda code: messages.language(code).casefold())


def _list_sources(selected: str) -> list[tuple[str, str]]:
    """Detection first, then the languages every tier reads, then the others by name, then a chosen one that nobody knows."""
    others = [lang for lang in _sort_by_name(LANGUAGES) if lang not in ESSENTIAL_LANGUAGES]
    return [
        (AUTO_LANGUAGE, _("Detect the language (transcription, Pro or Advanced)")),
        *((code, messages.language_with_code(code)) for code in (*ESSENTIAL_LANGUAGES, *others)),
        *([(selected, selected)] if selected and selected not in (AUTO_LANGUAGE, *LANGUAGES) else []),
    ]


def _list_folders(folders: Iterable[Shelf]) -> list[tuple[str, str]]:
    """All folders as a tree, by name, with more space before a deeper one; first the two choices that are no folder."""
    children: dict[str, list[Shelf]] = {}
    ids = {folder.id for folder in folders}
    for folder in sorted(folders, key=lambda shelf: shelf.name.casefold()):
        children.setdefault(folder.parent if folder.parent in ids else "", []).append(folder)
    options = {"": _("All videos"), ROOT: _("In no folder")}

    def add(parent: str, depth: int) -> None:
        for folder in children.get(parent, []):
            if folder.id not in options:
                options[folder.id] = "\u2003" * depth + folder.name
                add(folder.id, depth + 1)

    add("", 0)
    return list(options.items())


def find_label(plan: PlanRequest, library: Library, videos: Iterable[str]) -> str:
    """What a plan is called later: its folder or its search, where all its videos are of it; else nothing, and its titles
    speak for it."""
    if not set(videos) <= {video.id for video in library.page.videos}:
        return ""
    return library.page.name_folder(plan.filter.folder) or (f"“{plan.filter.q}”" if plan.filter.q else "")


class LanguageColumn(NamedTuple):
    """A language: `named` is the id of its heading."""

    code: str
    name: str
    named: str


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell. `named` are the ids that name it, `field` is the name of its checkbox (empty: it is a link), `id` that of its
    live part (empty: it has none), `why` the whole name of a blocked one."""

    state: StateView
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


@dataclass(frozen=True)
class _MatrixBuilder:
    """Draws the rows of the table, with the cells of the plan ticked."""

    plan: PlanRequest
    planned: frozenset[CellKey]
    columns: tuple[LanguageColumn, ...]
    now: datetime
    steps: dict[tuple[str, RejectionReason], tuple[str, str]] = field(default_factory=dict)
    """What unblocks a video, found once for all its cells."""

    @cached_property
    def query(self) -> str:
        """The query of this page: cells of videos that are not known yet lead there."""
        return self.plan.query()

    def row(self, row: LibraryRow, named: str) -> RowView:
        selected = row.video_id in self.plan.choice.videos
        cells = tuple(self._cell(row, column, named) for column in self.columns)
        languages = rules.languages_in_order(self.plan.order)
        ticked = [lang for lang in languages if (row.video_id, lang) in self.planned - self.plan.choice.also]
        free = ticked if selected else [lang for lang in languages if self._free(row.video_state, lang)]
        left = [lang for lang in languages if (row.video_id, lang) in self.plan.choice.left_out]
        return RowView(
            row.video_id,
            named,
            title=row.title or row.video_id,
            length=formats.clock(row.length) if row.length else "",
            selected=selected,
            cells=cells,
            offered=packed(row.video_id, free) if free else "",
            left=packed(row.video_id, left) if left else "",
        )

    def _free(self, video_state: VideoState, lang: str) -> bool:
        standing = rules.cell_state(video_state, lang, self.now).state
        return (
            rules.rejection_reason(self.plan.order, video_state, lang) is None and standing not in rules.ENDED_WITHOUT
        )

    def _cell(self, row: LibraryRow, column: LanguageColumn, row_id: str) -> CellView:
        video_state, lang = row.video_state, column.code
        standing = rules.cell_state(video_state, lang, self.now)
        reason = rules.rejection_reason(self.plan.order, video_state, lang)
        state = standing.state
        word = str(messages.CELL_WORDS[state])
        where = f"{row_id} {column.named}"
        cell = (row.video_id, lang)
        if reason is None:
            again = state in rules.ENDED_WITHOUT
            return CellView(
                StateView(state, state, word) if again else StateView(state, "none", ""),
                named=f"do {where}",
                field="again" if again else "cell",
                value=packed(row.video_id, [lang]),
                checked=cell in self.planned,
            )
        if state in (CellState.NONE, CellState.ERROR, CellState.SKIPPED) and reason != RejectionReason.IS_SOURCE:
            return self._blocked(row, column, reason)
        if state == CellState.UNKNOWN:
            return CellView(StateView("none", "unknown", word), f"{where} k-unknown", href=f"?{self.query}")
        live = cell_id(row.video_id, lang) if state in rules.UNDER_WAY else ""
        href = page_of(row.video_id, lang)
        if state == CellState.NONE:
            return CellView(StateView("none", "none", ""), f"{where} k-bare", href=href)
        return CellView(StateView(state, state, word), f"{where} {live or f'k-{state}'}", id=live, href=href)

    def _blocked(self, row: LibraryRow, column: LanguageColumn, reason: RejectionReason) -> CellView:
        step, href = self.unblocking(row, reason)
        values = {"title": row.title, "language": column.name, "reason": messages.reason(reason), "step": step}
        why = _("%(title)s, %(language)s: Blocked. %(reason)s %(step)s") % values
        return CellView(
            StateView("blocked", "blocked", pgettext("subtitles", "Blocked")), "", href=href, blocked=True, why=why
        )

    def unblocking(self, row: LibraryRow, reason: RejectionReason) -> tuple[str, str]:
        """The step that would make the video's cells possible, in words, and its address."""
        if (row.video_id, reason) not in self.steps:
            self.steps[row.video_id, reason] = self._step(row, reason)
        return self.steps[row.video_id, reason]

    def _step(self, row: LibraryRow, reason: RejectionReason) -> tuple[str, str]:
        order = self.plan.order
        if reason == RejectionReason.SOURCE_MISSING:
            return _("Transcribe it first"), self._instead(row, JobType.TRANSCRIPTION, order.from_lang)
        if reason == RejectionReason.NEEDS_TRANSCRIPTION and row.video_state.has(order.from_lang):
            return _("Translate it instead"), self._instead(row, JobType.TRANSLATION, order.from_lang)
        return _("Open its jobs"), address("subtitles:video_jobs", row.video_id)

    def _instead(self, row: LibraryRow, kind: JobType, source: str) -> str:
        order = Order(kind, self.plan.order.tier, source, self.plan.order.to)
        return PlanRequest(order, CellChoice(videos=(row.video_id,)), self.plan.filter).address


def build_matrix(plan: PlanRequest, library: Library, planned: frozenset[CellKey], now: datetime) -> Matrix:
    """The table of these rows, with the cells of the plan ticked."""
    heads = columns(plan.order, library)
    drawn = _MatrixBuilder(plan, planned, heads, now)
    rows = tuple(drawn.row(row, f"r{index}") for index, row in enumerate(library.rows))
    if plan.filter.gaps:
        rows = tuple(
            view
            for view, row in zip(rows, library.rows, strict=True)
            if view.selected or rules.has_gap(row.video_state, plan.order)
        )
    return Matrix(heads, rows)


def list_notes(plan: PlanRequest, library: Library, now: datetime) -> list[CoverageNote]:
    """What the rules say about the chosen videos (about all that are shown, while none is chosen)."""
    chosen_rows = [row for row in library.rows if row.video_id in plan.choice.videos]
    rows = chosen_rows or [row for row in library.rows if row.title]
    drawing = _MatrixBuilder(plan, frozenset(), (), now)
    notes = [*_source_lines(plan.order, rows)]
    notes += _blocked_lines(drawing, plan.order, chosen_rows)
    notes += _count_lines(plan, chosen_rows, now)
    return notes


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


def _count_lines(plan: PlanRequest, rows: list[LibraryRow], now: datetime) -> list[CoverageNote]:
    cells = [
        (row, rules.cell_state(row.video_state, lang, now).state)
        for row in rows
        for lang in rules.languages_in_order(plan.order)
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
        ) % {"count": unknown}, _("Check again"), f"?{plan.query()}"))  # fmt: skip
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


@dataclass(frozen=True, slots=True)
class RunOffer:
    """The button and what it sends besides the fields of the planner. `is_all`: everything that `query` finds, else the chosen
    videos."""

    address: str
    words: str
    is_all: bool
    query: str = ""


def build_run_note(plan: PlanRequest, page: LibraryPage) -> CoverageNote | None:
    """Why there is no button because of single cells, and the step that brings it."""
    offer = _build_offer(plan, page)
    if offer is None or not plan.choice.has_single_cells:
        return None
    sentences = [_("A run creates the chosen languages for all its videos. It can't add or leave out single cells.")]
    if not offer.is_all:
        most = {"most": MOST_VIDEOS}
        sentences.append(_("To keep your single cells, choose %(most)s videos at most and check the plan.") % most)
    whole = replace(plan, choice=CellChoice(plan.choice.videos))
    return CoverageNote("info", " ".join(sentences), _("Undo the changes to single cells"), f"{whole.address}#coverage")


def _build_offer(plan: PlanRequest, page: LibraryPage) -> RunOffer | None:
    """The chosen videos where they are too many for a plan, else all of the filter where those are."""
    check, count = address("runs:check"), len(plan.choice.videos)
    if not check:
        return None
    if count > MOST_VIDEOS:
        words = ngettext("Check %(count)s chosen video as a run", "Check %(count)s chosen videos as a run", count)
        return RunOffer(check, words % {"count": formats.number(count)}, is_all=False)
    count = _count_all(plan, page)
    if count <= MOST_VIDEOS:
        return None
    words = ngettext("Check all %(count)s video as a run", "Check all %(count)s videos as a run", count)
    return RunOffer(check, words % {"count": formats.number(count)}, is_all=True, query=format_query(plan))


def _count_all(plan: PlanRequest, page: LibraryPage) -> int:
    """How many videos the filter finds; 0 where that is not known of all, or no language says what a gap is."""
    if not plan.filter.gaps:
        return page.total or 0
    return page.counts.gaps or 0 if page.counts is not None and page.counts.is_all else 0


def format_query(plan: PlanRequest) -> str:
    """The filter of the planner as the list of videos writes it."""
    library_filter, order = plan.filter, plan.order
    terms = []
    if library_filter.folder == ROOT:
        terms.append("folder:none")
    elif library_filter.folder:
        terms.append(f"folder:{_quote(library_filter.folder)}/**")
    if library_filter.gaps and (languages := rules.gap_languages(order)):
        terms.append(f"missing:{','.join(languages)}")
    if library_filter.q:
        terms.append(_quote(library_filter.q))
    return " ".join(terms)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@dataclass(frozen=True)
class Coverage:
    """templates/subtitles/_coverage.html: the table, and what is said around it. `planned`: the cells that the plan makes."""

    plan: PlanRequest
    library: Library
    planned: tuple[CellKey, ...]
    now: datetime

    @cached_property
    def matrix(self) -> Matrix:
        return build_matrix(self.plan, self.library, frozenset(self.planned), self.now)

    @cached_property
    def lines(self) -> list[CoverageNote]:
        return list_notes(self.plan, self.library, self.now)

    @property
    def key(self) -> tuple[StateView, ...]:
        return KEY

    @property
    def progress(self) -> str:
        """How many of the videos a search for gaps knows the subtitles of, where it does not know all."""
        counts = self.library.page.counts
        if counts is None or counts.gaps is None or counts.is_all:
            return ""
        sentence = looked_up_sentence(counts.known_count, counts.videos)
        return f"{sentence} {_('The others are listed last.')}" if self.plan.filter.gaps else sentence

    @property
    def gap_count(self) -> str:
        """How many of them lack a wanted language, at least: there may be more where not all have been looked at."""
        counts = self.library.page.counts
        return "" if counts is None or counts.gaps is None else formats.at_least(counts.gaps, is_all=counts.is_all)

    @property
    def row_count(self) -> str:
        """How many videos there are with or without gaps; "" where the platform does not say."""
        page = self.library.page
        count = page.counts.videos if page.counts else page.total
        return formats.number(count) if count is not None else ""

    @property
    def run(self) -> RunOffer | None:
        """The way to a run, where there are more videos than a plan takes; none where cells were changed one by one."""
        return None if self.plan.choice.has_single_cells else _build_offer(self.plan, self.library.page)

    @property
    def run_note(self) -> CoverageNote | None:
        return build_run_note(self.plan, self.library.page)

    @property
    def choose_all(self) -> str:
        """Chooses every video of the filter at once, where they are more than the page shows and not too many for a plan."""
        count = self.library.page.total or 0
        words = ngettext("Choose all %(count)s video", "Choose all %(count)s videos", count)
        return words % {"count": formats.number(count)} if ROWS < count <= rules.MOST_VIDEOS else ""

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """The fields that keep what was chosen of videos that are not in the table."""
        return self.plan.list_hidden({row.video_id for row in self.matrix.rows} | set(self.library.gone))

    @property
    def previous(self) -> int:
        return self.plan.filter.page - 1

    @property
    def next(self) -> int:
        """The number of the next page; 0 where there is none. Where nobody counts them, a full page has one."""
        page, shown = self.library.page, self.plan.filter.page
        return shown + 1 if shown < (page.pages or (shown + (len(page.videos) == ROWS))) else 0

    @property
    def error(self) -> errors.CallError | None:
        """What failed first."""
        return self.library.page.trouble or next((row.trouble for row in self.library.rows if row.trouble), None)

    @property
    def late(self) -> bool:
        return self.library.page.late or any(row.late for row in self.library.rows)

    @property
    def empty(self) -> bool:
        return not self.matrix.rows and not self.error and not self.late

    @property
    def caption(self) -> str:
        page = self.library.page
        count = page.total if page.total is not None else len(page.videos)
        languages = len(self.matrix.columns)
        if folder := page.name_folder(self.plan.filter.folder):
            values = {"count": formats.number(count), "folder": folder}
            videos = ngettext("%(count)s video in %(folder)s", "%(count)s videos in %(folder)s", count) % values
        else:
            videos = formats.videos(count)
        return f"{videos}, {ngettext('%(count)s language', '%(count)s languages', languages) % {'count': languages}}"

    @property
    def range(self) -> str:
        """Which videos the page shows; "" where they are all."""
        shown, page = self.plan.filter.page, self.library.page
        if not page.videos or (shown == 1 and len(page.videos) == page.total):
            return ""
        first = (shown - 1) * ROWS + 1
        values = {"first": first, "last": first + len(page.videos) - 1, "total": page.total}
        if page.total is None:
            return _("Videos %(first)s to %(last)s") % values
        return _("Videos %(first)s to %(last)s of %(total)s") % values
