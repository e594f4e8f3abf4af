"""Sentences about where viewers leave: what a video loses, at which moment, or why that cannot be told."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.analytics.lesson_queries import LessonCounts, LessonFilter
from dashboard.analytics.losses import ALIKE_LEAST, DAYS_LEAST, PLAYS_LEAST, Verdict
from dashboard.analytics.models import RetentionList, VideoRetention
from dashboard.analytics.traffic_history import get_yesterday
from dashboard.shared import formats
from dashboard.shared.charts import figures


def format_summary(counts: LessonCounts, listing: RetentionList) -> str:
    parts = [
        ngettext("%(count)s video:", "%(count)s videos:", counts.together) % {"count": figures.count(counts.together)},
        ngettext("%(count)s loses more than usual,", "%(count)s lose more than usual,", counts.losing)
        % {"count": figures.count(counts.losing)},
        ngettext("%(count)s doesn't,", "%(count)s don't,", counts.usual) % {"count": figures.count(counts.usual)},
        ngettext("%(count)s can't be judged yet.", "%(count)s can't be judged yet.", counts.unjudged)
        % {"count": figures.count(counts.unjudged)},
    ]
    if listing.judged_at is not None:
        parts.append(_("Retention read %(when)s.") % {"when": formats.ago(listing.judged_at)})
    return " ".join(parts)


def format_nothing(counts: LessonCounts, lesson_filter: LessonFilter) -> str:
    """Why the ranking is empty; "" where it is not."""
    if counts.losing:
        return ""
    if not counts.together:
        return _("This video is not compared yet.") if lesson_filter.video else _("There are no videos to compare.")
    if lesson_filter.video:
        return _("This video doesn't lose more than usual.") if counts.usual else _("This video can't be judged yet.")
    return _("No video loses more than usual.")


def format_folders(video: VideoRetention) -> str:
    """The folders of a video, from the root down."""
    return " / ".join(name for _folder, name in video.folders)


def format_plays(video: VideoRetention) -> str:
    plays = video.plays or 0
    return ngettext("%(count)s play", "%(count)s plays", plays) % {"count": figures.count(plays)}


def format_minutes(minutes: float) -> str:
    """5,870 minutes lost; of few minutes also the tenths."""
    digits = 0 if minutes >= 10 else 1
    number = 1 if figures.count(minutes, digits) == figures.count(1, digits) else 2
    values = {"count": figures.count(minutes, digits)}
    return ngettext("%(count)s minute lost", "%(count)s minutes lost", number) % values


def format_finding(video: VideoRetention) -> str:
    share, usual = video.share or 0.0, video.usual or 0.0
    digits = 0 if figures.percent(share, 0) != figures.percent(usual, 0) else 1
    values = {
        "moment": formats.clock(video.moment or 0.0),
        "later": formats.clock(video.later or 0.0),
        "share": figures.percent(share, digits),
        "usual": figures.percent(usual, digits),
    }
    return (
        _("At %(moment)s more people leave than usual: at %(later)s, %(share)s are still watching, usually %(usual)s.")
        % values
    )


def format_line_note(video: VideoRetention, *, is_read: bool) -> str:
    if not is_read:
        return _("The subtitles are read next.")
    if not video.line_lang:
        return _("No subtitles here.")
    return "" if video.line else _("The subtitles say nothing at this moment.")


def format_reason(video: VideoRetention) -> str:
    """Why a video cannot be judged; "" where it was."""
    plays, least = video.plays, {"least": figures.count(PLAYS_LEAST)}
    match video.verdict:
        case Verdict.FEW_PLAYS if plays is None:
            return _("Fewer than %(least)s plays") % least
        case Verdict.FEW_PLAYS:
            return f"{format_plays(video)}; {_('%(least)s are needed') % least}"
        case Verdict.PLAYS_UNKNOWN:
            return _("The platform's ranking doesn't say how often it was played.")
        case Verdict.NEW:
            return _format_age(video)
        case Verdict.NO_LENGTH:
            return _("The platform doesn't say how long it is.")
        case Verdict.NO_CURVE:
            return _("The platform has no retention of it.")
        case Verdict.FEW_ALIKE:
            return _format_alike(video)
    return ""


def _format_age(video: VideoRetention) -> str:
    days = max(0, (get_yesterday() - video.created_on).days) if video.created_on else 0
    values = {"count": figures.count(days), "least": figures.count(DAYS_LEAST)}
    return (
        ngettext(
            "%(count)s whole day since it was created; %(least)s are needed",
            "%(count)s whole days since it was created; %(least)s are needed",
            days,
        )
        % values
    )


def _format_alike(video: VideoRetention) -> str:
    values = {
        "length": formats.clock(video.length or 0.0),
        "count": figures.count(video.alike),
        "least": figures.count(ALIKE_LEAST),
    }
    return (
        ngettext(
            "%(length)s long; %(count)s other video of like length can be compared, %(least)s are needed",
            "%(length)s long; %(count)s other videos of like length can be compared, %(least)s are needed",
            video.alike,
        )
        % values
    )
