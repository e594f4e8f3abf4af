"""The editing session of one language: its drafts, edits of one block and their undo, restoring a version, and merging."""

import dataclasses
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeAlias

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property

from dashboard.activity.recorder import actor_of
from dashboard.ai_content import ebook_html, versions
from dashboard.ai_content.ebook_html import EXACT
from dashboard.ai_content.models import Blob, Document, Draft, Step, Version, get_content, pack, unpack
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.difference import Change, list_changes
from dashboard.ai_content.rules.merge import Conflict, Side, merge_packages
from dashboard.ai_content.rules.package import Block, Package, get_part, is_same, replace_part
from dashboard.ai_content.rules.quiz import QUESTIONS
from dashboard.ai_content.versions import OpenedLanguage
from dashboard.platform_api.values import JSON
from dashboard.shared.http import OwnerRequest

STEPS_MOST: Final = 60
ONE_EDIT: Final = timedelta(seconds=90)
"""Typing in one field is one undo step until nothing was typed there for this long."""
ATTEMPTS: Final = 12
WHOLE = "whole"
"""Key in a step's place: its `before` is the whole block."""


@dataclass(frozen=True)
class BlockContent:
    """One block: the values of its draft, else of the newest version. `base` is the whole file that it started from."""

    block: Block
    values: Package
    handles: list[str]
    base: Package
    draft: Draft | None = None

    @property
    def questions(self) -> list[JSON]:
        """The questions of the quiz."""
        return quiz.get_questions(self.values)

    def place(self, handle: str) -> int | None:
        """The place of the question with this handle; None where there is none."""
        return self.handles.index(handle) if handle in self.handles else None


@dataclass(frozen=True)
class Edit:
    """One edit: the new values of the block, and what is stored to undo it."""

    values: Package
    code: str
    """Of the undo step; "" for an undo, which adds no step."""
    label: str = ""
    handles: list[str] | None = None
    place: dict[str, JSON] = dataclasses.field(default_factory=dict)
    before: JSON = None
    choice: str | None = None
    field: str = ""
    """Edits of the same field are one undo step while somebody is typing."""


EditBuilder: TypeAlias = Callable[[BlockContent], Edit | None]


class StaleForm(Exception):
    """Another window changed the value after the form was rendered."""


class EditCollision(Exception):
    """Too many simultaneous edits of this block: nothing was written."""


@dataclass
class Editor:
    """The editing session of one document, for one request."""

    request: OwnerRequest
    opened: OpenedLanguage
    word: str
    """The language as in the address."""

    @property
    def document(self) -> Document:
        """The document of the language."""
        return self.opened.document

    @cached_property
    def drafts(self) -> dict[Block, Draft]:
        """Drafts: what is typed and not sent, by block."""
        return versions.list_drafts(self.document)

    @cached_property
    def behind(self) -> dict[Block, Draft]:
        """Drafts whose file somebody else has changed since they were started."""
        count = len(self.drafts)
        behind = find_behind(self.opened, self.drafts)
        if len(behind) != count:
            self.reload_drafts()  # some were moved on top of our own save
        return behind

    def reload_drafts(self) -> None:
        """Read drafts anew when they are needed next: something has changed them."""
        for name in ("drafts", "behind"):
            self.__dict__.pop(name, None)

    @property
    def last_step(self) -> Step | None:
        """The last edit of any block, which is undone next."""
        steps = [step for draft in self.drafts.values() if (step := versions.get_last_step(draft))]
        return max(steps, key=lambda step: step.pk, default=None)

    @property
    def draft_time(self) -> datetime:
        """When the newest draft was changed; called only where there is one."""
        return max(draft.updated_at for draft in self.drafts.values())

    @property
    def package(self) -> Package:
        """The file, without drafts."""
        return self.opened.package

    def get_content(self, block: Block) -> BlockContent:
        """Return a block with its draft."""
        return get_block_content(self.document, block, self.opened.version, self.drafts.get(block))

    def list_changes(self) -> tuple[Change, ...]:
        """List what saving would change, block by block, without the eBook's HTML, which is made from its text."""
        listed: list[Change] = []
        for block, draft in self.drafts.items():
            values = unpack(draft.body)
            typed = values if isinstance(values, dict) else {}
            base = get_part(get_content(draft.base), block)
            if block is Block.EBOOK and "abstract_html" not in typed and "abstract_html" in base:
                typed = {**typed, "abstract_html": base["abstract_html"]}
            listed += list_changes(base, typed)
        return tuple(listed)

    def edit(self, block: Block, change: EditBuilder) -> BlockContent:
        """Apply one edit and return the block after it. Raises like `edit_block`."""
        after = edit_block(self.request, self.document, block, change)
        self.reload_drafts()
        return after

    def discard(self, block: Block) -> None:
        """Discard the draft of a block; its content is kept as a version."""
        discard_draft(self.request, self.document, block)
        self.reload_drafts()

    def get_typed_package(self) -> Package:
        """Return the file with every draft in place."""
        return apply_drafts(self.opened, self.drafts)

    def address(self, name: str = "language", *more: object) -> str:
        """Return the address of a page of this language."""
        return reverse(f"ai_content:{name}", args=(self.document.video_id, self.word, *more))


def edit_block(request: OwnerRequest, document: Document, block: Block, change: EditBuilder) -> BlockContent:
    """Apply one edit to the current content and return the block after it; where `change` returns None nothing changes.

    `change` is called again when another window was faster. Raises what it raises, and `EditCollision` after many tries.
    """
    for _ in range(ATTEMPTS):
        draft = document.drafts.select_related("base").filter(block=block).first()
        version = versions.get_settled(document)
        assert version is not None, "a document is stored with its first version"  # noqa: S101  (sync.settle)
        before = get_block_content(document, block, version, draft)
        edit = change(before)
        if edit is None:
            return before
        after = _write_edit(request, document, before, edit, draft.base if draft else version.blob)
        if after is not None:
            return after
    raise EditCollision


def describe_block(content: BlockContent) -> dict[str, JSON]:
    """Build the place of a step whose undo restores the whole block."""
    return {WHOLE: True, "handles": list(content.handles), "choice": content.draft.choice if content.draft else ""}


def get_block_content(document: Document, block: Block, version: Version, draft: Draft | None) -> BlockContent:
    """Return a block: from its draft, else from the version."""
    if draft is not None:
        values = unpack(draft.body)
        base = get_content(draft.base)
        return BlockContent(
            block, values if isinstance(values, dict) else {}, handles=list(draft.handles), base=base, draft=draft
        )
    package = get_content(version.blob)
    values = get_part(package, block)
    return BlockContent(block, values, get_handles(version, values) if block is Block.QUIZ else [], package)


def get_handles(version: Version, values: Package) -> list[str]:
    """Return the handles of a version's questions."""
    questions = quiz.get_questions(values)
    return list(version.handles) if len(version.handles) == len(questions) else quiz.build_handles(questions)


def build_handle() -> str:
    """Build a handle for a new question."""
    return f"n{secrets.token_hex(6)}"


def _write_edit(
    request: OwnerRequest, document: Document, before: BlockContent, edit: Edit, base: Blob
) -> BlockContent | None:
    """Store the edit and return the block after it; None when another window was faster."""
    handles = before.handles if edit.handles is None else edit.handles
    choice = edit.choice if edit.choice is not None else (before.draft.choice if before.draft else "")
    with transaction.atomic():
        if is_same(edit.values, get_part(before.base, before.block)) and not choice:
            if before.draft is not None and not _select_revision(before.draft).delete()[0]:
                return None
            _note_edit(request, document, edit)
            version = versions.get_settled(document)
            return None if version is None else get_block_content(document, before.block, version, None)
        draft = _put_draft(request, document, before, edit, base, handles, choice)
        if draft is None:
            return None
        _write_step(draft, edit)
        _note_edit(request, document, edit)
    return BlockContent(before.block, edit.values, handles=handles, base=before.base, draft=draft)


def _select_revision(draft: Draft) -> QuerySet[Draft]:
    return Draft.objects.filter(pk=draft.pk, revision=draft.revision)


def _put_draft(
    request: OwnerRequest,
    document: Document,
    before: BlockContent,
    edit: Edit,
    base: Blob,
    handles: list[str],
    choice: str,
) -> Draft | None:
    values = {
        "body": pack(edit.values),
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
    if not _select_revision(before.draft).update(revision=F("revision") + 1, **values):
        return None
    before.draft.revision += 1
    for name, value in values.items():
        setattr(before.draft, name, value)
    return before.draft


def _write_step(draft: Draft, edit: Edit) -> None:
    now = timezone.now()
    if not edit.code:
        return  # an undo is not a step of its own
    if edit.field:
        last = draft.steps.order_by("-id").first()
        if last is not None and last.place.get("one") == edit.field and now - last.at < ONE_EDIT:
            Step.objects.filter(pk=last.pk).update(at=now, label=edit.label[:200])
            return
    Step.objects.create(
        draft=draft,
        code=edit.code,
        label=edit.label[:200],
        place={**edit.place, **({"one": edit.field} if edit.field else {})},
        before=None if edit.before is None else pack(edit.before),
    )
    old = draft.steps.order_by("-id").values_list("pk", flat=True)[STEPS_MOST : STEPS_MOST + 20]
    Step.objects.filter(pk__in=list(old)).delete()


def _note_edit(request: OwnerRequest, document: Document, edit: Edit) -> None:
    versions.note_change(
        document,
        tab=versions.get_tab(request),
        actor=actor_of(request, request.account),
        place=str(edit.place.get("handle") or edit.code),
    )
    if document.refusal is not None:
        document.refusal = None
        document.save(update_fields=["refusal"])


def discard_draft(request: OwnerRequest, document: Document, block: Block) -> Version | None:
    """Discard a draft; keep its content as a version."""
    draft = document.drafts.select_related("base").filter(block=block).first()
    if draft is None:
        return None
    base, values = get_content(draft.base), unpack(draft.body)
    package = replace_part(base, block, values if isinstance(values, dict) else {})
    version = versions.keep_aside(document, package, actor_of(request, request.account), base)
    draft.delete()
    versions.note_change(document, tab=versions.get_tab(request), actor=version.actor, place=str(block))
    return version


def compose(package: Package, drafts: dict[Block, Draft]) -> Package:
    """Build the file as it is sent: `package` with the blocks of the drafts. Raises `ebook.Undecided`."""
    for block, draft in drafts.items():
        values = unpack(draft.body)
        typed = values if isinstance(values, dict) else {}
        if block is Block.EBOOK:
            typed = ebook_html.build_outgoing(typed, get_part(get_content(draft.base), block), draft.choice)
        package = replace_part(package, block, typed)
    return package


def find_behind(opened: OpenedLanguage, by_block: dict[Block, Draft]) -> dict[Block, Draft]:
    """List the drafts that started from another version than the file has now.

    A draft is moved to the new version, and not listed, where that is our own save of another block.
    """
    current, behind = opened.version, {}
    for block, draft in by_block.items():
        if draft.base_id == current.blob_id:
            continue
        untouched = is_same(get_part(get_content(draft.base), block), get_part(opened.package, block))
        if untouched and current.kind == Version.Kind.SAVED:
            versions.rebase_draft(draft, current.blob)
        else:
            behind[block] = draft
    return behind


def apply_drafts(opened: OpenedLanguage, by_block: dict[Block, Draft]) -> Package:
    """Build the file with the drafts as they are typed, not to be sent."""
    package = opened.package
    for block, draft in by_block.items():
        values = unpack(draft.body)
        package = replace_part(package, block, values if isinstance(values, dict) else {})
    return package


def undo_step(editor: Editor, block: Block, pk: int | None = None) -> Step | None:
    """Undo the last step, or the deletion that is step `pk`. Returns the step; None where it cannot be undone any more."""
    draft = editor.drafts.get(block)
    if draft is None:
        return None
    last = versions.get_last_step(draft)
    step = last if pk is None else draft.steps.filter(pk=pk).first()
    if step is None or last is None or (step.pk != last.pk and step.code != "question_deleted"):
        return None
    editor.edit(block, lambda content: _build_undo(content, step))
    Step.objects.filter(pk=step.pk).delete()
    return step


def _build_undo(content: BlockContent, step: Step) -> Edit | None:
    before = None if step.before is None else unpack(step.before)
    if step.place.get(WHOLE):
        values = before if isinstance(before, dict) else {}
        handles = step.place.get("handles")
        return Edit(
            values, "", handles=handles if isinstance(handles, list) else None, choice=str(step.place.get("choice", ""))
        )
    questions, handles = list(content.questions), list(content.handles)
    handle, index = str(step.place.get("handle")), int(step.place.get("index") or 0)
    if not _put_back(step.code, handle, index, before, questions, handles):
        return None
    return Edit({**content.values, QUESTIONS: questions}, "", handles=handles)


def _put_back(code: str, handle: str, index: int, before: JSON, questions: list[JSON], handles: list[str]) -> bool:
    """Undo a step of one question, changing both lists; False where nothing is left to undo."""
    at = handles.index(handle) if handle in handles else None
    if code == "question_deleted" and at is None:
        questions.insert(min(index, len(questions)), before)
        handles.insert(min(index, len(handles)), handle)
    elif at is None:
        return False
    elif code == "question_edited":
        questions[at] = before
    elif code == "question_moved":
        questions.insert(index, questions.pop(at))
        handles.insert(index, handles.pop(at))
    elif code in ("question_added", "question_duplicated"):
        del questions[at], handles[at]
    return True


def restore_version(editor: Editor, version: Version, label: str) -> int:
    """Replace the drafts by the content of a version; returns how many blocks changed.

    What was typed before is kept as a version, and the edit of each block can be undone.
    """
    package = get_content(version.blob)
    typed = editor.get_typed_package()
    if is_same(package, typed):
        return 0
    if editor.drafts:
        versions.keep_aside(editor.document, typed, actor_of(editor.request, editor.request.account), editor.package)
    count = 0
    for block in Block:
        if not is_same(get_part(package, block), get_part(typed, block)):
            editor.edit(block, partial(_build_edit, values=get_part(package, block), version=version, label=label))
            count += 1
    return count


def _build_edit(content: BlockContent, values: Package, version: Version, label: str) -> Edit:
    imported = version.kind == Version.Kind.IMPORTED
    handles = None
    if content.block is Block.QUIZ:
        handles = quiz.carry_handles(content.questions, content.handles, quiz.get_questions(values))
    choice = EXACT if content.block is Block.EBOOK and not imported else None
    code = "imported" if imported else "restored"
    return Edit(
        values, code, label, handles=handles, place=describe_block(content), before=content.values, choice=choice
    )


@dataclass(frozen=True)
class BlockMerge:
    """One block: the draft's changes, the conflicts with the file, and the merged value for the choices made so far."""

    block: Block
    draft: Draft
    mine: tuple[Change, ...]
    conflicts: tuple[Conflict, ...]
    value: Package


@dataclass(frozen=True)
class Clash:
    """Their changes of the whole file, and the merge of each block that has a draft."""

    opened: OpenedLanguage
    theirs: tuple[Change, ...]
    blocks: tuple[BlockMerge, ...]

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """All conflicts, which the person decides."""
        return tuple(conflict for each in self.blocks for conflict in each.conflicts)


def build_clash(opened: OpenedLanguage, left: dict[Block, Draft], choices: dict[str, Side] | None = None) -> Clash:
    """Merge each draft with the file; undecided conflicts take the draft's side."""
    base = get_content(next(iter(left.values())).base)
    return Clash(
        opened,
        list_changes(base, opened.package),
        tuple(_merge_block(opened, block, draft, choices) for block, draft in left.items()),
    )


def _merge_block(opened: OpenedLanguage, block: Block, draft: Draft, choices: dict[str, Side] | None) -> BlockMerge:
    old = get_part(get_content(draft.base), block)
    typed = unpack(draft.body)
    mine = typed if isinstance(typed, dict) else {}
    merged = merge_packages(old, mine, get_part(opened.package, block), choices)
    return BlockMerge(block, draft, mine=list_changes(old, mine), conflicts=merged.conflicts, value=merged.value)


def settle_clash(clash: Clash) -> None:
    """Move the drafts to the current version, with the merged values."""
    for each in clash.blocks:
        versions.rebase_draft(each.draft, clash.opened.version.blob, each.value)
