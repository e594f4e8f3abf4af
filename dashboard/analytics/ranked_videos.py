"""Plays and views by video, as two rankings tell them, for the pages that split a change by video."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.utils.translation import gettext as _

from dashboard.analytics import rules
from dashboard.analytics.charts import format_label
from dashboard.analytics.panel_kinds import add_titles
from dashboard.analytics.reads import get_comparison
from dashboard.analytics.state import VIDEO_ID, AnalyticsState
from dashboard.analytics.why_subject import WhySubject
from dashboard.platform_api.analytics import Row, Table
from dashboard.shared.addresses import path_of
from dashboard.shared.change_parts import Side
from dashboard.shared.metrics import NAMES, Metric


def list_sides(subject: WhySubject, state: AnalyticsState) -> list[Side] | None:
    """Each video's number in both periods; one that a ranking does not list has 0 there. None where they are not told."""
    tables = find_tables(subject, state)
    if tables is None:
        return None
    sums = [_sum_metric(table, state.metric) for table in tables]
    if sums[0] is None or sums[1] is None:
        return None
    now, past = (subject.select(side) for side in (sums[0], sums[1]))
    titles = list_titles(tables, subject.account_id)
    return [
        Side(titles.get(key) or format_label(key), now.get(key, 0.0), past.get(key, 0.0), build_address(key, state))
        for key in dict.fromkeys((*now, *past))
    ]


def find_tables(subject: WhySubject, state: AnalyticsState) -> tuple[Table, Table] | None:
    """The answers about both periods; None where one is not there."""
    now = subject.answers.get("now")
    past, _caution = get_comparison(state, subject.answers)
    if now is None or now.value is None or now.value.table is None or past is None:
        return None
    return now.value.table, past


def _sum_metric(table: Table, metric: Metric) -> dict[str, float] | None:
    """What each video has of a metric; None where the ranking does not tell it, or names no videos."""
    column = next((name for name in NAMES[metric] if name in table.columns), None)
    if column is None or not (table.is_named or any(row.video_id for row in table.rows)):
        return None if table.rows else {}
    return sum_videos(table, column)


def sum_videos(table: Table, column: str) -> dict[str, float]:
    """What each video has in a column, by its id."""
    sums: dict[str, float] = {}
    for row in table.rows:
        if column in row.metrics:
            sums[_get_key(row)] = sums.get(_get_key(row), 0.0) + row.metrics[column]
    return sums


def _get_key(row: Row) -> str:
    return row.video_id or row.label


def list_titles(tables: Iterable[Table], account_id: UUID) -> Mapping[str, str]:
    """Titles by id, of those videos that have one; the first table's before those of the others."""
    titles: dict[str, str] = {}
    for table in tables:
        ranked = rules.parse_ranking(table, None)
        for video, named in zip(ranked, add_titles(account_id, ranked), strict=True):
            if named.title != video.video_id:
                titles.setdefault(video.video_id, named.title)
    return titles


def build_address(key: str, state: AnalyticsState) -> str:
    """A video's own page of analytics; "" for what the ranking gives no id."""
    query = state.query(video=key, folder=None, directly=None, search=None, sort=None, find=None)
    return f"{path_of('analytics:browsers')}?{query}" if VIDEO_ID.fullmatch(key) else ""


def format_ranked() -> str:
    """Which videos count where two rankings are compared."""
    return _("Only videos that are ranked count; one that only one of the two rankings lists is 0 in the other.")
