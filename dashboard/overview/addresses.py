"""Pages of analytics that show the same days as the overview."""

from dashboard.overview import rules
from dashboard.overview.rules import Weeks
from dashboard.shared.addresses import address


def get_analytics_address(name: str, weeks: Weeks) -> str:
    """The page of analytics that shows the same days."""
    return address(name, start=weeks.now.start.isoformat(), end=weeks.now.end.isoformat(), zone="UTC")


def build_why_address(column: str, weeks: Weeks, video_id: str = "") -> str:
    """The page that splits the change of a figure by browser; "" for a figure of the platform's own."""
    metric = "plays" if column in rules.PLAYS else "views" if column in rules.VIEWS else ""
    days = {"start": weeks.now.start.isoformat(), "end": weeks.now.end.isoformat(), "zone": "UTC"}
    return address("analytics:why", "browsers", **days, metric=metric, video=video_id) if metric else ""


def build_cities_why_address(weeks: Weeks) -> str:
    """The page that splits the change of the number of cities."""
    days = {"start": weeks.now.start.isoformat(), "end": weeks.now.end.isoformat(), "zone": "UTC"}
    return address("analytics:why", "cities", **days)
