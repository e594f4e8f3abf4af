"""View model of two compared cuts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from dashboard.shared import formats
from review_portal import captions, cuts, pages
from review_portal.context import Visit
from review_portal.cut_pages import is_open
from review_portal.cuts import NumberedCut
from review_portal.pages import Head, Stage
from review_portal.video_rate import get_rate_of
from review_portal.videos import LinkVideo


@dataclass(frozen=True)
class CutSide:
    """One of the two cuts. `alone`: its own page at the same moment. `closed`: why it cannot be played, else ""."""

    number: int
    title: str
    video: LinkVideo
    stage: Stage
    alone: str
    rate: str
    closed: str
    is_after: bool


@dataclass(frozen=True)
class Moment:
    """A comment of one of the cuts, as a place to go to in both."""

    address: str
    seconds: int
    at: str
    clock: str
    kind: str
    label: str


@dataclass(frozen=True)
class OtherCut:
    """A cut that this one can be compared with."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class ComparePage:
    """templates/review_portal/compare.html."""

    head: Head
    title: str
    sides: tuple[CutSide, CutSide]
    others: tuple[OtherCut, ...]
    action: str
    back: str
    start: int
    length: int
    moments: tuple[Moment, ...]
    caution: str
    lengths: str
    shift: str
    """What the frame buttons do."""
    rates: str
    """What is said of different frame rates, which the browser measures."""
    is_exact: bool
    """Whether both can play in the browser itself: else nothing keeps them in step to the frame."""


def build_page(visit: Visit, other: NumberedCut, start: int, now: datetime) -> ComparePage:
    """This cut and another of its series; the earlier one first."""
    numbered = cuts.list_cuts(visit.link)
    own = NumberedCut(cuts.find_number(numbered, visit.link), visit.link)
    first, second = sorted((own, other), key=lambda cut: cut.number)
    sides = (_build_side(visit, first, start, now), _build_side(visit, second, start, now, is_after=True))
    numbers = {"before": first.number, "after": second.number}
    playable = [side for side in sides if not side.closed]
    lengths = [side.video.last_second or 0 for side in playable]
    head = pages.build_head(visit.link, visit.shown, now)
    return ComparePage(
        head=replace(head, subtitle=_("Comparing cut %(before)s and cut %(after)s") % numbers),
        title=_("Compare cut %(before)s and cut %(after)s") % numbers,
        sides=sides,
        others=tuple(_build_other(cut, other) for cut in numbered if cut.link.pk != visit.link.pk),
        action=f"/{visit.link.pk}/compare",
        back=f"/{visit.link.pk}" + (f"?t={start}" if start else ""),
        start=start,
        length=max(lengths, default=0),
        moments=tuple(_list_moments(visit, other, max(lengths, default=0))),
        caution=_describe_caution(sides),
        lengths=_describe_lengths(*sides) if len(playable) == 2 else "",
        shift=_("Shift cut %(before)s by frames") % numbers,
        rates=_(
            "The cuts have different frame rates ({before} and {after}). They are kept in step by time, not by frame."
        ),
        is_exact=all(side.stage.kind == "native" for side in playable),
    )


def _build_side(visit: Visit, cut: NumberedCut, start: int, now: datetime, *, is_after: bool = False) -> CutSide:
    closed, video = "", LinkVideo.from_kept(cut.link.video)
    if not is_open(cut.link, now):
        closed, video = _("Cut %(cut)s has closed, so it cannot be played.") % {"cut": cut.number}, LinkVideo()
    return CutSide(
        number=cut.number,
        title=_("Cut %(cut)s") % {"cut": cut.number},
        video=video,
        stage=pages.build_stage(video, captions.list_captions(cut.link, video), start),
        alone=f"/{cut.link.pk}" + (f"?t={start}" if start else ""),
        rate=get_rate_of(visit.request, str(cut.link.pk)),
        closed=closed,
        is_after=is_after,
    )


def _build_other(cut: NumberedCut, current: NumberedCut) -> OtherCut:
    return OtherCut(str(cut.link.pk), _("Cut %(cut)s") % {"cut": cut.number}, cut.number == current.number)


def _list_moments(visit: Visit, other: NumberedCut, length: int) -> list[Moment]:
    """The visible top-level comments of this cut, by time."""
    link, results = visit.link, []
    for thread in visit.threads_at_first:
        entry, state = thread.first, _("Open") if thread.is_open else _("Resolved")
        query = urlencode({"with": other.link.pk, "t": entry.time})
        at = f"{min(100, entry.time / length * 100):.2f}%" if length else "0%"
        values = {"time": formats.clock(entry.time), "name": entry.user_name, "state": state}
        label = _("%(time)s, %(name)s, %(state)s") % values
        kind = "open" if thread.is_open else "resolved"
        results.append(Moment(f"/{link.pk}/compare?{query}", entry.time, at, values["time"], kind, label))
    return results


def _describe_caution(sides: Sequence[CutSide]) -> str:
    """What cannot be kept in step where a cut plays in the platform's player."""
    numbers = [side.number for side in sides if side.stage.kind == "embedded"]
    if not numbers:
        return ""
    end = _("Play, pause and seek are shared; frames can differ by up to 1 second.")
    if len(numbers) > 1:
        return _("Both cuts play in the platform's player.") + f" {end}"
    return _("Cut %(cut)s plays in the platform's player.") % {"cut": numbers[0]} + f" {end}"


def _describe_lengths(first: CutSide, second: CutSide) -> str:
    """Cut 3 is 4 s longer than cut 2."""
    if first.video.length is None or second.video.length is None:
        return ""
    seconds = round(second.video.length - first.video.length)
    values = {"before": first.number, "after": second.number, "time": formats.duration(abs(seconds))}
    if not seconds:
        return ""
    if seconds > 0:
        return _("Cut %(after)s is %(time)s longer than cut %(before)s.") % values
    return _("Cut %(after)s is %(time)s shorter than cut %(before)s.") % values
