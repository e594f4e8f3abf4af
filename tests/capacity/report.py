"""The tables and sentences of docs/scale.md that come from figures."""

from tests.capacity import costs as measured
from tests.capacity.costs import Costs
from tests.capacity.model import ACCOUNTS, VIDEOS, WATCHERS, Hour, Part, day, parts

GIGABYTE = 1_000_000_000


def report() -> str:
    """Markdown: what was measured, the busiest hour, what is full first."""
    costs, hours = measured.load(), day()
    found = parts(costs, hours)
    return "\n".join([*_costs(costs), "", *_busiest(costs, hours), "", *_parts(found), "", _order(found), ""])


def _costs(costs: Costs) -> list[str]:
    rows = [f"| {cost.name} | {cost.web:.2f} | {cost.database:.2f} | {cost.cache:.2f} |" for cost in costs.all]
    return [
        "| one | web, ms CPU | PostgreSQL, ms CPU | Redis, ms CPU |",
        "|---|---|---|---|",
        *rows,
        "",
        f"A stored video takes {costs.video_bytes / 1000:.1f} kB with its indexes, "
        f"a web process {costs.process_megabytes:.0f} MB.",
    ]


def _busiest(costs: Costs, hours: list[Hour]) -> list[str]:
    hour = max(hours, key=lambda one: one.watchers)
    stored = ACCOUNTS * VIDEOS * costs.video_bytes / GIGABYTE
    return [
        f"In the busiest hour {hour.watchers:,} people watch {hour.rooms:,} rooms of {ACCOUNTS:,} accounts. A second brings "
        f"{hour.openings:,.0f} openings, {hour.pages:,.0f} dashboard pages, {hour.writes:,.0f} comments and "
        f"{hour.calls:,.0f} calls of the platform; the account with most of them makes {hour.busiest_account:,.0f} a minute. "
        f"{ACCOUNTS * VIDEOS:,} videos are {stored:,.0f} GB in the store.",
    ]


def _parts(found: list[Part]) -> list[str]:
    rows = [
        f"| {part.name} | {part.unit} | {_short(part.gives)} | {_short(part.needs)} | {part.units} | {_watchers(part.full_at)} |"
        for part in found
    ]
    return [
        "| part | one unit | gives, at 70 % | busiest hour needs | units | one unit is full at |",
        "|---|---|---|---|---|---|",
        *rows,
    ]


def _order(found: list[Part]) -> str:
    names = [part.name for part in found if part.full_at < WATCHERS]
    return f"One unit of each is full in this order: {', '.join(names)}."


def _short(value: float) -> str:
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _watchers(count: float) -> str:
    return f"{round(count, -2):,.0f} watchers" if count < WATCHERS else f"more than {WATCHERS:,}"
