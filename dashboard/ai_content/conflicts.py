"""When the file changed under a draft: what they did, what is typed here, and one file made of both."""

from dataclasses import dataclass

from dashboard.ai_content import drafts
from dashboard.ai_content.models import Draft, Version
from dashboard.ai_content.rules.difference import Change, difference
from dashboard.ai_content.rules.merging import Conflict, Side, merge
from dashboard.ai_content.rules.package import Block, Package, part, same, with_part
from dashboard.ai_content.sync import Opened, State
from dashboard.ai_content.versions import store


@dataclass(frozen=True)
class BlockMerge:
    """One block: what was typed, what they changed, where both did, and the outcome for the choices made so far."""

    block: Block
    draft: Draft
    mine: tuple[Change, ...]
    conflicts: tuple[Conflict, ...]
    value: Package


@dataclass(frozen=True)
class Clash:
    """The whole: what they changed anywhere in the file, and each block that has a draft."""

    opened: Opened
    theirs: tuple[Change, ...]
    blocks: tuple[BlockMerge, ...]

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Everything the person has to choose."""
        return tuple(conflict for each in self.blocks for conflict in each.conflicts)


def behind(opened: Opened, found: dict[Block, Draft]) -> dict[Block, Draft]:
    """The drafts that stand on another version than the file has now.

    A draft that only a save of our own has passed by, in another block, is moved on top of it: nobody's change is in
    question there.
    """
    current, left = opened.version, {}
    for block, draft in found.items():
        if draft.base_id == current.blob_id:
            continue
        untouched = same(part(store.content(draft.base), block), part(opened.package, block))
        if untouched and current.kind == Version.Kind.SAVED:
            drafts.rebase(draft, current.blob)
        else:
            left[block] = draft
    return left


def clash(opened: Opened, left: dict[Block, Draft], choices: dict[str, Side] | None = None) -> Clash:
    """Merge each draft with the file; what is not chosen is the draft's."""
    base = store.content(next(iter(left.values())).base)
    return Clash(
        opened,
        difference(base, opened.package),
        tuple(_merged(opened, block, draft, choices) for block, draft in left.items()),
    )


def _merged(opened: Opened, block: Block, draft: Draft, choices: dict[str, Side] | None) -> BlockMerge:
    old = part(store.content(draft.base), block)
    typed = store.unpacked(draft.body)
    mine = typed if isinstance(typed, dict) else {}
    merged = merge(old, mine, part(opened.package, block), choices)
    return BlockMerge(block, draft, difference(old, mine), merged.conflicts, merged.value)


def settle(found: Clash) -> None:
    """Put the drafts on top of the file as it is now, with the choices that were made."""
    for each in found.blocks:
        drafts.rebase(each.draft, found.opened.version.blob, each.value)


def with_drafts(opened: Opened, found: dict[Block, Draft]) -> Package:
    """The file as it would look with the drafts as they are typed, for reading only."""
    package = opened.package
    for block, draft in found.items():
        values = store.unpacked(draft.body)
        package = with_part(package, block, values if isinstance(values, dict) else {})
    return package


def after_save(opened: Opened, version: Version) -> Opened:
    """The language right after `version` was sent and confirmed."""
    return Opened(opened.document, version, State.SPREADING, version)
