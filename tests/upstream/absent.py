"""Platforms that do not have reads which are only assumed."""

from types import ModuleType

READS = ("get", "list")


def take_reads(faults: ModuleType, group: str, status: int = 404, reads: tuple[str, ...] = READS) -> None:
    """The platform answers `status` to the reads of `group`, as to addresses that it does not have.

    Where a live can be read neither alone nor in the list, it has no public file either.
    """
    files = ("public_files.live",) if group == "lives" and reads == READS else ()
    for operation in (*(f"{group}.{read}" for read in reads), *files):
        faults.set(operation, status=status)
