"""Names and explanations of the figures."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from dashboard.shared.charts.figures import Unit
from dashboard.shared.charts.time import Measure
from dashboard.shared.metrics import Metric, find_metric

MEASURES = {
    Metric.VIEWS: Measure(gettext_lazy("Views"), ngettext_lazy("%(shown)s view", "%(shown)s views", "number")),
    Metric.PLAYS: Measure(gettext_lazy("Plays"), ngettext_lazy("%(shown)s play", "%(shown)s plays", "number")),
    Metric.VIEWERS: Measure(
        gettext_lazy("Unique viewers"), ngettext_lazy("%(shown)s unique viewer", "%(shown)s unique viewers", "number")
    ),
    Metric.PLAYERS: Measure(
        gettext_lazy("People who played"),
        ngettext_lazy("%(shown)s person who played", "%(shown)s people who played", "number"),
    ),
}


def build_traffic_measure(videos: str) -> Measure:
    """Bytes of the videos that `videos` names ("5 chosen videos"): a sum of some is never called the account's."""
    title = _("Traffic of %(videos)s") % {"videos": videos}
    return Measure(title, _("%(size)s of %(videos)s") % {"size": "%(shown)s", "videos": videos}, Unit.BYTES)


def get_measure(column: str) -> Measure:
    """The measure of a column. An unknown column keeps its name."""
    metric = find_metric(column)
    return MEASURES[metric] if metric else Measure(column.replace("%", "%%"), "%(shown)s")


def format_explanation(column: str) -> str:
    """Explain what a figure counts, in one or two sentences."""
    match find_metric(column):
        case Metric.VIEWS:
            return _("A view is a page that loaded the player. It is not a play, and one person can have many.")
        case Metric.PLAYS:
            return _("A play is a player that was started. Pages that only loaded it do not count.")
        case Metric.VIEWERS:
            return _("People who loaded the player. A person who returns on another day is counted again.")
        case Metric.PLAYERS:
            return _("People who started the player. A person who returns on another day is counted again.")
        case _other:
            return _("The platform calls this “%(column)s” and does not say what it counts.") % {"column": column}
