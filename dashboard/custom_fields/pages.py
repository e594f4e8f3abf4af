"""View models of the custom field templates."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.custom_fields.forms import FieldForm
from dashboard.custom_fields.models import Change, Field, Reading, Stage
from dashboard.platform_api.records.videos import Video
from dashboard.shared import formats
from dashboard.shared.addresses import address, video_address
from dashboard.writes.models import State, Write
from dashboard.writes.pages import unconfirmed_sentence, waiting_sentence

ROWS = 50
FIELDS_MAX = 50
"""Publicly known: a video has at most so many."""


@dataclass(frozen=True)
class FieldRow:
    """One field of the table."""

    address: str
    title: str
    key: str
    value: str
    first: bool
    """The first of its video on this page: only there is the title shown."""


@dataclass(frozen=True)
class ReadingProgress:
    """templates/custom_fields/_reading.html: how far the fields were read."""

    finished: bool
    moving: bool
    sentence: str
    videos: int
    total: int
    action: str
    trouble: str
    address: str


@dataclass(frozen=True)
class FieldsPage:
    """templates/custom_fields/custom_fields.html."""

    rows: tuple[FieldRow, ...]
    find: str
    range: str
    before: str
    after: str
    empty: str
    reading: ReadingProgress
    export: str
    activity: str


def build_fields_page(rows: list[Field], total: int, find: str, page: int, reading: ReadingProgress) -> FieldsPage:
    """`rows` are those of page number `page` (from 1), `total` how many there are on all."""
    first = (page - 1) * ROWS
    activity = address("activity:activity")
    query = f"?{urlencode({'find': find})}" if find else ""
    return FieldsPage(
        rows=tuple(_build_rows(rows)),
        find=find,
        range=_("%(first)s to %(last)s of %(total)s fields")
        % {
            "first": formats.number(first + 1),
            "last": formats.number(first + len(rows)),
            "total": formats.at_least(total, is_all=reading.finished),
        }
        if rows
        else "",
        before=_build_address(find, page - 1) if page > 1 else "",
        after=_build_address(find, page + 1) if first + len(rows) < total else "",
        empty="" if rows else _explain_empty(find, reading),
        reading=reading,
        export=reverse("custom_fields:export") + query,
        activity=f"{activity}?operation=custom_fields.update" if activity else "",
    )


def _build_rows(rows: Iterable[Field]) -> Iterable[FieldRow]:
    base, last = reverse("custom_fields:custom_fields"), ""
    for row in rows:
        yield FieldRow(
            address=f"{base}videos/{row.video_id}/#field-{row.field_id}",
            title=row.title,
            key=row.key,
            value=row.value,
            first=row.video_id != last,
        )
        last = row.video_id


def _build_address(find: str, page: int) -> str:
    query = {name: value for name, value in (("find", find), ("page", str(page) if page > 1 else "")) if value}
    return reverse("custom_fields:custom_fields") + (f"?{urlencode(query)}" if query else "")


def _explain_empty(find: str, reading: ReadingProgress) -> str:
    if not reading.finished:
        return _("No key, value or video title matches so far.") if find else _("The fields are loading.")
    return _("No key, value or video title matches.") if find else _("No video has custom fields.")


def build_progress(reading: Reading | None, *, trouble: str = "", query: str = "") -> ReadingProgress:
    """How far the walk through the library is. `query` keeps the search of the page."""
    action = reverse("custom_fields:read") + (f"?{query}" if query else "")
    here = reverse("custom_fields:custom_fields") + (f"?{query}" if query else "")
    if reading is None:
        return ReadingProgress(False, True, _("The fields have not been loaded yet."), 0, 1, action, trouble, here)
    if reading.finished_at:
        sentence = _("Fields of %(videos)s, loaded %(when)s.") % {
            "videos": formats.videos(reading.videos),
            "when": formats.ago(reading.finished_at),
        }
        return ReadingProgress(True, False, sentence, reading.videos, max(reading.videos, 1), action, trouble, here)
    total = max(reading.total or 0, reading.videos, 1)
    sentence = _("Loaded %(videos)s of %(total)s videos.") % {
        "videos": formats.number(reading.videos),
        "total": formats.number(total) if reading.total else "?",
    }
    return ReadingProgress(False, not trouble, sentence, reading.videos, total, action, trouble, here)


@dataclass(frozen=True)
class EditedField:
    """One field of a video: its form, and what has just happened to it."""

    id: str
    key: str
    unknown: str
    """What it is called where nothing is known but its id; "" for all others."""
    form: FieldForm
    action: str
    message: str
    refusal: str
    undo_key: str
    undo_value: str
    undo: bool


@dataclass(frozen=True)
class VideoFieldsPage:
    """templates/custom_fields/video.html and its part `_fields.html`."""

    title: str
    video: str
    address: str
    fields: tuple[EditedField, ...]
    size: str
    nearly_full: bool
    activity: str
    is_told: bool
    """Whether the platform lists the fields: else they are opened by their id."""


def build_video_page(video: Video, edited: tuple[EditedField, ...], *, is_told: bool) -> VideoFieldsPage:
    """The fields of one video."""
    activity = address("activity:activity")
    return VideoFieldsPage(
        title=video.title or video.id,
        video=video_address(video.id),
        address=reverse("custom_fields:video", args=[video.id]),
        fields=edited,
        size=ngettext("%(count)s field", "%(count)s fields", len(edited)) % {"count": formats.number(len(edited))}
        if is_told
        else "",
        nearly_full=len(edited) >= FIELDS_MAX - 5,
        activity=f"{activity}?operation=custom_fields.update&thing={video.id}" if activity else "",
        is_told=is_told,
    )


def build_edited_field(
    video_id: str, form: FieldForm, *, message: str = "", refusal: str = "", undo: tuple[str, str] | None = None
) -> EditedField:
    """One field with its form. `undo` are the key and the value before the change."""
    return EditedField(
        id=form.field.id,
        key=form.field.key or form.field.id,
        unknown="" if form.field.key else _("Field %(id)s") % {"id": form.field.id},
        form=form,
        action=reverse("custom_fields:field", args=[video_id, form.field.id]),
        message=message,
        refusal=refusal,
        undo_key=undo[0] if undo else "",
        undo_value=undo[1] if undo else "",
        undo=undo is not None,
    )


def format_open_write(write: Write) -> str:
    """What is said of a change that has not arrived yet, or may have."""
    if write.state == State.HELD:
        return waiting_sentence(write)
    return unconfirmed_sentence(write)


@dataclass(frozen=True)
class ImportedFile:
    """A file that was given before."""

    address: str
    name: str
    when: str
    stage: str
    shape: str


def build_imported_file(change: Change) -> ImportedFile:
    """A file as a line."""
    stage, shape = {
        Stage.CHECKING: (_("Comparing"), "running"),
        Stage.READY: (_("Ready to be sent"), "queue"),
        Stage.SENDING: (_("Sending"), "running"),
        Stage.DONE: (_("Done"), "finished"),
    }[Stage(change.stage)]
    name = _("Undo of %(name)s") % {"name": change.name} if change.undoes_id else change.name
    return ImportedFile(reverse("custom_fields:change", args=[change.pk]), name, formats.ago(change.at), stage, shape)
