"""Versions: the history, one version against another, and restoring."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from dashboard.ai_content.decorators import with_fresh_document, with_known_document
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.messages import ChangeGroup, format_changes, group_changes
from dashboard.ai_content.models import Version, get_content
from dashboard.ai_content.pages import build_frame, redirect_to
from dashboard.ai_content.restore import restore_version
from dashboard.ai_content.rules.difference import list_changes, load_summaries
from dashboard.ai_content.rules.package import Package
from dashboard.ai_content.versions import store
from dashboard.shared import formats
from dashboard.shared.http import ROW_MOST, OwnerRequest, whole_number

TYPED = "typed"
SHAPES = {
    Version.Kind.LOADED: "exists",
    Version.Kind.SAVED: "finished",
    Version.Kind.SENDING: "unknown",
    Version.Kind.REFUSED: "error",
    Version.Kind.ASIDE: "draft",
    Version.Kind.IMPORTED: "draft",
}


@dataclass(frozen=True)
class VersionRow:
    """One version of the list."""

    address: str
    when: str
    when_iso: str
    ago: str
    kind: str
    shape: str
    actor: str
    changes: str
    current: bool
    size: str


@dataclass(frozen=True)
class VersionChoice:
    """A version to compare with."""

    value: str
    words: str
    selected: bool


@dataclass(frozen=True)
class VersionsPage:
    """templates/ai_content/versions.html."""

    rows: tuple[VersionRow, ...]
    count: str


@dataclass(frozen=True)
class VersionPage:
    """templates/ai_content/version.html."""

    row: VersionRow
    title: str
    address: str
    choices: tuple[VersionChoice, ...]
    against: str
    groups: tuple[ChangeGroup, ...]
    restore: str
    restore_words: str
    consequence: str
    imported: bool
    list: str
    export: str


@require_safe
@with_fresh_document
def versions(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Every version of this language, newest first."""
    listed = store.list_versions(editor.document)
    rows = tuple(_build_row(editor, version) for version in listed)
    count = ngettext("%(count)s version", "%(count)s versions", len(rows)) % {"count": formats.number(len(rows))}
    context = {"shell": build_frame(editor, "versions"), "page": VersionsPage(rows, count)}
    return render(request, "ai_content/versions.html", context)


def get_kind_name(version: Version) -> str:
    """Where a version comes from."""
    return {
        Version.Kind.LOADED: _("Read from the platform"),
        Version.Kind.SAVED: _("Saved"),
        Version.Kind.SENDING: _("Sent, not confirmed"),
        Version.Kind.REFUSED: _("Refused"),
        Version.Kind.ASIDE: _("Discarded"),
        Version.Kind.IMPORTED: _("Imported file"),
    }[Version.Kind(version.kind)]


def _build_row(editor: Editor, version: Version) -> VersionRow:
    first = version.kind == Version.Kind.LOADED and not version.changes_count
    listed = format_changes(load_summaries(version.changes), version.changes_count)
    return VersionRow(
        address=editor.address("version", version.pk),
        when=formats.moment(version.at),
        when_iso=version.at.isoformat(),
        ago=formats.ago(version.at),
        kind=get_kind_name(version),
        shape=SHAPES[Version.Kind(version.kind)],
        actor=version.actor or _("Outside Reelroom"),
        changes=_("First seen") if first else listed,
        current=version.pk == editor.opened.version.pk,
        size=formats.file_size(version.blob.size),
    )


@require_safe
@with_known_document
def version(request: OwnerRequest, editor: Editor, pk: int) -> HttpResponse:
    """One version, compared with the one before, the draft, or any other."""
    compared = _get_version(editor, pk)
    against = request.GET.get("with", "")
    default = TYPED if compared.kind in (Version.Kind.IMPORTED, Version.Kind.ASIDE) else _get_previous(editor, compared)
    other = against or default
    page = _build_version_page(editor, compared, other)
    context = {"shell": build_frame(editor, "versions"), "page": page}
    return render(request, "ai_content/version.html", context)


def _get_version(editor: Editor, pk: int | None) -> Version:
    return get_object_or_404(editor.document.versions.select_related("blob"), pk=pk)


def _get_previous(editor: Editor, version: Version) -> str:
    """The version before this one that the platform had; the draft where there is none."""
    older = editor.document.versions.filter(pk__lt=version.pk).exclude(kind__in=store.NOT_THERE).order_by("-id").first()
    return str(older.pk) if older else TYPED


def _get_content(editor: Editor, which: str) -> Package:
    if which == TYPED:
        return editor.get_typed_package()
    return get_content(_get_version(editor, whole_number(which, ROW_MOST)).blob)


def _build_version_page(editor: Editor, version: Version, other: str) -> VersionPage:
    mine, theirs = get_content(version.blob), _get_content(editor, other)
    newer = other == TYPED or int(other) > version.pk
    imported = version.kind == Version.Kind.IMPORTED
    # what restoring would do reads from what is there to what comes back; a history reads from old to new
    restoring = newer or imported
    groups = group_changes(list_changes(theirs, mine))
    row = _build_row(editor, version)
    typed = bool(editor.drafts)
    return VersionPage(
        row=row,
        title=version.label or row.kind,
        address=editor.address("version", version.pk),
        choices=tuple(_list_choices(editor, version, other)),
        against=_("What this version would change") if restoring else _("What this version changed"),
        groups=groups,
        restore=editor.address("restore", version.pk),
        restore_words=_("Import into the draft") if imported else _("Restore into the draft"),
        consequence=_("Your current draft is kept as a version.") if typed else "",
        imported=imported,
        list=editor.address("versions"),
        export=editor.address("export", "json") + f"?version={version.pk}",
    )


def _list_choices(editor: Editor, version: Version, other: str) -> list[VersionChoice]:
    listed = [VersionChoice(TYPED, _("Your draft"), other == TYPED)]
    for each in store.list_versions(editor.document)[:60]:
        if each.pk != version.pk:
            name = f"{formats.moment(each.at, 'short')} · {get_kind_name(each)}"
            listed.append(VersionChoice(str(each.pk), name, other == str(each.pk)))
    return listed


@require_POST
@with_known_document
def restore(request: OwnerRequest, editor: Editor, pk: int) -> HttpResponse:
    """Restore a version into the drafts; it is sent with the next save."""
    stored_version = _get_version(editor, pk)
    label = stored_version.label or formats.moment(stored_version.at, "short")
    if not restore_version(editor, stored_version, label):
        messages.info(request, _("No changes: your draft is already the same."))
        return redirect_to(editor, "version", pk)
    messages.success(request, _("Added to your draft. Review the changes, then save."))
    return redirect_to(editor, "save")
