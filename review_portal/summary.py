"""View model of the finished review: the decision, own comments, open comments, and parts never watched."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.shared import formats
from review_portal import markup, pages
from review_portal.context import Visit
from review_portal.decision_pages import DecisionPage, build_decision_page
from review_portal.email_pages import EmailPanel, build_email_panel
from review_portal.messages import describe_unsettled, describe_writer
from review_portal.models import ReviewLink
from review_portal.pages import Head
from review_portal.rules import Problem
from review_portal.threads import Entry, Thread


@dataclass(frozen=True)
class CommentLine:
    """A comment in one line; `about` names the thread where it is a reply."""

    address: str
    at: str
    name: str
    text: str
    state: str
    is_open: bool
    about: str = ""


@dataclass(frozen=True)
class FinishPage:
    """`length` in whole seconds: what was watched is known to the browser alone, which writes it in."""

    head: Head
    back: str
    mine: tuple[CommentLine, ...]
    open: tuple[CommentLine, ...]
    length: int
    wrote: str
    show_resolved: bool
    total: int
    decision: DecisionPage
    email: EmailPanel | None


def build_page(
    visit: Visit,
    typed: Mapping[str, str] | None = None,
    problems: list[Problem] | None = None,
    email: tuple[str, str] = ("", ""),
) -> FinishPage:
    """Everything of the page but what was watched.

    `typed` and `problems`: of a decision that was refused; `email`: an address that was, and why.
    """
    threads = visit.threads
    own = [_build_line(visit.link, t, e) for t in threads for e in t.entries if e.mine]
    return FinishPage(
        head=pages.build_head(visit.link, visit.shown, visit.now),
        back=f"/{visit.link.pk}",
        mine=tuple(own),
        open=tuple(_build_line(visit.link, t, t.first) for t in threads if t.is_open),
        length=visit.shown.last_second or 0,
        wrote=pages.describe_own_comments(threads),
        show_resolved=visit.link.show_resolved,
        total=len(threads),
        decision=build_decision_page(visit, typed, problems),
        email=build_email_panel(visit, *email),
    )


def _build_line(link: ReviewLink, thread: Thread, entry: Entry) -> CommentLine:
    state = _("Open") if thread.is_open else _("Resolved")
    state = ", ".join(filter(None, (state, describe_unsettled(entry.unsettled))))
    about = "" if entry is thread.first else _("in reply to %(name)s") % {"name": thread.first.user_name}
    address = f"/{link.pk}?t={entry.time}#{markup.get_anchor(entry)}"
    mark = describe_writer(by_owner=entry.by_owner, namesake=entry.namesake and not entry.mine)
    name = f"{entry.user_name} ({mark})" if mark else entry.user_name
    return CommentLine(address, formats.clock(entry.time), name, entry.text, state, thread.is_open, about)
