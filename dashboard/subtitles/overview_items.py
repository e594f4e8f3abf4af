"""What subtitles tell on other pages: items of the overview, lines of reports, and notices."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts.models import Account
from dashboard.notices.registry import Told, tells
from dashboard.overview.registry import Limit, Moving, NextStep, Rank, Todo, provides
from dashboard.reports.registry import Done, Next, Span, adds
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import messages, models, rules
from dashboard.subtitles.gaps import load_gaps
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.queries import SubtitleReader, video_state_of
from dashboard.subtitles.rules import Status
from dashboard.upstream import parallel

DAYS = 7
CREDIT_DAYS = 30
MOST = 5
NOTICES_MOST = 20
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
    for batch in models.list_sent_batches(request).filter(sent_at__gte=since).prefetch_related("cells")[:MOST]:
        yield from _moving(batch)
    yield from _list_next_steps(request)
    yield from _credits(request)


def _list_next_steps(request: OwnerRequest) -> Iterator[NextStep]:
    """The language that the library is nearest to have everywhere, where one press plans it."""
    for gap in load_gaps(request):
        if gap.fields:
            yield NextStep(
                gap.sentence, gap.address, why=gap.why, action=gap.verb, action_address=gap.action, fields=gap.fields
            )
            return


def _credits(request: OwnerRequest) -> Iterator[Limit]:
    """How many jobs left from here: the platform tells neither what they cost nor what is left."""
    since = timezone.now() - timedelta(days=CREDIT_DAYS)
    sent = PlannedCell.objects.filter(batch__account=request.account, batch__sent_at__gte=since)
    count = sent.exclude(status__in=[status.value for status in rules.NOT_SENT]).count()
    if count:
        sentence = ngettext(
            "%(count)s subtitle job was sent from here in 30 days; each uses credits.",
            "%(count)s subtitle jobs were sent from here in 30 days; each uses credits.",
            count,
        )
        yield Limit(_("AI credits"), address("subtitles:jobs"), sentence % {"count": formats.number(count)})


def _look(request: OwnerRequest) -> None:
    """Bring the cells that may have moved up to date, as far as the page waits."""
    cells = list(models.list_open_cells(request))
    videos = list(dict.fromkeys(cell.video_id for cell in cells))[:VIDEOS_LOOKED_AT]
    if not videos:
        return
    reader = SubtitleReader.of(request)
    outcomes = reader.gather(reader.state_queries(videos))
    refreshed = [cell for cell in cells if cell.video_id in videos]
    models.update_open_cells(refreshed, {video: video_state_of(outcomes, video)[0] for video in videos}, timezone.now())


def _todo(cell: PlannedCell) -> Todo:
    values = {"language": cell.language, "title": cell.title}
    unsure = cell.status == Status.UNCONFIRMED
    at = cell.ended_at or cell.batch.sent_at
    why = messages.reason(cell.reason) if cell.reason else _("No reason was given.")
    return Todo(
        rank=Rank.BROKEN,
        shape=cell.state.shape,
        word=str(cell.state.word),
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
        shape=failed[0].state.shape,
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
    if not any(rules.is_open(status) for status in statuses):
        return
    tally = rules.tally(statuses)
    ended = ngettext("%(ended)s of %(count)s job has ended", "%(ended)s of %(count)s jobs have ended", tally.sent) % {
        "ended": formats.number(tally.ended),
        "count": formats.number(tally.sent),
    }
    yield Moving(
        batch.label,
        address("subtitles:batch", batch.pk),
        sentence=ended,
        done=tally.ended,
        total=tally.sent,
        counted=True,
    )


@adds("subtitles")
def list_subtitle_lines(span: Span) -> Iterator[Done | Next]:
    """Of the jobs that were sent from here."""
    finished, failed = _count_ended(span, Status.FINISHED), _count_ended(span, Status.ERROR)
    if finished:
        text = ngettext("%(count)s subtitle track was made.", "%(count)s subtitle tracks were made.", finished)
        yield Done(text % {"count": formats.number(finished)}, address("subtitles:jobs"))
    if failed:
        text = ngettext("%(count)s subtitle job failed.", "%(count)s subtitle jobs failed.", failed)
        yield Next(text % {"count": formats.number(failed)}, address("subtitles:jobs"))


def _count_ended(span: Span, status: Status) -> int:
    cells = PlannedCell.objects.filter(batch__account=span.account, status=status.value)
    videos = cells.filter(ended_at__gte=span.start, ended_at__lt=span.end).values_list("video_id", flat=True)
    return sum(span.videos is None or video in span.videos for video in videos)


@tells("subtitles")
def finished_jobs(account: Account, since: datetime) -> Iterator[Told]:
    """Of each plan that ended: how many of its jobs finished."""
    recent = Batch.objects.filter(account=account, sent_at__isnull=False, cells__ended_at__gt=since)
    if not (batches := set(recent.values_list("pk", flat=True))):
        return  # as nearly always, and every page asks
    sent = Batch.objects.filter(pk__in=batches).annotate(
        last=Max("cells__ended_at"),
        open=Count("cells", filter=Q(cells__status__in=[status for status in Status if rules.is_open(status)])),
        count=Count("cells", filter=~Q(cells__status__in=rules.NOT_SENT)),
        finished=Count("cells", filter=Q(cells__status=Status.FINISHED)),
    )
    for batch in sent.filter(open=0).order_by("-last")[:NOTICES_MOST]:
        values = {"finished": formats.number(batch.finished), "count": formats.number(batch.count)}
        title = _("%(what)s: %(finished)s of %(count)s finished") % {"what": batch.label or _("Subtitles"), **values}
        kind = "finished" if batch.finished == batch.count else "error"
        yield Told(batch.last, kind, shape=kind, title=title, address=address("subtitles:batch", batch.pk))
