"""The videos that the library of AI content lists: a page as the platform cuts it, or those with gaps among all of them."""

from collections.abc import Mapping, Sequence
from typing import Final

from dashboard.ai_content import library as rows
from dashboard.ai_content import sync
from dashboard.ai_content.library import GAPS, NONE, Counts, Listed, Shown
from dashboard.platform_api.errors import Unreachable
from dashboard.platform_api.records import Video
from dashboard.shared.entries import Entry, Wanted
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import facts, library, reads
from dashboard.upstream.facts import Fact
from dashboard.upstream.parallel import Late, Ready
from dashboard.upstream.reads import Query, Reads

Lacks = tuple[bool, bool]
"""Whether a video has gaps, and whether it has nothing at all."""


def _lacks(video: Video) -> Lacks:
    row = rows.row_of(video, Ready(video), (), set())
    return row.gaps > 0, row.empty


def _query(video_id: str) -> Query[Lacks]:
    return Query(lambda platform: _lacks(platform.videos.get(video_id)), sync.LIBRARY_SECONDS, shape="lacks AI content")


CONTENT: Final = Fact("ai_content", "videos.get", _query)


def read(request: OwnerRequest, shown: Shown) -> Listed:
    """The page that is asked for. Raises a `PlatformError`."""
    reader, wanted = reads.of(request), Wanted(title=shown.title)
    if shown.show in (GAPS, NONE):
        return _cut(reader, wanted, shown)
    query = library.page_of(wanted, shown.page, rows.PER_PAGE, sync.LIST_SECONDS)
    entries, total, pages = library.value_of(Ready(reader.get(query)))
    everything = library.known_entries(reader, wanted)
    return Listed(
        entries, total, pages, _counts(facts.known(reader, CONTENT), everything) if everything is not None else None
    )


def _cut(reader: Reads, wanted: Wanted, shown: Shown) -> Listed:
    """One page of those that lack something, and after them of those that nobody has looked at."""
    first = library.read_first(reader, wanted, library.waiting())["first"]
    if isinstance(first, Late):
        raise Unreachable("videos.list")
    entries = library.read_rest(reader, wanted, first)
    known = facts.known(reader, CONTENT)
    place = (GAPS, NONE).index(shown.show)
    found = [one for one in entries if one.id in known and known[one.id][place]]
    found += [one for one in entries if one.id not in known]
    begun = (shown.page - 1) * rows.PER_PAGE
    pages = -(-len(found) // rows.PER_PAGE)
    return Listed(found[begun : begun + rows.PER_PAGE], len(found), pages, _counts(known, entries))


def _counts(known: Mapping[str, Lacks], entries: Sequence[Entry]) -> Counts:
    of_these = [known[one.id] for one in entries if one.id in known]
    return Counts(
        videos=len(entries),
        known=len(of_these),
        gaps=sum(has_gaps for has_gaps, _is_empty in of_these),
        empty=sum(is_empty for _has_gaps, is_empty in of_these),
    )
