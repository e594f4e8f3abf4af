"""Merge drafts with a file that somebody else has changed."""

from dataclasses import dataclass

from dashboard.ai_content import drafts
from dashboard.ai_content.models import Draft, get_content, unpack
from dashboard.ai_content.rules.difference import Change, list_changes
from dashboard.ai_content.rules.merge import Conflict, Side, merge_packages
from dashboard.ai_content.rules.package import Block, Package, get_part
from dashboard.ai_content.versions.store import OpenedLanguage


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
    return BlockMerge(block, draft, list_changes(old, mine), merged.conflicts, merged.value)


def settle_clash(clash: Clash) -> None:
    """Move the drafts to the current version, with the merged values."""
    for each in clash.blocks:
        drafts.rebase_draft(each.draft, clash.opened.version.blob, each.value)
