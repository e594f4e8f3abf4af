"""Parts of a video in whole seconds, the ends not included: read, joined, counted, and what lies between them. Pure."""

import re
from collections.abc import Iterable
from typing import Final

Span = tuple[int, int]

SPANS_MOST: Final = 400
"""Spans that are kept of one reviewer: whoever watches in more pieces has the last ones left out."""
_SPAN: Final = re.compile(r"(\d{1,7})-(\d{1,7})", re.ASCII)
_TEXT_MOST: Final = 20_000


def parse_spans(text: str, last_second: int | None) -> list[Span]:
    """`0-12,40-61` as spans within the video; what is none is left out."""
    pairs = [(int(start), int(end)) for start, end in _SPAN.findall(text[:_TEXT_MOST])]
    most = None if last_second is None else last_second + 1
    return [(start, end if most is None else min(end, most)) for start, end in pairs if most is None or start < most]


def join_spans(*groups: Iterable[Span]) -> list[Span]:
    """All of them in order, those that touch as one."""
    joined: list[Span] = []
    for start, end in sorted(span for group in groups for span in group):
        if end <= start:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined[:SPANS_MOST]


def count_seconds(spans: Iterable[Span]) -> int:
    """How long they are together, where none overlaps."""
    return sum(end - start for start, end in spans)


def list_gaps(spans: Iterable[Span], length: int, least: int = 2) -> list[Span]:
    """What of the video lies in none of the joined spans, from `least` seconds on."""
    gaps, at = [], 0
    for start, end in [*spans, (length, length)]:
        if min(start, length) - at >= least:
            gaps.append((at, min(start, length)))
        at = max(at, end)
    return gaps
