"""Drafts: what is typed and not sent, one per block. Here: what versions that arrive do to them."""

import time

from django.db.models import F

from dashboard.ai_content import presence
from dashboard.ai_content.models import (
    Blob,
    Document,
    Draft,
    Step,
    Version,
    get_blob,
    get_content,
    get_file_key,
    pack,
    unpack,
)
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.merge import merge_packages
from dashboard.ai_content.rules.package import (
    Block,
    Package,
    get_fingerprint,
    get_part,
    is_same,
)
from dashboard.upstream.single_flight import forget


def list_drafts(document: Document) -> dict[Block, Draft]:
    """Return the drafts of a language, by block."""
    return {Block(draft.block): draft for draft in document.drafts.select_related("base")}


def note_change(document: Document, *, tab: str = "", actor: str = "", place: str = "") -> None:
    """Count a change of the document, and note it for other windows."""
    Document.objects.filter(pk=document.pk).update(revision=F("revision") + 1)
    document.refresh_from_db(fields=["revision"])
    presence.note_change(document.pk, presence.WindowChange(document.revision, tab, actor, place, time.time()))


def get_last_step(draft: Draft | None) -> Step | None:
    """Return the step that is undone next."""
    return draft.steps.order_by("-id").first() if draft is not None else None


def list_deleted_questions(draft: Draft | None) -> list[Step]:
    """List the deleted questions that can be put back, newest first."""
    return list(draft.steps.filter(code="question_deleted").order_by("-id")[:20]) if draft is not None else []


def move_drafts(document: Document, before: Blob, after: Blob) -> None:
    """Move drafts that started from `before` to `after`, the same content as the platform stores it."""
    for draft in document.drafts.select_related("base").filter(base=before):
        rebase_draft(draft, after)


def adopt_content(version: Version, package: Package, mark: str) -> None:
    """Replace the content of our version by how the platform stores it, and move its drafts."""
    if version.blob.digest != mark:
        before = version.blob
        version.blob = get_blob(version.document, package, mark)
        version.save(update_fields=["blob"])
        move_drafts(version.document, before, version.blob)


def finish_drafts(document: Document, version: Version) -> None:
    """Delete the drafts that were sent in `version`; those edited after it was sent are rebased on it.

    Call it in a transaction, so that no edit comes between.
    """
    for draft in document.drafts.select_for_update(of=("self",)).select_related("base"):
        pk, revision = version.sent.get(draft.block, (None, None))
        if (pk, revision) == (draft.pk, draft.revision):
            draft.delete()
        elif pk == draft.pk:
            rebase_draft(draft, version.blob)


def rebase_draft(draft: Draft, onto: Blob, values: Package | None = None) -> None:
    """Move a draft to another version, with `values`, or merged where None."""
    block, old = Block(draft.block), get_content(draft.base)
    typed = unpack(draft.body)
    mine = typed if isinstance(typed, dict) else {}
    new = get_part(get_content(onto), block)
    merged = merge_packages(get_part(old, block), mine, new).value if values is None else values
    if block is Block.QUIZ:
        draft.handles = quiz.carry_handles(quiz.get_questions(mine), draft.handles, quiz.get_questions(merged))
    draft.base, draft.body, draft.revision = onto, pack(merged), draft.revision + 1
    if is_same(merged, new):
        draft.delete()
    else:
        draft.save(update_fields=["base", "body", "handles", "revision"])


def keep_version(version: Version, package: Package | None, tab: str = "") -> None:
    """Mark `version` as saved, finish its drafts and note it for other windows. `package`: the file, where it was read."""
    document = version.document
    if package is not None:
        adopt_content(version, package, get_fingerprint(package))
    version.kind = Version.Kind.SAVED
    version.save(update_fields=["kind"])
    forget(get_file_key(document))
    finish_drafts(document, version)
    Document.objects.filter(pk=document.pk).update(refusal=None)
    note_change(document, tab=tab, actor=version.actor, place="saved")
