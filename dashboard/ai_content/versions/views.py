"""Versions: the history, one version against another, and restoring."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.ai_content.decorators import with_fresh_document, with_known_document
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.messages import format_changes, group_changes
from dashboard.ai_content.models import Version, get_content
from dashboard.ai_content.pages import redirect_to, render_page
from dashboard.ai_content.restore import restore_version
from dashboard.ai_content.rules.difference import list_changes, load_summaries
from dashboard.ai_content.rules.package import Package
from dashboard.ai_content.versions import store
from dashboard.shared import formats
from dashboard.shared.http import ROW_MOST, OwnerRequest, whole_number

TYPED = "typed"


@require_safe
@with_fresh_document
def versions(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Every version of this language, newest first."""
    rows = [
        (
            version,
            format_changes(load_summaries(version.changes), version.changes_count),
            formats.file_size(version.blob.size),
        )
        for version in store.list_versions(editor.document)
    ]
    return render_page(editor, "versions", "ai_content/versions.html", rows=rows)


@require_safe
@with_known_document
def version(request: OwnerRequest, editor: Editor, pk: int) -> HttpResponse:
    """One version, compared with the one before, the draft, or any other."""
    compared = _get_version(editor, pk)
    against = request.GET.get("with", "")
    default = TYPED if compared.kind in (Version.Kind.IMPORTED, Version.Kind.ASIDE) else _get_previous(editor, compared)
    other = against or default
    changes = list_changes(_get_content(editor, other), get_content(compared.blob))
    listed = store.list_versions(editor.document)[:60]
    return render_page(
        editor,
        "versions",
        "ai_content/version.html",
        version=compared,
        size=formats.file_size(compared.blob.size),
        other=other,
        choices=[(str(each.pk), each, formats.moment(each.at, "short")) for each in listed if each.pk != compared.pk],
        # what restoring would do reads from what is there to what comes back; a history reads from old to new
        restores=other == TYPED or int(other) > compared.pk or compared.kind == Version.Kind.IMPORTED,
        groups=group_changes(changes),
    )


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
