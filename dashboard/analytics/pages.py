"""View models of the analytics templates: decisions are booleans, texts are ready to show."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.template.loader import render_to_string
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.analytics.date_bar import DateBar
from dashboard.analytics.state import AnalyticsState
from dashboard.platform_api.analytics import Analytics, Table
from dashboard.platform_api.answers import as_it_came
from dashboard.shared import formats
from dashboard.shared.addresses import path_of
from dashboard.shared.charts import figures
from dashboard.shared.charts.prepared import Chart, Exports
from dashboard.upstream.figures import FigureAnswer, Trouble, trouble

GENERIC_ROWS = 200


@dataclass(frozen=True)
class PageLink:
    """A link with its text."""

    text: str
    address: str


@dataclass(frozen=True)
class GenericAnswer:
    """An answer of an unknown shape: as a table if possible, and raw."""

    why: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    hidden: int
    raw: str


@dataclass(frozen=True)
class AnalyticsPanel:
    """templates/analytics/_panel.html. `body` is the template of `content`; neither where there is nothing to show."""

    name: str
    title: str
    note: str = ""
    body: str = ""
    content: object = None
    chart: Chart | None = None
    exports: Exports | None = None
    trouble: Trouble | None = None
    caution: str = ""
    late: bool = False
    stale: bool = False
    retry: str = ""
    fragment: str = ""
    more: PageLink | None = None
    count: str = ""
    tools: object = None

    @property
    def part_id(self) -> str:
        return f"panel-{self.name}"

    @cached_property
    def drawn(self) -> SafeString:
        """The panel as HTML."""
        return render_to_string("analytics/_panel.html", {"panel": self})


@dataclass(frozen=True)
class Tab:
    """A link to one of the pages of analytics."""

    text: str
    address: str
    current: bool


@dataclass(frozen=True)
class AnalyticsPage:
    """Every page of analytics: its head, its date bar and its panels."""

    title: str
    meta: str
    tabs: tuple[Tab, ...]
    bar: DateBar
    address: str
    zip_address: str
    panels: tuple[AnalyticsPanel, ...] = ()
    extra: object = None


def build_tabs(current: str, query: str = "") -> tuple[Tab, ...]:
    """Tabs of analytics. `query` keeps the days in their links; where viewers leave is told of 28 days alone."""
    names = (
        ("analytics", _("Overview")),
        ("browsers", _("Browsers")),
        ("cities", _("Cities")),
        ("referrers", _("Referrers")),
        ("ranking", _("Ranking")),
        ("traffic", _("Traffic")),
        ("retention", _("Retention")),
        ("lessons", _("Where viewers leave")),
    )
    dated = f"?{query}" if query else ""
    return tuple(
        Tab(text, f"{path_of(f'analytics:{name}')}{dated if name != 'lessons' else ''}", name == current)
        for name, text in names
    )


def build_why_address(split: str, state: AnalyticsState, **changes: object) -> str:
    """The page that splits the change of the same days; with `video`, of one video."""
    return f"{path_of('analytics:why', split)}?{state.query(page=None, sort=None, find=None, **changes)}"


def vary_why_address(split: str, state: AnalyticsState, *names: str, **changes: object) -> Callable[..., str]:
    """`build_why_address` for each row of a table, by the values of `names` in their order."""
    vary = state.vary(*names, page=None, sort=None, find=None, **changes)
    address = path_of("analytics:why", split)
    return lambda *values: f"{address}?{vary(*values)}"


def build_rate_why_address(state: AnalyticsState) -> str:
    """The page that splits the change of the play rate of the same days."""
    query = state.query(page=None, sort=None, find=None, metric=None, country=None, region=None)
    return f"{path_of('analytics:rate_why', 'browsers')}?{query}"


def build_traffic_why_address(state: AnalyticsState, *videos: str) -> str:
    """The page of the causes of a change of traffic: of these videos, or of what the address names."""
    query = state.query(page=None, sort=None, find=None, **({"video": list(videos)} if videos else {}))
    return f"{path_of('analytics:traffic_why', 'causes')}?{query}"


def add_read_state(panel: AnalyticsPanel, got: FigureAnswer, past: FigureAnswer | None = None) -> AnalyticsPanel:
    """Add what went wrong with the latest read to a panel: its trouble, a missing comparison."""
    caution = panel.caution
    if past is not None and past.value is None:
        missing = (
            _("The period it is compared with could not be read.")
            if past.error
            else _("The comparison is still loading.")
        )
        caution = f"{caution} {missing}".strip()
    elif past is not None and past.old and past.at:
        aged = _("The period it is compared with was last read %(when)s.") % {"when": formats.ago(past.at)}
        caution = f"{caution} {aged}".strip()
    return replace(panel, caution=caution, trouble=trouble(got) if got.error or got.old else None)


def build_generic(answer: Analytics, why: str) -> GenericAnswer:
    """Build the view of an answer of an unknown shape."""
    table = answer.table
    columns, rows = _build_generic_rows(table) if table else ((), ())
    hidden = max(0, len(table.rows) - GENERIC_ROWS) if table else 0
    return GenericAnswer(why, columns, rows, hidden, as_it_came(answer.raw))


def _build_generic_rows(table: Table) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    dated = any(row.at for row in table.rows)
    columns = (_("Name"), *((_("When"),) if dated else ()), *table.columns)
    rows = []
    for row in table.rows[:GENERIC_ROWS]:
        numbers = (row.metrics.get(column) for column in table.columns)
        texts = ("" if value is None else figures.format_value(value, figures.Unit.COUNT) for value in numbers)
        rows.append((row.label, *((row.at or "",) if dated else ()), *texts))
    return columns, tuple(rows)
