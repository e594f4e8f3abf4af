"""Everything typed and not sent: one draft per block, shared by all windows, edited step by step, undone step by step."""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, TypeAlias

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from dashboard.activity.recorder import actor_of
from dashboard.ai_content import presence
from dashboard.ai_content.ebook import texts as ebook
from dashboard.ai_content.models import Blob, Document, Draft, Step, Version
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.merging import merge
from dashboard.ai_content.rules.package import JSON, Block, Package, part, same, with_part
from dashboard.ai_content.versions import store
from dashboard.shared.http import OwnerRequest

STEPS_KEPT: Final = 60
ONE_EDIT: Final = timedelta(seconds=90)
"""Typing in one place is one step until nothing was typed there for this long."""
ATTEMPTS: Final = 12


@dataclass(frozen=True)
class Working:
    """One block as it stands: the draft's values, or those of the newest version. `base` is the whole file beneath."""

    block: Block
    values: Package
    handles: list[str]
    base: Package
    draft: Draft | None = None

    @property
    def questions(self) -> list[JSON]:
        """The questions, for the quiz."""
        return quiz.questions_of(self.values)

    def place(self, handle: str) -> int | None:
        """Where the question with this handle is."""
        return self.handles.index(handle) if handle in self.handles else None


@dataclass(frozen=True)
class Made:
    """What an edit does: the block's new values, and what to write down so that it can be undone."""

    values: Package
    code: str
    """"" for an undo, which is no step of its own."""
    label: str = ""
    handles: list[str] | None = None
    place: dict[str, JSON] = field(default_factory=dict)
    before: JSON = None
    choice: str | None = None
    one_place: str = ""
    """Edits with the same word here are one step while somebody is typing."""


class Stale(Exception):
    """What the form was made from is not there any more: another window changed it."""


class Busy(Exception):
    """So many windows edit at once that this edit could not be put in order; nothing was written."""


def drafts_of(document: Document) -> dict[Block, Draft]:
    """The drafts of a language, by block."""
    return {Block(draft.block): draft for draft in document.drafts.select_related("base")}


def working(document: Document, block: Block, version: Version, draft: Draft | None) -> Working:
    """A block as it stands."""
    if draft is not None:
        values = store.unpacked(draft.body)
        base = store.content(draft.base)
        return Working(block, values if isinstance(values, dict) else {}, list(draft.handles), base, draft)
    package = store.content(version.blob)
    values = part(package, block)
    return Working(block, values, _handles(version, values) if block is Block.QUIZ else [], package)


def _handles(version: Version, values: Package) -> list[str]:
    questions = quiz.questions_of(values)
    return list(version.handles) if len(version.handles) == len(questions) else quiz.handles(questions)


def new_handle() -> str:
    """A handle for a question that no version has yet."""
    return f"n{secrets.token_hex(6)}"


Edits: TypeAlias = Callable[[Working], Made | None]


def edit(request: OwnerRequest, document: Document, block: Block, change: Edits) -> Working:
    """Apply one edit to what is there now, whatever other windows do meanwhile; None from `change` changes nothing.

    Returns the block after it. Whatever `change` raises is raised, and `Busy` after many collisions.
    """
    for _ in range(ATTEMPTS):
        draft = document.drafts.select_related("base").filter(block=block).first()
        version = store.settled(document)
        assert version is not None, "a document is stored with its first version"  # noqa: S101  (loading.settle)
        before = working(document, block, version, draft)
        made = change(before)
        if made is None:
            return before
        written = _write(request, document, before, made, draft.base if draft else version.blob)
        if written is not None:
            return written
    raise Busy


def _write(request: OwnerRequest, document: Document, before: Working, made: Made, base: Blob) -> Working | None:
    """The block after the edit; None when another window was faster."""
    handles = before.handles if made.handles is None else made.handles
    choice = made.choice if made.choice is not None else (before.draft.choice if before.draft else "")
    with transaction.atomic():
        if same(made.values, part(before.base, before.block)) and not choice:
            if before.draft is not None and not _take(before.draft).delete()[0]:
                return None
            _note(request, document, made)
            version = store.settled(document)
            return None if version is None else working(document, before.block, version, None)
        draft = _put(request, document, before, made, base, handles, choice)
        if draft is None:
            return None
        _write_step(draft, made)
        _note(request, document, made)
    return Working(before.block, made.values, handles, before.base, draft)


def _take(draft: Draft) -> QuerySet[Draft]:
    return Draft.objects.filter(pk=draft.pk, revision=draft.revision)


def _put(
    request: OwnerRequest,
    document: Document,
    before: Working,
    made: Made,
    base: Blob,
    handles: list[str],
    choice: str,
) -> Draft | None:
    values = {
        "body": store.packed(made.values),
        "handles": handles if before.block is Block.QUIZ else [],
        "choice": choice,
        "actor": actor_of(request, request.account)[:120],
        "updated_at": timezone.now(),
    }
    if before.draft is None:
        try:
            with transaction.atomic():
                return Draft.objects.create(document=document, block=before.block, base=base, **values)
        except IntegrityError:
            return None
    if not _take(before.draft).update(revision=F("revision") + 1, **values):
        return None
    before.draft.revision += 1
    for name, value in values.items():
        setattr(before.draft, name, value)
    return before.draft


def _write_step(draft: Draft, made: Made) -> None:
    now = timezone.now()
    if not made.code:
        return  # an undo is not a step of its own
    if made.one_place:
        last = draft.steps.order_by("-id").first()
        if last is not None and last.place.get("one") == made.one_place and now - last.at < ONE_EDIT:
            Step.objects.filter(pk=last.pk).update(at=now, label=made.label[:200])
            return
    Step.objects.create(
        draft=draft,
        code=made.code,
        label=made.label[:200],
        place={**made.place, **({"one": made.one_place} if made.one_place else {})},
        before=None if made.before is None else store.packed(made.before),
    )
    old = draft.steps.order_by("-id").values_list("pk", flat=True)[STEPS_KEPT : STEPS_KEPT + 20]
    Step.objects.filter(pk__in=list(old)).delete()


def _note(request: OwnerRequest, document: Document, made: Made) -> None:
    changed(
        document,
        tab=presence.tab_of(request),
        actor=actor_of(request, request.account),
        place=str(made.place.get("handle") or made.code),
    )
    if document.refusal is not None:
        document.refusal = None
        document.save(update_fields=["refusal"])


def changed(document: Document, *, tab: str = "", actor: str = "", place: str = "") -> None:
    """Tell other windows that something is not as they show it."""
    Document.objects.filter(pk=document.pk).update(revision=F("revision") + 1)
    document.refresh_from_db(fields=["revision"])
    presence.note(document, presence.Happened(document.revision, tab, actor, place, time.time()))


def last_step(draft: Draft | None) -> Step | None:
    """The step that an undo takes back."""
    return draft.steps.order_by("-id").first() if draft is not None else None


def deleted_questions(draft: Draft | None) -> list[Step]:
    """Questions that were deleted and can be put back, newest first."""
    return list(draft.steps.filter(code="question_deleted").order_by("-id")[:20]) if draft is not None else []


def discard(request: OwnerRequest, document: Document, block: Block) -> Version | None:
    """Let go of a draft. What was typed is kept as a version put aside."""
    draft = document.drafts.select_related("base").filter(block=block).first()
    if draft is None:
        return None
    base, values = store.content(draft.base), store.unpacked(draft.body)
    kept = with_part(base, block, values if isinstance(values, dict) else {})
    version = store.put_aside(document, kept, actor_of(request, request.account), base)
    draft.delete()
    changed(document, tab=presence.tab_of(request), actor=version.actor, place=str(block))
    return version


def composed(package: Package, drafts: dict[Block, Draft]) -> Package:
    """The whole file as it would be sent: every block of `package`, the drafts' in place of theirs.

    Raises `ebook.Undecided`.
    """
    for block, draft in drafts.items():
        values = store.unpacked(draft.body)
        typed = values if isinstance(values, dict) else {}
        if block is Block.EBOOK:
            typed = ebook.outgoing(typed, part(store.content(draft.base), block), draft.choice)
        package = with_part(package, block, typed)
    return package


def follow(document: Document, before: Blob, after: Blob) -> None:
    """What drafts were started from has become `after` without anybody editing it: they stand on it now."""
    for draft in document.drafts.select_related("base").filter(base=before):
        rebase(draft, after)


def adopt(version: Version, package: Package, mark: str) -> None:
    """Let a version of ours be what the platform made of it, with this fingerprint; drafts follow."""
    if version.blob.digest != mark:
        before = version.blob
        version.blob = store.blob_of(version.document, package, mark)
        version.save(update_fields=["blob"])
        follow(version.document, before, version.blob)


def sent(document: Document, version: Version) -> None:
    """A version has arrived: its drafts are done; what was typed after it was sent stays, on top of it.

    Runs in a transaction: no edit comes between the look at a draft and its end.
    """
    for draft in document.drafts.select_for_update(of=("self",)).select_related("base"):
        pk, revision = version.sent.get(draft.block, (None, None))
        if (pk, revision) == (draft.pk, draft.revision):
            draft.delete()
        elif pk == draft.pk:
            rebase(draft, version.blob)


def rebase(draft: Draft, onto: Blob, values: Package | None = None) -> None:
    """Let a draft stand on another version: merged where `values` does not say what it holds then."""
    block, old = Block(draft.block), store.content(draft.base)
    typed = store.unpacked(draft.body)
    mine = typed if isinstance(typed, dict) else {}
    new = part(store.content(onto), block)
    merged = merge(part(old, block), mine, new).value if values is None else values
    if block is Block.QUIZ:
        draft.handles = quiz.carried(quiz.questions_of(mine), draft.handles, quiz.questions_of(merged))
    draft.base, draft.body, draft.revision = onto, store.packed(merged), draft.revision + 1
    if same(merged, new):
        draft.delete()
    else:
        draft.save(update_fields=["base", "body", "handles", "revision"])


def size_of(values: Package) -> int:
    """Bytes of a block, for limits."""
    return len(json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass"))
