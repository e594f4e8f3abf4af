"""Overview items of subtitles: jobs that failed or are not confirmed, batches in progress, and credits."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.overview.registry import Limit, Moving, NextStep, Rank, Todo, provides
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import messages, stored_cells, tracking
from dashboard.subtitles.gaps import load_gaps
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.pages.gaps import build_gap_rows
from dashboard.subtitles.queries import SubtitleReader, video_state_of
from dashboard.subtitles.tracking import Status
from dashboard.upstream import parallel

DAYS = 7
CREDIT_DAYS = 30
MOST = 5
TITLES = 3
VIDEOS_LOOKED_AT = 6
"""Videos whose jobs are read anew for the overview: the page of jobs reads them all."""
FAILED = (Status.ERROR, Status.REFUSED, Status.MISSING, Status.UNCONFIRMED)


@provides("subtitles")
def subtitles(request: OwnerRequest) -> Iterator[Todo | Moving | NextStep | Limit]:
    """Failures of the last week, and batches whose jobs have not all ended."""
    _look(request)
    parallel.let_calls_leave()
    since = timezone.now() - timedelta(days=DAYS)
    cells = PlannedCell.objects.select_related("batch").filter(
        Q(ended_at__gte=since) | Q(batch__sent_at__gte=since),
        batch__account=request.account,
        status__in=[status.value for status in FAILED],
    )
    batches: dict[object, list[PlannedCell]] = {}
    for cell in cells.order_by("-batch__sent_at", "position"):
        batches.setdefault(cell.batch_id, []).append(cell)
    for failed in list(batches.values())[:MOST]:
        yield _todo(failed[0]) if len(failed) == 1 else _todo_of_batch(failed)
    for batch in stored_cells.list_sent_batches(request).filter(sent_at__gte=since).prefetch_related("cells")[:MOST]:
        yield from _moving(batch)
    yield from _list_next_steps(request)
    yield from _credits(request)


def _list_next_steps(request: OwnerRequest) -> Iterator[NextStep]:
    """The language that the library is nearest to have everywhere, where one press plans it."""
    for row in build_gap_rows(load_gaps(request)):
        if row.fields:
            yield NextStep(row.sentence, row.address, row.why, row.verb, row.action, row.fields)
            return


def _credits(request: OwnerRequest) -> Iterator[Limit]:
    """How many jobs left from here: the platform tells neither what they cost nor what is left."""
    since = timezone.now() - timedelta(days=CREDIT_DAYS)
    sent = PlannedCell.objects.filter(batch__account=request.account, batch__sent_at__gte=since)
    count = sent.exclude(status__in=[status.value for status in tracking.NOT_SENT]).count()
    if count:
        sentence = ngettext(
            "%(count)s subtitle job was sent from here in 30 days; each uses credits.",
            "%(count)s subtitle jobs were sent from here in 30 days; each uses credits.",
            count,
        )
        yield Limit(_("AI credits"), address("subtitles:jobs"), sentence % {"count": formats.number(count)})


def _look(request: OwnerRequest) -> None:
    """Bring the cells that may have moved up to date, as far as the page waits."""
    cells = list(stored_cells.list_open_cells(request))
    videos = list(dict.fromkeys(cell.video_id for cell in cells))[:VIDEOS_LOOKED_AT]
    if not videos:
        return
    reader = SubtitleReader.of(request)
    outcomes = reader.gather(reader.state_queries(videos))
    refreshed = [cell for cell in cells if cell.video_id in videos]
    stored_cells.update_open_cells(
        refreshed, {video: video_state_of(outcomes, video)[0] for video in videos}, timezone.now()
    )


def _todo(cell: PlannedCell) -> Todo:
    values = {"language": messages.language(cell.lang), "title": cell.title}
    unsure = cell.status == Status.UNCONFIRMED
    at = cell.ended_at or cell.batch.sent_at
    why = messages.reason(cell.reason) if cell.reason else _("No reason was given.")
    return Todo(
        rank=Rank.BROKEN,
        shape=messages.find_look(cell.status)[1],
        word=messages.status_word(cell.status),
        title=_("Subtitles in %(language)s for “%(title)s” are not confirmed") % values
        if unsure
        else _("Subtitles in %(language)s failed for “%(title)s”") % values,
        address=address("subtitles:batch", cell.batch_id),
        why=f"{formats.ago(at)}. {why}" if at else why,
        action=_("Open jobs") if unsure else _("Plan again"),
        action_address=address("subtitles:batch", cell.batch_id)
        if unsure
        else address("subtitles:subtitles", video=cell.video_id, to_lang=cell.lang),
        at=at,
    )


def _todo_of_batch(failed: list[PlannedCell]) -> Todo:
    """One entry for everything of a batch that failed or was never confirmed: the commonest reason, and the titles."""
    batch = failed[0].batch
    unsure = all(cell.status == Status.UNCONFIRMED for cell in failed)
    titles = list(dict.fromkeys(cell.title for cell in failed))
    values = {"count": formats.number(len(failed)), "total": formats.number(batch.cells.count())}
    values["name"] = batch.label or formats.named(titles, 1)
    reasons = Counter(cell.reason for cell in failed if cell.reason)
    parts = [formats.ago(at)] if (at := failed[0].ended_at or batch.sent_at) else []
    parts += [messages.reason(reasons.most_common(1)[0][0]).rstrip(".")] if reasons else []
    parts.append(formats.named(titles, TITLES))
    here = address("subtitles:batch", batch.pk)
    return Todo(
        rank=Rank.BROKEN,
        shape=messages.find_look(failed[0].status)[1],
        word=formats.number(len(failed)),
        title=_("%(count)s of %(total)s subtitles of “%(name)s” are not confirmed") % values
        if unsure
        else _("%(count)s of %(total)s subtitles of “%(name)s” failed") % values,
        address=here,
        why=f"{'. '.join(parts)}.",
        action=_("Open batch"),
        action_address=here,
        at=at,
    )


def _moving(batch: Batch) -> Iterator[Moving]:
    statuses = [cell.status for cell in batch.cells.all()]
    if not any(tracking.is_open(status) for status in statuses):
        return
    tally = tracking.tally(statuses)
    ended = ngettext("%(ended)s of %(count)s job has ended", "%(ended)s of %(count)s jobs have ended", tally.sent) % {
        "ended": formats.number(tally.ended),
        "count": formats.number(tally.sent),
    }
    yield Moving(batch.label, address("subtitles:batch", batch.pk), ended, tally.ended, tally.sent, counted=True)
