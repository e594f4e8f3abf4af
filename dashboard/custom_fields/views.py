"""Custom fields: the table across videos, the fields of one video with their changes, and changes of many from a file."""

import uuid
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.custom_fields import changes as files
from dashboard.custom_fields import pages, queries, writes
from dashboard.custom_fields.forms import FieldForm, FileForm
from dashboard.custom_fields.models import SENT, Change, LineState, Reading, Stage
from dashboard.custom_fields.writes import UPDATE
from dashboard.platform_api.errors import BadToken, Missing, NotAllowed, PlatformError
from dashboard.platform_api.videos import CustomField, Video
from dashboard.shared import csv, formats, http, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, go, page_number, unchanged
from dashboard.upstream import clients, reads
from dashboard.upstream.reads import Query
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from dashboard.writes.pages import load_notices, unconfirmed_sentence, waiting_sentence
from dashboard.writes.requests import form_key

POLL_SECONDS, PRESS_SECONDS = 1.5, 8.0
"""How long one poll, and one press without script, may read."""
ROWS = 50
FIELDS_MAX = 50
"""Publicly known: a video has at most so many."""
HEADS = ("video_id", "title", "key", "value", "field_id")


@dataclass(frozen=True)
class VideoFields:
    """A video and its fields. Not `is_told`: the platform does not list them, and these are the ones changed from here."""

    video: Video
    fields: tuple[CustomField, ...]
    is_told: bool = True

    def with_field(self, field_id: str) -> "VideoFields":
        """The same with a field of which nothing may be known but its id, which is all that changing it needs [4.6]."""
        if any(field.id == field_id for field in self.fields):
            return self
        blank = CustomField(field_id, self.video.id, key="", value="", created_at=None, updated_at=None)
        return replace(self, fields=(*self.fields, blank))

    def forms(self) -> tuple[FieldForm, ...]:
        """A form for each field."""
        return tuple(FieldForm(field=field, fields=self.fields) for field in self.fields)


@dataclass(frozen=True)
class EditedField:
    """The form of one field, and what has just happened to it. `undo` are the key and the value before the change."""

    form: FieldForm
    message: str = ""
    refusal: str = ""
    undo: tuple[str, str] | None = None


@require_safe
def custom_fields(request: OwnerRequest) -> HttpResponse:
    """The table from what was read, searched and in pages; the walk goes on beside it."""
    context = _load_table(request, queries.get_reading(request.account.pk))
    return render(request, "custom_fields/custom_fields.html", context | {"first": not context["rows"]})


@require_POST
def read_file(request: OwnerRequest) -> HttpResponse:
    """Read on for a moment; `again` starts from the first video. With script the answer is the part that moves."""
    if "again" in request.POST:
        queries.begin_reading(request.account.pk)
        return redirect("custom_fields:custom_fields")
    trouble, status = "", 200
    try:
        reading = queries.read_on(request, POLL_SECONDS if request.htmx else PRESS_SECONDS)
    except PlatformError as error:
        explained = refusals.explain(error)
        trouble, status = explained.whole, refusals.status_of(error)
        reading = queries.get_reading(request.account.pk) or queries.begin_reading(request.account.pk)
    context = _load_table(request, reading, trouble)
    if request.htmx:
        first = "first" in request.POST  # the page shows no fields yet: nothing that somebody reads is replaced
        context |= {"first": first, "swap": first and reading.finished_at}
        return render(request, "custom_fields/_reading.html", context)
    if trouble:
        return render(request, "custom_fields/custom_fields.html", context, status=status)
    return redirect(reverse("custom_fields:custom_fields", query=request.GET))


@require_safe
def export(request: OwnerRequest) -> HttpResponse:
    """The fields as a file that can be changed and given back, once those of every video are known."""
    reading = queries.get_reading(request.account.pk)
    if not (reading and reading.finished_at):
        messages.warning(request, _("The file is written once the fields of all videos are loaded."))
        return redirect("custom_fields:custom_fields")
    rows = queries.list_fields(request.account.pk, _parse_find(request))
    lines = rows.values_list("video_id", "title", "key", "value", "field_id").iterator(chunk_size=2000)
    return csv.download(csv.written(HEADS, lines), csv.file_name("custom-fields"))


@require_safe
def video(request: OwnerRequest, video_id: uuid.UUID) -> HttpResponse:
    """The fields of one video, each with its form. Asked for by htmx: only the part, for another page."""
    fields = _load_fields(request, video_id)
    if fields.is_told:
        queries.save_video_fields(request.account.pk, fields.video, fields.fields)
    elif field_id := request.GET.get("id", "").strip():
        fields = fields.with_field(_id_or_404(field_id))
    template = "custom_fields/_fields.html" if request.htmx else "custom_fields/video.html"
    return render(request, template, _build_context(request, fields, [EditedField(form) for form in fields.forms()]))


@require_http_methods(["GET", "POST"])
def field(request: OwnerRequest, video_id: uuid.UUID, field_id: uuid.UUID) -> HttpResponse:
    """Change one field; what comes back is the field with what happened to it."""
    if request.method == "GET":
        return redirect("custom_fields:video", video_id)
    video_fields = _load_fields(request, video_id)
    if not video_fields.is_told:
        video_fields = video_fields.with_field(str(field_id))
    current = next((field for field in video_fields.fields if field.id == str(field_id)), None)
    if current is None:
        raise Http404
    form = FieldForm(request.POST, field=current, fields=video_fields.fields)
    intent = _build_intent(request, video_fields.video, current)
    sent = None if http.is_dry_run(request) else outbox.find(intent.scope, intent.key)
    if sent is not None:
        return _render_saved(request, video_fields, form, writes.save(intent))
    if not form.is_valid():
        return _render_field(request, video_fields, EditedField(form), 422)
    value, key = form.sent_value(), form.changed_key()
    if http.is_dry_run(request):
        preview = clients.platform(request).preview(
            lambda p: p.custom_fields.update(video_fields.video.id, current.id, value=value, key=key)
        )
        return _render_field(request, video_fields, EditedField(form), 200, http.show_request(preview))
    if value == current.value and key is None:
        sentence = _("No changes. Nothing was sent.")
        return _render_field(request, video_fields, EditedField(form, message=sentence), 200)
    after = {"key": key or current.key, "value": value}
    changed = replace(intent, request={**intent.request, **after}, after={**intent.after, **after})
    return _render_saved(request, video_fields, form, writes.save(changed))


def _build_intent(request: OwnerRequest, video: Video, field: CustomField) -> Intent:
    """What the form sends. It is the same when the form comes again, whatever the field has become meanwhile."""
    key = request.POST.get("key", "").strip()
    value = request.POST.get("value", "").replace("\r\n", "\n")
    label = f"{field.key or field.id}, {video.title}"[:300]
    return writes.field_intent(request, replace(field, video_id=video.id), key=key, value=value, label=label)


def _render_saved(request: OwnerRequest, video_fields: VideoFields, form: FieldForm, write: Write) -> HttpResponse:
    """The field with what became of its change; what was typed stays in the form until it has arrived."""
    if write.state == State.REFUSED and (error := write.raised or write.error) is not None:
        outbox.dismiss(write)
        explained, refusal = refusals.explain(error), ""
        if explained.field in form.fields:
            form.full_clean()
            form.add_error(explained.field, explained.whole)
        else:
            refusal = explained.whole
        return _render_field(request, video_fields, EditedField(form, refusal=refusal), 422)
    if write.state != State.DONE:
        sentence = waiting_sentence(write) if write.state == State.HELD else unconfirmed_sentence(write)
        if not request.htmx:
            messages.warning(request, sentence)
        return _render_field(request, video_fields, EditedField(form, message=sentence), 200)
    before, after = write.before, write.after or write.request
    now = CustomField(
        form.field.id, video_fields.video.id, key=after["key"], value=after["value"], created_at=None, updated_at=None
    )
    if not request.htmx:
        messages.success(request, _("Saved."))
    video_fields = replace(
        video_fields, fields=tuple(now if field.id == now.id else field for field in video_fields.fields)
    )
    fresh = FieldForm(field=now, fields=video_fields.fields)
    undo = (before["key"], before["value"]) if before else None
    return _render_field(
        request,
        video_fields,
        EditedField(fresh, message=_("Saved."), undo=undo),
        200,
    )


def _render_field(
    request: OwnerRequest,
    video_fields: VideoFields,
    edited_field: EditedField,
    status: int,
    preview: http.DryRun | None = None,
) -> HttpResponse:
    """The field alone for htmx, else the whole page with this field."""
    context: dict[str, Any] = {"edited": edited_field, "video": video_fields.video, "dry_run": preview}
    if request.htmx:
        return render(request, "custom_fields/_field.html", context, status=status)
    id = edited_field.form.field.id
    edited = [edited_field if form.field.id == id else EditedField(form) for form in video_fields.forms()]
    context |= _build_context(request, video_fields, edited) | {"wrong": status == 422}
    return render(request, "custom_fields/video.html", context, status=status)


def _build_context(request: OwnerRequest, fields: VideoFields, edited: list[EditedField]) -> dict[str, Any]:
    back = reverse("custom_fields:video", args=[fields.video.id])
    return {
        "video": fields.video,
        "fields": edited,
        "is_told": fields.is_told,
        "nearly_full": len(edited) >= FIELDS_MAX - 5,
        "writes": load_notices(request.account, writes.UPDATE, back=back, subject=fields.video.id),
    }


def _load_fields(request: OwnerRequest, video_id: uuid.UUID) -> VideoFields:
    """The video and its fields; those that a form changes are compared as they stand at the platform."""
    fields: Query[tuple[CustomField, ...]] = Query(
        lambda platform: platform.custom_fields.list(video_id), seconds=0.0 if request.method == "POST" else None
    )
    reader = reads.of(request)
    try:
        answers = reader.needed(video=lambda platform: platform.videos.get(video_id), fields=fields)
    except (Missing, NotAllowed) as error:
        if error.operation != "custom_fields.list":
            raise
        video = reader.get(lambda platform: platform.videos.get(video_id))
        return VideoFields(video, writes.list_changed(request.account, video.id), is_told=False)
    return VideoFields(answers["video"], answers["fields"])


def _id_or_404(typed: str) -> str:
    try:
        return str(uuid.UUID(typed))
    except ValueError as error:
        raise Http404 from error


def _parse_find(request: OwnerRequest) -> str:
    return request.GET.get("find", "").strip()[:200].replace("\0", "")


def _load_table(request: OwnerRequest, reading: Reading | None, trouble: str = "") -> dict[str, Any]:
    page, find = page_number(request.GET.get("page", "")), _parse_find(request)
    fields = queries.list_fields(request.account.pk, find)
    first = (page - 1) * ROWS
    rows, total = list(fields[first : first + ROWS]), fields.count()
    return {
        "reading": reading or Reading(),
        "trouble": trouble,
        "read": reverse("custom_fields:read", query=request.GET),
        "find": find,
        "rows": rows,
        "range": _("%(first)s to %(last)s of %(total)s fields")
        % {
            "first": formats.number(first + 1),
            "last": formats.number(first + len(rows)),
            "total": formats.at_least(total, is_all=bool(reading and reading.finished_at)),
        },
        "before": _build_address(find, page - 1) if page > 1 else "",
        "export": address("custom_fields:export", find=find),
        "after": _build_address(find, page + 1) if first + len(rows) < total else "",
    }


def _build_address(find: str, page: int) -> str:
    return address("custom_fields:custom_fields", find=find, page=page if page > 1 else "")


FORMER = 20
REPORT_HEADS = ("line", "video_id", "title", "key", "new_key", "value", "before", "result", "reason")


@require_http_methods(["GET", "POST"])
def changes(request: OwnerRequest) -> HttpResponse:
    """Give a file. Nothing is sent by that: it is compared first."""
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_bound and form.is_valid():
        stored = files.create_change(request, form_key(request), str(form.files["file"]), form.cleaned_data["file"])
        return redirect("custom_fields:change", stored.pk)
    former = Change.objects.filter(account_id=request.account.pk)[:FORMER]
    context = {"form": form, "former": former}
    return render(request, "custom_fields/changes.html", context, status=422 if form.is_bound else 200)


@require_safe
def change(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """One file: its progress, every difference, every refused line."""
    return _show(request, _change_or_404(request, change_id))


@require_safe
def progress(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """How far it is; 204 while nothing changed. When it is over the whole page is shown again."""
    change = _change_or_404(request, change_id)
    moving = pages.build_progress(change, files.count_lines(change))
    if moving is None or request.GET.get("stage") != change.stage:
        return go(request, "custom_fields:change", change.pk)
    if request.GET.get("v") == moving.version:
        return unchanged()
    return render(request, "custom_fields/_progress.html", {"change": change, "progress": moving})


@require_POST
def step(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Run the next step now instead of after the pause, unless the worker runs it."""
    change = _change_or_404(request, change_id)
    files.run(change, PRESS_SECONDS)
    if change.reason == BadToken.__name__:
        raise BadToken("custom_fields.list")
    return go(request, "custom_fields:change", change.pk)


@require_POST
def send(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Begin to send what was compared, or show the first request of it. A second press sends nothing twice."""
    change = _change_or_404(request, change_id)
    if http.is_dry_run(request):
        first = change.lines.filter(state=LineState.CHANGE).first()
        if first is None:
            return redirect("custom_fields:change", change.pk)
        preview = clients.platform(request).preview(
            lambda p: p.custom_fields.update(
                first.video_id, first.field_id, value=first.value, key=first.new_key or None
            )
        )
        return _show(request, change, preview=http.show_request(preview))
    files.begin_sending(request, change)
    return redirect("custom_fields:change", change.pk)


@require_POST
def undo(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Undo what a file changed: a change to the values of before, compared before anything is sent."""
    change = _change_or_404(request, change_id)
    back = files.create_undo(change) if change.stage == Stage.DONE else change
    return redirect("custom_fields:change", back.pk)


@require_safe
def report(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """What became of every line, or with `lines=refused` of those that were not changed, as a file."""
    change = _change_or_404(request, change_id)
    lines = change.lines.all()
    if request.GET.get("lines") == "refused":
        lines = lines.filter(state__in=pages.NOT_DONE)
    titles = queries.list_titles(request.account.pk, list(lines.values_list("video_id", flat=True).distinct()))
    rows = (
        (
            line.number,
            line.video_id,
            titles.get(line.video_id, ""),
            line.key,
            line.new_key,
            line.value,
            line.before,
            line.badge[0],
            pages.format_reason(line),
        )
        for line in lines.iterator(chunk_size=2000)
    )
    return csv.download(csv.written(REPORT_HEADS, rows), csv.file_name("custom-fields-report"))


def _show(
    request: OwnerRequest,
    change: Change,
    *,
    preview: http.DryRun | None = None,
) -> HttpResponse:
    group = request.GET.get("lines", "differences")
    group = group if group in pages.GROUPS else "differences"
    page = page_number(request.GET.get("page", ""))
    first, end = (page - 1) * pages.ROWS, page * pages.ROWS
    lines = list(change.lines.filter(state__in=pages.GROUPS[group])[first:end])
    titles = queries.load_titles(request, (line.video_id for line in lines))
    counts = files.count_lines(change)
    groups = pages.build_groups(counts)
    is_more = any(name == group and count > end for name, _words, count in groups)
    undone_by = Change.objects.filter(undoes=change).first()
    ready = counts.get(LineState.CHANGE, 0)
    context = {
        "change": change,
        "rows": [(line, titles.get(line.video_id), pages.format_reason(line)) for line in lines],
        "groups": groups,
        "group": group,
        "before": _build_group_address(change, group, page - 1) if page > 1 else "",
        "after": _build_group_address(change, group, page + 1) if is_more else "",
        "progress": pages.build_progress(change, counts),
        "ready": ready if change.stage == Stage.READY else 0,
        "summary": pages.format_summary(change, counts),
        "undone_by": undone_by,
        "can_undo": change.stage == Stage.DONE and not undone_by and any(counts.get(state) for state in SENT),
        "writes": load_notices(request.account, UPDATE, back=request.path, waiting=False),
        "dry_run": preview,
        "dry_run_others": ready - 1,
    }
    return render(request, "custom_fields/change.html", context)


def _build_group_address(change: Change, group: str, page: int) -> str:
    lines = group if group != "differences" else ""
    return address("custom_fields:change", change.pk, lines=lines, page=page if page > 1 else "")


def _change_or_404(request: OwnerRequest, change_id: uuid.UUID) -> Change:
    return get_object_or_404(Change, pk=change_id, account_id=request.account.pk)
