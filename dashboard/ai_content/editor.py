"""The editing session of one language: its drafts, edits of one block and their undo, restoring a version, and merging."""

import dataclasses
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, TypeAlias

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
    def actor(self) -> str:
        """Who edits, as Activity names them."""
        return actor_of(self.request, self.request.account)

    @property
    def package(self) -> Package:
        """The file, without drafts."""
        return self.opened.package

    def get_content(self, block: Block) -> BlockContent:
        """Return a block with its draft."""
        return _get_content(block, self.opened.version, self.drafts.get(block))

    def list_changes(self) -> tuple[Change, ...]:
        """List what saving would change, block by block, without the eBook's HTML, which is made from its text."""
        listed: list[Change] = []
        for block, draft in self.drafts.items():
            typed, base = draft.values, draft.values_before
            if block is Block.EBOOK and "abstract_html" not in typed and "abstract_html" in base:
                typed = {**typed, "abstract_html": base["abstract_html"]}
            listed += list_changes(base, typed)
        return tuple(listed)

    def get_typed_package(self) -> Package:
        """Return the file with every draft in place as it is typed, not to be sent."""
        package = self.package
        for block, draft in self.drafts.items():
            package = replace_part(package, block, draft.values)
        return package

    def address(self, name: str = "language", *more: object) -> str:
        """Return the address of a page of this language."""
        return reverse(f"ai_content:{name}", args=(self.document.video_id, self.word, *more))

    def edit(self, block: Block, change: EditBuilder) -> BlockContent:
        """Apply one edit to the content as it is now and return the block after it; None of `change` changes nothing.

        `change` is called again when another window was faster. Raises what it raises, and `EditCollision` after many
        tries.
        """
        for _ in range(ATTEMPTS):
            draft = self.document.drafts.select_related("base").filter(block=block).first()
            version = versions.get_settled(self.document)
            assert version is not None, "a document is stored with its first version"  # noqa: S101  (sync.settle)
            before = _get_content(block, version, draft)
            edit = change(before)
            after = before if edit is None else self._write(before, edit, draft.base if draft else version.blob)
            if after is not None:
                self.reload_drafts()
                return after
        raise EditCollision

    def _write(self, before: BlockContent, edit: Edit, base: Blob) -> BlockContent | None:
        """Store the edit and return the block after it; None when another window was faster."""
        choice = edit.choice if edit.choice is not None else (before.draft.choice if before.draft else "")
        with transaction.atomic():
            if is_same(edit.values, get_part(before.base, before.block)) and not choice:
                if before.draft is not None:
                    if not _select_revision(before.draft).update(revision=F("revision") + 1):
                        return None
                    Draft.objects.filter(
                        pk=before.draft.pk
                    ).delete()  # held since the update: a deletion alone looks first
                self._note(edit)
                version = versions.get_settled(self.document)
                return None if version is None else _get_content(before.block, version, None)
            draft = self._put_draft(before, edit, base, choice)
            if draft is None:
                return None
            _write_step(draft, edit)
            self._note(edit)
        return BlockContent(before.block, edit.values, list(draft.handles), base=before.base, draft=draft)

    def _put_draft(self, before: BlockContent, edit: Edit, base: Blob, choice: str) -> Draft | None:
        handles = before.handles if edit.handles is None else edit.handles
        values = {
            "body": pack(edit.values),
            "handles": handles if before.block is Block.QUIZ else [],
            "choice": choice,
            "actor": self.actor[:120],
            "updated_at": timezone.now(),
        }
        if before.draft is None:
            try:
                with transaction.atomic():
                    return Draft.objects.create(document=self.document, block=before.block, base=base, **values)
            except IntegrityError:
                return None
        if not _select_revision(before.draft).update(revision=F("revision") + 1, **values):
            return None
        before.draft.revision += 1
        for name, value in values.items():
            setattr(before.draft, name, value)
        return before.draft

    def _note(self, edit: Edit) -> None:
        """Tell other windows of an edit, and take back the refusal of what was there."""
        place, document = str(edit.place.get("handle") or edit.code), self.document
        versions.note_change(document, tab=versions.get_tab(self.request), actor=self.actor, place=place)
        if document.refusal is not None:
            document.refusal = None
            document.save(update_fields=["refusal"])

    def discard(self, block: Block) -> None:
        """Discard the draft of a block; its content is kept as a version."""
        draft = self.document.drafts.select_related("base").filter(block=block).first()
        if draft is not None:
            base = get_content(draft.base)
            self._keep_aside(replace_part(base, block, draft.values), base)
            draft.delete()
            tab = versions.get_tab(self.request)
            versions.note_change(self.document, tab=tab, actor=self.actor[:120], place=str(block))
        self.reload_drafts()

    def _keep_aside(self, package: Package, parent: Package) -> None:
        """Store what is discarded as a version."""
        versions.add_version(self.document, package, Version.Kind.ASIDE, actor=self.actor, parent=parent)

    def undo(self, block: Block, pk: int | None = None) -> Step | None:
        """Undo the last step, or the deletion that is step `pk`.

        Returns the step; None where it cannot be undone any more.
        """
        draft = self.drafts.get(block)
        if draft is None:
            return None
        last = versions.get_last_step(draft)
        step = last if pk is None else draft.steps.filter(pk=pk).first()
        if step is None or last is None or (step.pk != last.pk and step.code != "question_deleted"):
            return None
        self.edit(block, lambda content: _build_undo(content, step))
        Step.objects.filter(pk=step.pk).delete()
        return step

    def restore(self, version: Version, label: str) -> int:
        """Replace the drafts by the content of a version; returns how many blocks changed.

        What was typed before is kept as a version, and the edit of each block can be undone.
        """
        package, typed = get_content(version.blob), self.get_typed_package()
        if is_same(package, typed):
            return 0
        if self.drafts:
            self._keep_aside(typed, self.package)
        blocks = [block for block in Block if not is_same(get_part(package, block), get_part(typed, block))]
        for block in blocks:
            self.edit(block, partial(_build_restoration, values=get_part(package, block), version=version, label=label))
        return len(blocks)


def replace_block(content: BlockContent, values: Package, code: str, label: str = "", **more: Any) -> Edit:
    """An edit that is undone by restoring the whole block; `more` are fields of `Edit`."""
    choice = content.draft.choice if content.draft else ""
    place: dict[str, JSON] = {WHOLE: True, "handles": list(content.handles), "choice": choice}
    return Edit(values, code, label, place=place, before=content.values, **more)


def _get_content(block: Block, version: Version, draft: Draft | None) -> BlockContent:
    """Return a block: from its draft, else from the version."""
    if draft is not None:
        return BlockContent(block, draft.values, list(draft.handles), base=get_content(draft.base), draft=draft)
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


def _select_revision(draft: Draft) -> QuerySet[Draft]:
    return Draft.objects.filter(pk=draft.pk, revision=draft.revision)


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


def compose(package: Package, drafts: dict[Block, Draft]) -> Package:
    """Build the file as it is sent: `package` with the blocks of the drafts. Raises `Undecided` of an eBook."""
    for block, draft in drafts.items():
        typed = draft.values
        if block is Block.EBOOK:
            typed = ebook_html.build_outgoing(typed, draft.values_before, draft.choice)
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
        untouched = is_same(draft.values_before, get_part(opened.package, block))
        if untouched and current.kind == Version.Kind.SAVED:
            versions.rebase_draft(draft, current.blob)
        else:
            behind[block] = draft
    return behind


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


def _build_restoration(content: BlockContent, values: Package, version: Version, label: str) -> Edit:
    imported = version.kind == Version.Kind.IMPORTED
    handles = None
    if content.block is Block.QUIZ:
        handles = quiz.carry_handles(content.questions, content.handles, quiz.get_questions(values))
    choice = EXACT if content.block is Block.EBOOK and not imported else None
    code = "imported" if imported else "restored"
    return replace_block(content, values, code, label, handles=handles, choice=choice)
