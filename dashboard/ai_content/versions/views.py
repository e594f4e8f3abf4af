"""Versions: the history, one version against another, and restoring."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from dashboard.ai_content import changes_page, responses, summaries
from dashboard.ai_content import messages as sentences
from dashboard.ai_content import pages as frames
from dashboard.ai_content import restore as taking
from dashboard.ai_content.decorators import kept, opened
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.models import Version
from dashboard.ai_content.rules.difference import difference
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
class Row:
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
class Choice:
    """A version to compare with."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True)
class VersionsPage:
    """templates/ai_content/versions.html."""

    rows: tuple[Row, ...]
    count: str


@dataclass(frozen=True)
class VersionPage:
    """templates/ai_content/version.html."""

    row: Row
    title: str
    address: str
    choices: tuple[Choice, ...]
    against: str
    groups: tuple[changes_page.Group, ...]
    restore: str
    restore_words: str
    consequence: str
    imported: bool
    list: str
    export: str


@require_safe
@opened
def versions(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Every version of this language, newest first."""
    found = store.history(editor.document)
    rows = tuple(_row(editor, version) for version in found)
    count = ngettext("%(count)s version", "%(count)s versions", len(rows)) % {"count": formats.number(len(rows))}
    context = {"shell": frames.frame(editor, "versions"), "page": VersionsPage(rows, count)}
    return render(request, "ai_content/versions.html", context)


def kind_words(version: Version) -> str:
    """Where a version comes from."""
    return {
        Version.Kind.LOADED: _("Found on the platform"),
        Version.Kind.SAVED: _("Saved"),
        Version.Kind.SENDING: _("Sent, not confirmed"),
        Version.Kind.REFUSED: _("Refused"),
        Version.Kind.ASIDE: _("Put aside"),
        Version.Kind.IMPORTED: _("Imported file"),
    }[Version.Kind(version.kind)]


def _row(editor: Editor, version: Version) -> Row:
    first = version.kind == Version.Kind.LOADED and not version.changes_count
    listed = sentences.changes(summaries.lengthened(version.changes), version.changes_count)
    return Row(
        address=editor.address("version", version.pk),
        when=formats.moment(version.at),
        when_iso=version.at.isoformat(),
        ago=formats.ago(version.at),
        kind=kind_words(version),
        shape=SHAPES[Version.Kind(version.kind)],
        actor=version.actor or _("Outside Reelroom"),
        changes=_("First seen") if first else listed,
        current=version.pk == editor.opened.version.pk,
        size=formats.file_size(version.blob.size),
    )


@require_safe
@kept
def version(request: OwnerRequest, editor: Editor, pk: int) -> HttpResponse:
    """One version, against the one before, the current one, what is typed now, or any other."""
    found = _version(editor, pk)
    against = request.GET.get("with", "")
    default = TYPED if found.kind in (Version.Kind.IMPORTED, Version.Kind.ASIDE) else _before(editor, found)
    other = against or default
    page = _version_page(editor, found, other)
    context = {"shell": frames.frame(editor, "versions"), "page": page}
    return render(request, "ai_content/version.html", context)


def _version(editor: Editor, pk: int | None) -> Version:
    return get_object_or_404(editor.document.versions.select_related("blob"), pk=pk)


def _before(editor: Editor, found: Version) -> str:
    """The version before this one that the platform had; what is typed where there is none."""
    older = editor.document.versions.filter(pk__lt=found.pk).exclude(kind__in=store.NOT_THERE).order_by("-id").first()
    return str(older.pk) if older else TYPED


def _content(editor: Editor, which: str) -> Package:
    if which == TYPED:
        return taking.working_package(editor)
    return store.content(_version(editor, whole_number(which, ROW_MOST)).blob)


def _version_page(editor: Editor, found: Version, other: str) -> VersionPage:
    mine, theirs = store.content(found.blob), _content(editor, other)
    newer = other == TYPED or int(other) > found.pk
    imported = found.kind == Version.Kind.IMPORTED
    # what restoring would do reads from what is there to what comes back; a history reads from old to new
    restoring = newer or imported
    groups = changes_page.grouped(difference(theirs, mine))
    row = _row(editor, found)
    typed = bool(editor.drafts)
    return VersionPage(
        row=row,
        title=found.label or row.kind,
        address=editor.address("version", found.pk),
        choices=tuple(_choices(editor, found, other)),
        against=_("What would change if you took this version over") if restoring else _("What this version changed"),
        groups=groups,
        restore=editor.address("restore", found.pk),
        restore_words=_("Take over into the draft") if imported else _("Restore into the draft"),
        consequence=_("What you have typed and not sent is put aside as a version of its own.") if typed else "",
        imported=imported,
        list=editor.address("versions"),
        export=editor.address("export", "json") + f"?version={found.pk}",
    )


def _choices(editor: Editor, found: Version, other: str) -> list[Choice]:
    listed = [Choice(TYPED, _("What is typed now"), other == TYPED)]
    for each in store.history(editor.document)[:60]:
        if each.pk != found.pk:
            name = f"{formats.moment(each.at, 'short')} · {kind_words(each)}"
            listed.append(Choice(str(each.pk), name, other == str(each.pk)))
    return listed


@require_POST
@kept
def restore(request: OwnerRequest, editor: Editor, pk: int) -> HttpResponse:
    """Put a version into the drafts: it is sent like any other change, after a look at what leaves."""
    found = _version(editor, pk)
    label = found.label or formats.moment(found.at, "short")
    if not taking.take_over(editor, found, label):
        messages.info(request, _("It is the same as what is typed now: nothing to take over."))
        return responses.go(editor, "version", pk)
    messages.success(request, _("In your draft. Look at what changes, then save."))
    return responses.go(editor, "save")
