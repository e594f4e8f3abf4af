"""One request of the editor: the language opened, its drafts, and where its pages are."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.http import Http404
from django.urls import reverse

from dashboard.ai_content import conflicts, drafts, sync
from dashboard.ai_content.drafts import Edits, Working
from dashboard.ai_content.models import Document, Draft
from dashboard.ai_content.rules.difference import Change, difference
from dashboard.ai_content.rules.package import Block, Package, part
from dashboard.ai_content.sync import Opened
from dashboard.ai_content.versions import store
from dashboard.shared.http import OwnerRequest


@dataclass
class Editor:
    """A language in hand. Made by `enter` (reads the platform) or `resume` (does not)."""

    request: OwnerRequest
    opened: Opened
    word: str
    """The language as the address has it."""

    @property
    def document(self) -> Document:
        """What is kept of the language."""
        return self.opened.document

    @cached_property
    def drafts(self) -> dict[Block, Draft]:
        """What is typed and not sent."""
        return drafts.drafts_of(self.document)

    @cached_property
    def behind(self) -> dict[Block, Draft]:
        """Drafts that the file has changed under."""
        found = conflicts.behind(self.opened, self.drafts)
        if len(found) != len(self.drafts):
            self.__dict__.pop("drafts", None)  # some were moved on top of our own save
        return found

    @property
    def package(self) -> Package:
        """The file as it is."""
        return self.opened.package

    def working(self, block: Block) -> Working:
        """A block as it is typed."""
        return drafts.working(self.document, block, self.opened.version, self.drafts.get(block))

    def changes(self) -> tuple[Change, ...]:
        """What saving would change, block by block; the eBook's HTML, which follows its text, is not counted."""
        found: list[Change] = []
        for block, draft in self.drafts.items():
            values = store.unpacked(draft.body)
            typed = values if isinstance(values, dict) else {}
            base = part(store.content(draft.base), block)
            if block is Block.EBOOK and "abstract_html" not in typed and "abstract_html" in base:
                typed = {**typed, "abstract_html": base["abstract_html"]}
            found += difference(base, typed)
        return tuple(found)

    def edit(self, block: Block, change: Edits) -> Working:
        """Apply one edit, and know of it."""
        after = drafts.edit(self.request, self.document, block, change)
        self.__dict__.pop("drafts", None)
        self.__dict__.pop("behind", None)
        return after

    def address(self, name: str = "language", *more: object) -> str:
        """The address of a page of this language."""
        return reverse(f"ai_content:{name}", args=(self.document.video_id, self.word, *more))


def enter(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Open a language for a page: the file is read. Raises a `PlatformError`, or `NotAPackage`."""
    return Editor(request, sync.open_language(request, video_id, sync.lang_of(lang)), lang)


def resume(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Go on with a language that was opened before: nothing is read. Opens it where that never happened."""
    document = sync.document_of(request, video_id, sync.lang_of(lang))
    version = None if document is None else store.settled(document)
    if document is None or version is None:
        return enter(request, video_id, lang)
    return Editor(request, sync.opened_at(document, version, store.last_write(document)), lang)


def known(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """A language of which something is kept here already; 404 for any other."""
    document = sync.document_of(request, video_id, sync.lang_of(lang))
    if document is None:
        raise Http404
    return resume(request, video_id, lang)
