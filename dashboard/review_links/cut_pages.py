"""Cuts on the desk: the panel on a link's page, the field of the form that creates one, and the sentences of refusals."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.review_links.forms import NextCutForm
from dashboard.review_links.pages import Badge, build_badge, get_video_title
from review_portal import cuts
from review_portal.cuts import CutRefusal
from review_portal.export_files import format_cut
from review_portal.models import ReviewLink

CANDIDATES_MAX = 200


@dataclass(frozen=True)
class CutRow:
    """One cut of the series: `address` is its own page on the desk."""

    number: int
    name: str
    video: str
    address: str
    badge: Badge
    is_current: bool
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class CutPanel:
    """templates/review_links/_cuts.html. With `rows` the link is a cut; else `form` makes it one, where there is a choice."""

    rows: tuple[CutRow, ...]
    is_own: bool
    form: NextCutForm | None
    action: str


def build_panel(account: Account, link: ReviewLink, now: datetime, form: NextCutForm | None = None) -> CutPanel:
    """The series of a link, or the form that begins one; `form` is one that was refused."""
    numbered = cuts.list_cuts(link)
    rows = tuple(
        CutRow(
            number=cut.number,
            name=cut.link.name or _("Link without a name"),
            video=get_video_title(cut.link),
            address=reverse("review_links:link", args=[cut.link.pk]),
            badge=build_badge(cut.link, now),
            is_current=cut.link.pk == link.pk,
            is_first=cut.number == 1,
            is_last=cut.number == len(numbered),
        )
        for cut in numbered
    )
    if not rows and form is None:
        form = build_form(account, link, link.video_id)
    return CutPanel(
        rows=rows,
        is_own=cuts.owns_series(account, link),
        form=form if form is not None and form.has_choices else None,
        action=reverse("review_links:cuts", args=[link.pk]),
    )


def build_form(
    account: Account, link: ReviewLink | None, video_id: uuid.UUID, data: Mapping[str, str] | None = None
) -> NextCutForm:
    """The form that makes a link, or a new one of the video, the next cut of another link of the account."""
    numbers = cuts.load_numbers(account)
    links = list(cuts.list_candidates(account, link, video_id)[:CANDIDATES_MAX])
    return NextCutForm({row: _name_candidate(row, numbers) for row in links}, data)


def _name_candidate(link: ReviewLink, numbers: Mapping[uuid.UUID, tuple[int, int]]) -> str:
    name = f"{link.name or link.pk}: {get_video_title(link)}"
    number, total = numbers.get(link.pk, (0, 0))
    return f"{name} ({format_cut(number, total)})" if number else name


def describe_refusal(refusal: CutRefusal) -> str:
    """Why a link does not become the next cut, and what to do."""
    return {
        CutRefusal.SAME_LINK: _("Choose another link: this is the link itself."),
        CutRefusal.SAME_VIDEO: _("Choose another link: that series has a link of this video already."),
        CutRefusal.IN_SERIES: _("This link is a cut already. Remove it from its series first."),
        CutRefusal.OF_OTHERS: _("Another account declared the series of that link. Change it there."),
        CutRefusal.TOO_MANY: _("That series has %(most)s cuts, the most there can be.") % {"most": cuts.CUTS_MAX},
    }[refusal]
