"""What the templates of creating, choosing and taking in get."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.videos import Video
from dashboard.review_links import rules
from dashboard.review_links.forms import CUSTOM, LinkForm
from dashboard.review_links.pages import LinkRow, Meter, build_link_row, build_meter, format_full_moment
from dashboard.review_links.writes import list_creations
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import path_of
from dashboard.upstream.video_options import VideoOption, build_option
from dashboard.writes.failures import NOT_RECEIVED
from dashboard.writes.models import State, Write
from review_portal import imports, owner_queries, sync
from review_portal.owner_queries import CountedLink

CHOICES = ("allow_preview", "send_decisions")
"""What is kept here: the platform does not know it."""
LISTED_OPEN = 5


@dataclass(frozen=True)
class ClosingPreset:
    """One offered closing time."""

    value: str
    label: str
    moment: str
    chosen: bool


@dataclass(frozen=True)
class LinkSwitch:
    """One of the three switches, with what reviewers see when it is on and when it is off."""

    name: str
    label: str
    on: str
    off: str
    checked: bool


@dataclass(frozen=True)
class CreatePage:
    """templates/review_links/create.html."""

    video: VideoOption
    like: str
    presets: tuple[ClosingPreset, ...]
    custom: bool
    zone: str
    switches: tuple[LinkSwitch, ...]
    meter: Meter
    links: tuple[LinkRow, ...]
    other_video: str
    title: str


@dataclass(frozen=True)
class AttemptPage:
    """templates/review_links/attempt.html. `again` and `arrived`: which buttons there are."""

    address: str
    version: str
    title: str
    name: str
    video: str
    facts: tuple[str, ...]
    polls: bool
    attempt: int
    again: bool
    arrived: bool
    form: str
    list: str


@dataclass(frozen=True)
class OpenCreation:
    """A link that was asked for and is not known to be there yet, in the list of links."""

    address: str
    name: str
    word: str


@dataclass(frozen=True)
class ImportPage:
    """templates/review_links/import.html."""

    video: VideoOption
    other_video: str
    readable: bool


SWITCHES = {
    "allow_comment": (
        gettext_noop("They can comment on the moment they are watching and reply to each other."),
        gettext_noop("They watch and read what is there. There is nothing to write in."),
    ),
    "allow_status_edit": (
        gettext_noop("Each comment shows Resolve to everybody who has the link."),
        gettext_noop("They see what is resolved but cannot change it. You cannot either, through this link."),
    ),
    "show_resolved": (
        gettext_noop("What is resolved stays in the list, folded, with its mark on the timeline."),
        gettext_noop("A comment disappears from their list the moment somebody resolves it."),
    ),
    "allow_preview": (
        gettext_noop("The title and a still of the video are shown, never a comment."),
        gettext_noop("Only the address is shown."),
    ),
    "send_decisions": (
        gettext_noop("Each decision is also a comment where the video ends. It counts as one of 30."),
        gettext_noop("Decisions stay in Reelroom."),
    ),
}


def build_create_page(form: LinkForm, video: Video, rows: Sequence[CountedLink], used: int, like: str) -> CreatePage:
    """The form's surroundings: the video, its other links, how much room its comments have."""
    now = timezone.now()
    choice = str(form["closes"].value() or "")
    return CreatePage(
        video=build_option(video),
        like=like,
        presets=tuple(
            ClosingPreset(
                str(days), _format_days(days), format_full_moment(at.astimezone(form.zone_in_use)), choice == str(days)
            )
            for days, at in rules.list_presets(form.shown_at)
        ),
        custom=choice == CUSTOM,
        zone=form.zone_in_use.key,
        switches=tuple(_build_switch(form, name) for name in (*rules.SWITCHES, *CHOICES)),
        meter=build_meter(used, known=owner_queries.are_comments_complete(rows)),
        links=tuple(build_link_row(link, now, used) for link in rows[:5]),
        other_video=path_of("review_links:create"),
        title=_("Recreate review link") if like else _("Create review link"),
    )


def _format_days(days: int) -> str:
    return ngettext("In %(days)s day", "In %(days)s days", days) % {"days": formats.number(days)}


def _build_switch(form: LinkForm, name: str) -> LinkSwitch:
    on, off = SWITCHES[name]
    return LinkSwitch(name, str(form.fields[name].label), _(on), _(off), bool(form[name].value()))


def build_attempt_page(write: Write) -> AttemptPage:
    """How a link that was asked for stands, as long as it is not there."""
    unconfirmed = write.state == State.UNCONFIRMED
    form = {"video": write.subject} if write.state in (State.REFUSED, State.HELD) else {}
    return AttemptPage(
        address=path_of("review_links:attempt", write.key),
        version=f"{write.state}-{write.attempt}-{int(write.due_at is None)}",
        title=_get_title(write),
        name=write.label,
        video=str(write.request.get("title") or "") or _("Video without a title"),
        facts=_list_facts(write),
        polls=write.state == State.SENDING or (unconfirmed and write.due_at is not None),
        attempt=write.attempt,
        again=write.state != State.SENDING,
        arrived=unconfirmed,
        form=f"{path_of('review_links:create')}?{urlencode(form)}" if form else "",
        list=path_of("review_links:review_links"),
    )


def _get_title(write: Write) -> str:
    return {
        State.SENDING: _("Creating the link"),
        State.UNCONFIRMED: _("Not confirmed"),
        State.HELD: _("The link was not sent"),
    }.get(State(write.state), _("The link was not created"))


def _list_facts(write: Write) -> tuple[str, ...]:
    """What is known, in sentences."""
    if write.state == State.SENDING:
        return (_("The platform has not answered yet. This page updates automatically."),)
    if write.state == State.UNCONFIRMED:
        values = {"moment": formats.moment(write.sent_at or write.created_at)}
        return (
            _("Sent %(moment)s. The platform didn't confirm it, so the link may exist already.") % values,
            _describe_check(write),
        )
    if write.reason == NOT_RECEIVED:
        return (_("The link was not created: we checked, and the video does not have it."),)
    if write.error is not None:
        explained = refusals.explain(write.error)
        return (explained.whole, _("Nothing was created."))
    return (_("The link was not sent to the platform. Nothing was created."),)


def _describe_check(write: Write) -> str:
    if not sync.is_readable():
        return _(
            "Reelroom cannot read links on this platform, so it cannot check. Check on the platform before you send it again."
        )
    if write.due_at is None:
        return _("Reelroom checked the video's links and could not tell whether it was created.")
    return _("We keep checking automatically.")


def list_open_creations(account: Account) -> tuple[OpenCreation, ...]:
    """What was sent and is not confirmed, newest first."""
    # Few are open: a database that sorts them itself would walk all that were ever made in their order.
    unclear = list_creations(account).filter(state__in=(State.SENDING, State.UNCONFIRMED)).order_by()
    newest = sorted(unclear, key=lambda write: write.created_at, reverse=True)[:LISTED_OPEN]
    return tuple(
        OpenCreation(path_of("review_links:attempt", write.key), write.label, _get_title(write)) for write in newest
    )


def build_import_page(video: Video, *, readable: bool) -> ImportPage:
    """`readable`: whether the platform can say what the link allows and what was written through it."""
    return ImportPage(build_option(video), path_of("review_links:import"), readable)


def describe_import_problem(reason: imports.ImportProblem) -> str:
    """Why a link cannot be taken in, and what to do."""
    return {
        imports.ImportProblem.VIDEO_MISSING: _("The platform does not have this video any more. Choose another one."),
        imports.ImportProblem.LINK_MISSING: _("The platform does not have this link. Copy the whole address again."),
        imports.ImportProblem.OTHER_VIDEO: _("This link shows another video. Choose that video first."),
    }[reason]


def add_refusal(form: LinkForm, error: errors.CallError) -> None:
    """The platform's refusal at the field it is about."""
    explained = refusals.explain(error)
    fields = {"expires_at": "closes", "link_name": "name"}
    form.add_error(fields.get(explained.field), explained.whole)


def load_settings_of(account: Account, like: str) -> dict[str, Any]:
    """Name and choices of another link of the account; nothing when there is none."""
    try:
        link = owner_queries.get_link(account, uuid.UUID(like))
    except (ValueError, ObjectDoesNotExist):
        return {}
    return {"name": link.name, **{name: getattr(link, name) for name in (*rules.SWITCHES, *CHOICES)}}
