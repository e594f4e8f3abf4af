"""Which rows an inbox shows, in which order and on which page, all in the address; and who has read them."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlencode

from django.db import transaction
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from dashboard.accounts.models import Account
from dashboard.review_links.inbox.totals import load_totals
from dashboard.review_links.models import InboxIndex, InboxItem, InboxReader, InboxReading
from dashboard.shared.addresses import path_of
from dashboard.shared.text import fold, parse_uuid
from review_portal import owner_queries

PER_PAGE: Final = 30
PAGE_DIGITS: Final = 4
QUERY_MAX: Final = 200
LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
State = InboxItem.State
DECISIONS: Final = (State.APPROVED, State.CHANGES, State.ROUND)


class InboxShow(StrEnum):
    """What a list is narrowed to."""

    UNANSWERED = "unanswered"
    UNREAD = "unread"
    DECISIONS = "decisions"
    OPEN = "open"
    RESOLVED = "resolved"
    ALL = "all"


class InboxSort(StrEnum):
    """Orders of the list."""

    VIDEO = "video"
    NEWEST = "newest"
    PERSON = "person"


ORDERS: Final[Mapping[InboxSort, tuple[str, ...]]] = {
    InboxSort.VIDEO: ("title", "video_id", "time", "item_id"),
    InboxSort.NEWEST: ("-created_at", "item_id"),
    InboxSort.PERSON: ("author", "title", "video_id", "time", "item_id"),
}


@dataclass(frozen=True)
class InboxFilter:
    """What the address asks for; what cannot be understood counts as not asked for."""

    show: InboxShow = InboxShow.UNANSWERED
    video: uuid.UUID | None = None
    by: str = ""
    query: str = ""
    sort: InboxSort = InboxSort.VIDEO
    page: int = 0
    """0: the page that the open row is on, else the first."""

    @property
    def narrows(self) -> bool:
        """Whether it leaves out more than a chip does."""
        return bool(self.video or self.by or self.query)

    def build_query(self, **changes: Any) -> str:
        """What stands behind the address, "" or from `?` on; any change but of the page leads to the first page."""
        other = replace(self, **({"page": 0} | changes if changes else {}))
        query = {
            "show": other.show.value if other.show != InboxShow.UNANSWERED else "",
            "video": str(other.video or ""),
            "by": other.by,
            "q": other.query,
            "sort": other.sort.value if other.sort != InboxSort.VIDEO else "",
            "page": str(other.page) if other.page > 1 else "",
        }
        encoded = urlencode({name: value for name, value in query.items() if value})
        return f"?{encoded}" if encoded else ""

    def address(self, **changes: Any) -> str:
        """The address of the same list with something changed."""
        return path_of("review_links:inbox") + self.build_query(**changes)

    def item_address(self, item_id: uuid.UUID) -> str:
        """The address of one row with this list beside it."""
        return path_of("review_links:inbox_item", item_id) + self.build_query()


def parse_filter(query: Mapping[str, str]) -> InboxFilter:
    """The filter that an address asks for."""
    shows = {show.value: show for show in InboxShow}
    sorts = {sort.value: sort for sort in InboxSort}
    page = query.get("page", "")
    return InboxFilter(
        show=shows.get(query.get("show", ""), InboxShow.UNANSWERED),
        video=parse_uuid(query.get("video", "")),
        by=query.get("by", "").replace("\0", "")[:255],
        query=" ".join(query.get("q", "").replace("\0", "").split())[:QUERY_MAX],
        sort=sorts.get(query.get("sort", ""), InboxSort.VIDEO),
        page=int(page) if page.isascii() and page.isdigit() and len(page) <= PAGE_DIGITS else 0,
    )


@dataclass(frozen=True)
class Desk:
    """One person at an account's desk, and the moment at which they look."""

    account: Account
    person: str
    now: datetime

    def items(self) -> "QuerySet[InboxItem]":
        """The account's rows, each with `read_at`: up to which news this person has read it."""
        readings = InboxReading.objects.filter(account=self.account, person=self.person, item_id=OuterRef("item_id"))
        read_at = Coalesce(Subquery(readings.values("read_at")[:1]), Value(self._load_read_until()))
        return InboxItem.objects.filter(account=self.account).annotate(read_at=read_at)

    def _load_read_until(self) -> datetime:
        readers = InboxReader.objects.filter(account=self.account, person=self.person)
        return readers.values_list("read_until", flat=True).first() or LONG_AGO

    def condition(self, show: InboxShow) -> Q:
        """Which rows a chip shows. What no link lets the owner answer or resolve any more is not unanswered."""
        return {
            InboxShow.UNANSWERED: Q(state=State.UNANSWERED, until__gt=self.now),
            InboxShow.UNREAD: Q(news_at__gt=F("read_at")),
            InboxShow.DECISIONS: Q(state__in=DECISIONS),
            InboxShow.OPEN: Q(state__in=(State.UNANSWERED, State.ANSWERED)),
            InboxShow.RESOLVED: Q(state=State.RESOLVED),
            InboxShow.ALL: Q(),
        }[show]

    def select(self, criteria: InboxFilter) -> "QuerySet[InboxItem]":
        """The rows that an address asks for, in its order."""
        rows = _narrow(self.items(), criteria).filter(self.condition(criteria.show))
        return rows.order_by(*ORDERS[criteria.sort])

    def load_page(self, criteria: InboxFilter, page: int) -> list[InboxItem]:
        """The rows of one page with their links. Those before and behind them are passed by in the index, not read."""
        keys = self.select(criteria).values_list("pk", flat=True)[(page - 1) * PER_PAGE : page * PER_PAGE]
        rows = self.items().select_related("link").in_bulk(list(keys))
        return [rows[key] for key in keys if key in rows]

    def count(self, criteria: InboxFilter) -> dict[InboxShow, int]:
        """By chip, how many rows it would show of those that the rest of the address asks for."""
        if not criteria.narrows:
            return self._load_counts()
        chips = {show.value: Count("pk", filter=self.condition(show)) for show in InboxShow if show != InboxShow.ALL}
        totals = _narrow(self.items(), criteria).aggregate(all=Count("pk"), **chips)
        return {show: totals[show.value] for show in InboxShow}

    def _load_counts(self) -> dict[InboxShow, int]:
        index, totals = load_totals(self.account)
        states = {state: totals.states.get(state.value, 0) for state in State}
        return {
            InboxShow.UNANSWERED: index.waiting,
            InboxShow.UNREAD: self._load_unread(index),
            InboxShow.DECISIONS: sum(states[state] for state in DECISIONS),
            InboxShow.OPEN: states[State.UNANSWERED] + states[State.ANSWERED],
            InboxShow.RESOLVED: states[State.RESOLVED],
            InboxShow.ALL: sum(states.values()),
        }

    def _load_unread(self, index: InboxIndex) -> int:
        """How many rows this person has not read: counted again after a mark of theirs and after a change.

        Also after everything was marked as read by a version of this program that keeps no count.
        """
        reader = self._get_reader()
        counted = f"{index.version} {reader.read_until.timestamp():.6f}"
        if reader.unread is not None and reader.counted == counted:
            return reader.unread
        unread = self.items().filter(self.condition(InboxShow.UNREAD)).count()
        unmarked = InboxReader.objects.filter(pk=reader.pk, marks=reader.marks)
        unmarked.update(unread=unread, counted=counted)
        return unread

    def find_item(self, item_id: uuid.UUID) -> InboxItem:
        """One row. Raises `InboxItem.DoesNotExist` for everything that is not in the account's inbox."""
        return self.items().select_related("link").get(item_id=item_id)

    def count_before(self, criteria: InboxFilter, item: InboxItem) -> int:
        """How many rows of the list stand before `item`, whether or not it is in the list itself."""
        return self.select(criteria).filter(_before(criteria.sort, item)).count()

    def find_previous(self, criteria: InboxFilter, item: InboxItem) -> InboxItem | None:
        """The row of the list before `item`."""
        return self.select(criteria).filter(_before(criteria.sort, item)).reverse().first()

    def find_next(self, criteria: InboxFilter, item: InboxItem) -> InboxItem | None:
        """The row of the list after `item`; after the last one the first of those that are left."""
        rows = self.select(criteria).exclude(item_id=item.item_id)
        return rows.filter(~_before(criteria.sort, item)).first() or rows.first()

    def mark_read(self, items: Iterable[InboxItem]) -> None:
        """This person has read what there is of these rows now."""
        self._save_readings((item.item_id, item.news_at) for item in items)

    def mark_unread(self, items: Iterable[InboxItem]) -> None:
        """These rows count as unread for this person until they are opened."""
        self._save_readings((item.item_id, LONG_AGO) for item in items)

    def mark_all_read(self, until: datetime) -> None:
        """This person has read everything that came until the page was drawn from which they say so."""
        account, person, until = self.account, self.person, min(until, self.now)
        with transaction.atomic():
            InboxReading.objects.filter(account=account, person=person, read_at__lte=until).delete()
            reader = self._get_reader()
            # A page that was drawn earlier does not make unread what was read since.
            InboxReader.objects.filter(pk=reader.pk, read_until__lt=until).update(read_until=until)
            self._forget_count()

    def _save_readings(self, readings: Iterable[tuple[uuid.UUID, datetime]]) -> None:
        rows = [
            InboxReading(account=self.account, person=self.person, item_id=item_id, read_at=read_at)
            for item_id, read_at in readings
        ]
        with transaction.atomic():
            InboxReading.objects.bulk_create(
                rows, update_conflicts=True, unique_fields=["account", "person", "item_id"], update_fields=["read_at"]
            )
            self._forget_count()

    def _get_reader(self) -> InboxReader:
        return InboxReader.objects.get_or_create(
            account=self.account, person=self.person, defaults={"read_until": LONG_AGO}
        )[0]

    def _forget_count(self) -> None:
        readers = InboxReader.objects.filter(account=self.account, person=self.person)
        readers.update(marks=F("marks") + 1, unread=None)


def is_unread(item: InboxItem) -> bool:
    """Whether there are words in a row that its reader has not opened: `item` comes from a `Desk`."""
    read_at: datetime = item.read_at  # type: ignore[attr-defined]  # annotated by the query
    return item.news_at > read_at


def get_news_address() -> str:
    """Where a page asks whether others wrote something."""
    return path_of("review_links:inbox_news")


def load_choices(account: Account) -> tuple[list[tuple[str, str, int]], Sequence[tuple[str, int]]]:
    """The videos of the account's inbox by title (id, title and number of rows), and who wrote (most first)."""
    titles, (_index, totals) = owner_queries.load_video_titles(account), load_totals(account)
    return [(video_id, titles.get(video_id, ""), count) for video_id, count in totals.videos], totals.people


def _narrow(rows: "QuerySet[InboxItem]", criteria: InboxFilter) -> "QuerySet[InboxItem]":
    if criteria.video:
        rows = rows.filter(video_id=criteria.video)
    if criteria.by:
        rows = rows.filter(author=criteria.by)
    for word in fold(criteria.query).split():
        rows = rows.filter(words__contains=word)
    return rows


def _before(sort: InboxSort, item: InboxItem) -> Q:
    """Which rows stand before `item` in an order: equal in the first columns, and before it in the next."""
    condition, same = Q(pk__in=()), Q()
    for column in ORDERS[sort]:
        name, descends = column.removeprefix("-"), column.startswith("-")
        value = getattr(item, name)
        condition |= same & Q(**{f"{name}__{'gt' if descends else 'lt'}": value})
        same &= Q(**{name: value})
    return condition
