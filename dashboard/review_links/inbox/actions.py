"""What the inbox sends: statuses, one or many at once, and answers. Everything goes through the portal's exactly-once writes."""

import time
import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.review_links import rules
from dashboard.review_links.forms import describe_problem
from dashboard.review_links.models import InboxItem
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared import refusals
from dashboard.writes.models import State
from review_portal import forms, owner_queries, owner_writes
from review_portal.models import Comment, ReviewLink

PATIENCE: Final = 6.0
"""Seconds in which several statuses are sent while the page waits; the worker sends the others."""


@dataclass
class StatusResult:
    """What became of several changes of status: rows by item, and why others were not changed, with how many."""

    changed: list[InboxItem] = field(default_factory=list)
    waiting: list[InboxItem] = field(default_factory=list)
    """Kept here, and sent as soon as the platform can be reached."""
    reasons: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def sent(self) -> list[InboxItem]:
        """What can be undone."""
        return [*self.changed, *self.waiting]


def set_statuses(
    account: Account, items: Sequence[InboxItem], status: CommentStatus, data: Mapping[str, str], actor: str
) -> StatusResult:
    """Resolve or reopen these comments, each through whichever link of its video allows it.

    `data` is the form, whose key makes a second press harmless: it says what became of the first. Decisions, and what has
    the status already, stay as they are.
    """
    result, deadline = StatusResult(), time.monotonic() + PATIENCE
    links = _group_links(account, {item.video_id for item in items})
    unsettled = owner_writes.load_unsettled_statuses([link for group in links.values() for link in group])
    for item in items:
        if item.is_decision:
            continue
        key, later = forms.read_key(data, account.pk, item.item_id, status.value), time.monotonic() > deadline
        is_there = _has_status(item, status, unsettled)
        group = links[item.video_id]
        through = owner_writes.find_attempted(group, key) if is_there else select_status_link(item, group)
        if through is None:
            continue
        if isinstance(through, Reason):
            result.reasons[describe_problem(Problem(through))] += 1
            continue
        try:
            write = owner_writes.set_status(account, through, item.item_id, status, key=key, actor=actor, later=later)
        except ObjectDoesNotExist:
            result.reasons[_("The comment is not there any more.")] += 1
        except errors.BadToken:
            result.reasons[_("The platform did not accept the owner's session on this link. Nothing was changed.")] += 1
        except errors.CallError as error:
            explained = refusals.explain(error)
            result.reasons[explained.whole] += 1
        else:
            (result.changed if write.state == State.DONE else result.waiting).append(item)
    return result


def _has_status(item: InboxItem, status: CommentStatus, unsettled: Mapping[uuid.UUID, str]) -> bool:
    """Whether a comment has the status, and no change that is still to be sent takes it away."""
    has_it = (item.state == InboxItem.State.RESOLVED) == (status == CommentStatus.RESOLVED)
    return has_it and unsettled.get(item.item_id, status.value) == status.value


def _group_links(account: Account, videos: Collection[uuid.UUID]) -> dict[uuid.UUID, list[ReviewLink]]:
    links: dict[uuid.UUID, list[ReviewLink]] = defaultdict(list)
    for link in owner_queries.list_links_of_videos(account, videos):
        links[link.video_id].append(link)
    return links


def select_status_link(item: InboxItem, links: Sequence[ReviewLink]) -> ReviewLink | Reason:
    """The link that a change of status goes through: its own where that allows it."""
    own_first = sorted(links, key=lambda link: link.pk != item.link_id)
    return rules.select_usable(own_first, timezone.now())


def find_answer_link(account: Account, item: InboxItem, data: Mapping[str, str] | None = None) -> ReviewLink | None:
    """The link that an answer goes through: its own where that is open and allows comments, else another that shows it.

    With the `data` of a form that was sent before: the link that it went through then, though that has closed meanwhile.
    """
    if item.is_decision:
        return None
    copies = Comment.objects.filter(link__accounts=account, comment_id=item.item_id).select_related("link")
    links = sorted((copy.link for copy in copies), key=lambda link: link.pk != item.link_id)
    if data:
        key = forms.read_key(_build_reply(item, data), account.pk)
        if attempted := owner_writes.find_attempted(links, key):
            return attempted
    now = timezone.now()
    return next((link for link in links if link.allow_comment and rules.state_of(link, now) in rules.USABLE), None)


@dataclass(frozen=True)
class AnswerResult:
    """What became of an answer: problems by field, or none; and of resolving, where that was asked for too."""

    problems: Mapping[str, tuple[str, ...]]
    arrived: bool = False
    status: StatusResult | None = None


def send_answer(
    account: Account, item: InboxItem, link: ReviewLink, data: Mapping[str, str], actor: str
) -> AnswerResult:
    """Answer a comment; with `then` "resolve" in the form, resolve it too. Each is sent once, however often it is pressed."""
    reply = owner_writes.send_reply(account, link, _build_reply(item, data))
    if reply.problems:
        return AnswerResult(reply.problems)
    resolves = data.get("then") == "resolve"
    status = set_statuses(account, [item], CommentStatus.RESOLVED, data, actor) if resolves else None
    return AnswerResult({}, reply.arrived, status)


def _build_reply(item: InboxItem, data: Mapping[str, str]) -> dict[str, str]:
    return {**data, "reply_to": str(item.item_id)}
