"""Sentences of runs."""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api import errors
from dashboard.runs.models import ALL_REFUSED, Run, RunEvent, RunState
from dashboard.runs.sending import GROUP
from dashboard.shared import formats
from dashboard.writes.failures import RESTORED, ParentTokenHeld
from dashboard.writes.run_actions import ItemState, find_action

EVENTS_MOST: Final = 30
"""Events that the page of a run lists."""
PAUSES: Final = (errors.RateLimited.__name__, errors.OverBudget.__name__)


def format_state(run: Run) -> str:
    """Where a run stands."""
    match run.state:
        case RunState.CHECKED:
            return _("Checked, not started")
        case RunState.PAUSED:
            return _("Paused %(when)s") % {"when": formats.ago(run.changed_at)}
        case RunState.FINISHED if run.finished_at:
            return _("Finished %(when)s") % {"when": formats.ago(run.finished_at)}
        case _:
            return format_wait(run) or _("In progress")


def format_wait(run: Run) -> str:
    """Why and until when a run waits; "" where it does not."""
    if run.state != RunState.RUNNING or not run.reason or run.due_at is None:
        return ""
    time = formats.time_of_day(run.due_at)
    if run.reason in PAUSES:
        return _("Too many requests. Continues at %(time)s.") % {"time": time}
    return _("The platform didn't answer. Continues at %(time)s.") % {"time": time}


def format_origin(run: Run, total: int) -> str:
    """Which videos, when, and who."""
    values = {"count": formats.number(total), "when": formats.moment(run.created_at), "actor": run.actor}
    if run.query:
        return (
            ngettext(
                "%(count)s video from a search, as it was on %(when)s. Created by %(actor)s.",
                "%(count)s videos from a search, as they were on %(when)s. Created by %(actor)s.",
                total,
            )
            % values
        )
    return (
        ngettext(
            "%(count)s selected video. Created on %(when)s by %(actor)s.",
            "%(count)s selected videos. Created on %(when)s by %(actor)s.",
            total,
        )
        % values
    )


def format_note(run: Run) -> str:
    """How it goes on."""
    action = find_action(run.action)
    if run.state == RunState.RUNNING and action is not None and action.size > 1:
        sentence = _("You can close this page: the run continues. Up to %(count)s videos are sent in one request.")
        return sentence % {"count": formats.number(action.size)}
    if run.state == RunState.RUNNING:
        return _(
            "You can close this page: the run continues. Videos are sent one after the other, in groups of %(count)s."
        ) % {"count": formats.number(GROUP)}
    if run.state == RunState.PAUSED:
        return _("Nothing is sent while the run is paused. What was sent before goes on.")
    return ""


def format_warning(run: Run) -> str:
    """What a person has to know or do; "" where there is nothing."""
    if run.state == RunState.RUNNING:
        return format_wait(run)
    if run.state != RunState.PAUSED or not run.reason:
        return ""
    if run.reason == ALL_REFUSED:
        stopped = run.events.filter(kind=RunEvent.Kind.PAUSED).first()
        return _("Paused: the platform refused %(count)s videos in a row. See why below before you continue.") % {
            "count": formats.number(stopped.data.get("count", GROUP) if stopped else GROUP)
        }
    if run.reason == RESTORED:
        return _(
            "Paused: Reelroom was restored from a backup. Some of these videos may have been sent after the backup. Check "
            "on the platform before you continue, or they are sent twice."
        )
    if run.reason == ParentTokenHeld.__name__:
        return _(
            "Paused: the platform refused the parent account's token. Connect the parent account again, then continue."
        )
    return _("Paused: the platform refused the account's token. Sign in again with a valid token, then continue.")


def format_retry(count: int) -> str:
    """The button that sends refused videos again; "" without any."""
    words = ngettext("Retry %(count)s refused", "Retry %(count)s refused", count)
    return words % {"count": formats.number(count)} if count else ""


def format_check_again(count: int) -> str:
    """The button that checks again what could not be sent; "" without any."""
    words = ngettext("Check %(count)s again", "Check %(count)s again", count)
    return words % {"count": formats.number(count)} if count else ""


def format_more(count: int) -> str:
    """How many videos the page does not list; "" where it lists all."""
    words = ngettext("And %(count)s more, in the export.", "And %(count)s more, in the export.", count)
    return words % {"count": formats.number(count)} if count > 0 else ""


def format_others(count: int) -> str:
    """How many requests like the one shown follow; "" where it is the only one."""
    words = ngettext("%(count)s more request like this one.", "%(count)s more requests like this one.", count)
    return words % {"count": formats.number(count)} if count > 0 else ""


def format_item_state(state: ItemState) -> str:
    """The state of one video in a word."""
    return {
        ItemState.PLANNED: _("Waiting to be sent"),
        ItemState.WAITING: _("Waiting on the platform"),
        ItemState.UNCONFIRMED: _("Not confirmed"),
        ItemState.NOT_SENT: _("Not sent"),
        ItemState.DONE: _("Finished"),
        ItemState.REFUSED: _("Refused"),
    }[state]


def format_event(event: RunEvent) -> str:
    """What happened."""
    values = {name: formats.number(value) for name, value in event.data.items() if isinstance(value, int)}
    values["actor"] = event.actor
    match event.kind:
        case RunEvent.Kind.CHECKED:
            total = event.data["total"]
            words = ngettext(
                "Checked %(total)s video: %(possible)s can be sent",
                "Checked %(total)s videos: %(possible)s can be sent",
                total,
            )
            return words % values
        case RunEvent.Kind.STARTED:
            return _("Started by %(actor)s") % values
        case RunEvent.Kind.SENT:
            return _format_sent(event, values)
        case RunEvent.Kind.WAITED:
            return _format_waited(event)
        case RunEvent.Kind.PAUSED:
            return _("Paused by %(actor)s") % values if event.actor else _("Paused automatically")
        case RunEvent.Kind.CONTINUED:
            return _("Continued by %(actor)s") % values
        case RunEvent.Kind.DISMISSED:
            return _("Removed from the overview by %(actor)s") % values
        case RunEvent.Kind.RESTORED:
            return _("Put back on the overview by %(actor)s") % values
        case RunEvent.Kind.RETRIED:
            words = ngettext(
                "Planned %(count)s video again, by %(actor)s",
                "Planned %(count)s videos again, by %(actor)s",
                event.data["count"],
            )
            return words % values
        case _:
            return _("Finished")


def _format_sent(event: RunEvent, values: dict[str, str]) -> str:
    if event.data.get("split"):
        return _format_split(event, values)
    words = ngettext("Sent %(count)s video", "Sent %(count)s videos", event.data["count"]) % values
    if not event.data.get("refused"):
        return words
    refused = ngettext("%(refused)s was refused", "%(refused)s were refused", event.data["refused"]) % values
    quoted = f": “{event.data['message']}”" if event.data.get("message") else ""
    return f"{words}; {refused}{quoted}"


def _format_split(event: RunEvent, values: dict[str, str]) -> str:
    """Of a request that was refused because of one of its videos."""
    refused = _("A request for %(count)s videos was refused") % values
    quoted = f": “{event.data['message']}”" if event.data["message"] else ""
    return f"{refused}{quoted}. " + _("They are sent again in smaller requests.")


def _format_waited(event: RunEvent) -> str:
    time = {"time": formats.time_of_day(datetime.fromisoformat(event.data["until"]))}
    if event.data["reason"] in PAUSES:
        return _("Waited until %(time)s: too many requests") % time
    return _("Waited until %(time)s: the platform didn't answer") % time
