"""Platforms that do not have reads which are only assumed."""

from types import ModuleType

READS = ("get", "list")


def take_reads(faults: ModuleType, group: str, status: int = 404, reads: tuple[str, ...] = READS) -> None:
    """The platform answers `status` to the reads of `group`, as to addresses that it does not have."""
    for read in reads:
        faults.set(f"{group}.{read}", status=status)
