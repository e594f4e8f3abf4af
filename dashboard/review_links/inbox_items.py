"""The index of an account's inbox: brought up to date with the portal's own rows, filtered, ordered, counted, and who has read it.

A link's version grows with every change of the link, its comments or its decisions, so comparing versions tells which
videos have to be read again: one short query where nothing changed, however many comments there are. What the inbox holds
over all its rows is counted when they change: a page costs the same however many there are.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.db import transaction
from django.db.models import (
    Case,
    Count,
    F,
    Max,
    Min,
    OuterRef,
    PositiveIntegerField,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import CommentStatus, LinkStatus
from dashboard.review_links.models import TITLE_MAX, InboxIndex, InboxItem, InboxReader, InboxReading, LinkReading
from dashboard.shared.addresses import path_of
from dashboard.shared.text import fold, parse_uuid
from review_portal import decisions, messages, owners, sync
from review_portal.models import Comment, Decision, ReviewLink


@dataclass(frozen=True)
class Totals:
    """Numbers of rows by state, by video (in the order of titles) and by who wrote first (most first)."""

    states: Mapping[str, int] = field(default_factory=dict)
    videos: Sequence[tuple[str, int]] = ()
    people: Sequence[tuple[str, int]] = ()


def count_rows(index: InboxIndex, now: datetime) -> None:
    """Write what the index's account has now into `index`, for the version that it shows."""
    rows = InboxItem.objects.filter(account=index.account_id)
    states = {state.value: Count("pk", filter=Q(state=state)) for state in InboxItem.State}
    answerable = Q(state=InboxItem.State.UNANSWERED, until__gt=now)
    counts = rows.aggregate(
        words=Sum("heard"), waits=Count("pk", filter=answerable), closes=Min("until", filter=answerable), **states
    )
    people = sorted(rows.values_list("author").annotate(Count("pk")), key=lambda row: (-row[1], row[0]))
    by_title = rows.values_list("title", "video_id").annotate(Count("pk")).order_by("title", "video_id")
    videos = [(str(video_id), count) for _title, video_id, count in by_title]
    totals = Totals({state: counts[state] for state in states}, videos, people)
    index.totals, index.counted = asdict(totals), index.version
    index.waiting, index.closes = counts["waits"], counts["closes"]
    index.heard = f"{sum(totals.states.values())}-{counts['words'] or 0}"


def load_totals(account: Account) -> tuple[InboxIndex, Totals]:
    """The account's index as it was counted last; an account without links has an empty one."""
    index = InboxIndex.objects.filter(account=account).defer("videos").first() or InboxIndex(account=account)
    return index, Totals(**(index.totals or {}))


FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
"""How long a link is open of which nobody knows when it closes."""
VIDEOS_AT_ONCE = 100
UPDATED = (
    "link", "title", "author", "text", "words", "time", "state", "replies", "created_at", "heard", "news_at", "until",
)  # fmt: skip
COLUMNS = (
    "comment_id", "link_id", "user_name", "text", "status", "time", "reply_to", "created_at", "written_at",
    "reviewer_id", "reviewer__account_id", "link__video_id",
)  # fmt: skip


class CommentRow(NamedTuple):
    """A comment or a reply in the copy of one link."""

    comment_id: uuid.UUID
    link_id: uuid.UUID
    user_name: str
    text: str
    status: str
    time: int
    reply_to: uuid.UUID | None
    created_at: datetime | None
    written_at: datetime
    reviewer_id: uuid.UUID | None
    account_id: uuid.UUID | None
    video_id: uuid.UUID

    @property
    def at(self) -> datetime:
        return self.created_at or self.written_at


def refresh(account: Account) -> None:
    """Read again what changed since the index was made, and nothing else."""
    if not _load_standings([account])[account.pk].is_current:
        _update(account)


def _update(account: Account) -> None:
    with transaction.atomic():
        index = InboxIndex.objects.select_for_update().get_or_create(account=account)[0]
        links = list(ReviewLink.objects.filter(accounts=account).only("video_id", "version", "known_since"))
        version, current = _join_versions(links), _group_versions(links)
        now, is_counted = timezone.now(), index.counted == version
        if index.version == version and is_counted and not _is_past(index.closes, now):
            return  # another request did it while this one waited
        stale = [uuid.UUID(video) for video, last in current.items() if index.videos.get(video) != last]
        gone = [uuid.UUID(video) for video in index.videos if video not in current]
        InboxItem.objects.filter(account=account, video_id__in=gone).delete()
        for begin in range(0, len(stale), VIDEOS_AT_ONCE):
            _index_videos(account, stale[begin : begin + VIDEOS_AT_ONCE], set(index.videos))
        index.version, index.videos = version, current
        count_rows(index, now)
        index.save()


def load_heard(account: Account) -> str:
    """What a page compares to tell whether others have written something since."""
    return InboxIndex.objects.filter(account=account).values_list("heard", flat=True).first() or ""


class Standing(NamedTuple):
    """The account's links as they are, the version that the index shows, and how many of its comments wait."""

    links: int
    versions: int | None
    newest: datetime | None
    indexed: str | None
    counted: str | None
    closes: datetime | None
    waiting: int | None
    left: int | None
    """How much of the library is not looked through for links, at least; None where that has not begun."""

    @property
    def is_current(self) -> bool:
        """Whether nothing changed since the index was made, and no link of it closed."""
        version = _format_version(self.links, self.versions or 0, self.newest)
        if self.indexed is None and version == _format_version(0, 0, None):
            return True
        return self.indexed == self.counted == version and not _is_past(self.closes, timezone.now())


def load_waiting(account: Account) -> tuple[int, bool]:
    """How many comments wait for the owner, and whether there may be more, because the library is still looked through.

    One short query where nothing changed, because every page asks.
    """
    standing = _load_current([account])[account.pk]
    return standing.waiting or 0, standing.left != 0 and sync.is_readable()


def count_waiting(accounts: Sequence[Account]) -> dict[uuid.UUID, int]:
    """How many wait for each of these accounts, by its id: one query where nothing changed in any of them.

    An account whose library is just being looked through is left out: its number is not known yet.
    """
    standings = _load_current(accounts)
    return {account_id: standing.waiting or 0 for account_id, standing in standings.items() if not standing.left}


def _load_current(accounts: Sequence[Account]) -> dict[uuid.UUID, Standing]:
    """The standings of these accounts, their indexes brought up to date."""
    standings = _load_standings(accounts)
    old = [account for account in accounts if not standings[account.pk].is_current]
    for account in old:
        _update(account)
    if old:
        standings |= _load_standings(old)
    return standings


def _load_standings(accounts: Sequence[Account]) -> dict[uuid.UUID, Standing]:
    indexes = InboxIndex.objects.filter(account=OuterRef("pk"))
    begun = When(
        Q(next_at=None) | ~Q(reason=""), videos=0, then=Value(1, PositiveIntegerField())
    )  # nothing is listed yet
    lefts = LinkReading.objects.filter(account=OuterRef("pk")).annotate(at_least=Case(begun, default=F("left")))
    indexed = [Subquery(indexes.values(name)[:1]) for name in ("version", "counted", "closes", "waiting")]
    rows = Account.objects.filter(pk__in=[account.pk for account in accounts]).annotate(
        left=Subquery(lefts.values("at_least")[:1]),
        links=Count("review_links"),
        versions=Sum("review_links__version"),
        newest=Max("review_links__known_since"),
    )
    values = rows.values_list("pk", "links", "versions", "newest", *indexed, "left")
    return {account_id: Standing(*figures) for account_id, *figures in values}


def _is_past(closes: datetime | None, now: datetime) -> bool:
    return closes is not None and closes <= now


def _join_versions(links: Collection[ReviewLink]) -> str:
    newest = max((link.known_since for link in links), default=None)
    return _format_version(len(links), sum(link.version for link in links), newest)


def _format_version(count: int, versions: int, newest: datetime | None) -> str:
    """Versions only grow, so their sum stays the same only where another link takes the place of one: that one is newer."""
    return f"{count} {versions} {newest.isoformat() if newest else ''}"


def _group_versions(links: Iterable[ReviewLink]) -> dict[str, str]:
    by_video: dict[str, list[ReviewLink]] = defaultdict(list)
    for link in links:
        by_video[str(link.video_id)].append(link)
    return {video: _join_versions(group) for video, group in by_video.items()}


def _index_videos(account: Account, videos: Collection[uuid.UUID], known: Collection[str]) -> None:
    """Write the rows of these videos anew; those of `known` videos were here before, so what is new in them is news."""
    by_video: dict[uuid.UUID, list[ReviewLink]] = {video: [] for video in videos}
    for link in owners.list_links_of_videos(account, videos):
        by_video[link.video_id].append(link)
    comments = _load_comments([link for group in by_video.values() for link in group])
    before = {item.item_id: item for item in _list_items(account, videos)}
    now, items = timezone.now(), []
    for video, group in by_video.items():
        built = [*_build_comments(group, comments[video]), *_build_decisions(group)]
        for item in built:
            item.account, item.video_id = account, video
            item.news_at = _find_news_at(item, before.get(item.item_id), now, is_known=str(video) in known)
        items += built
    current = {item.item_id for item in items}
    _list_items(account, videos).filter(item_id__in=before.keys() - current).delete()
    InboxItem.objects.bulk_create(
        items,
        batch_size=200,
        update_conflicts=True,
        unique_fields=["account", "item_id"],
        update_fields=["video_id", *UPDATED],
    )


def _list_items(account: Account, videos: Collection[uuid.UUID]) -> QuerySet[InboxItem]:
    return InboxItem.objects.filter(account=account, video_id__in=videos)


def _find_news_at(item: InboxItem, before: InboxItem | None, now: datetime, *, is_known: bool) -> datetime:
    """When the newest word of others came. The platform's time would be over before a late read brings it."""
    if before is None:
        return now if is_known else item.news_at
    return now if item.heard > before.heard else before.news_at


def _load_comments(links: Collection[ReviewLink]) -> dict[uuid.UUID, dict[uuid.UUID, list[CommentRow]]]:
    """By video and comment its copies, the one that changed last at the end."""
    rows = Comment.objects.filter(link__in=links).order_by("updated_at", "written_at").values_list(*COLUMNS)
    comments: dict[uuid.UUID, dict[uuid.UUID, list[CommentRow]]] = defaultdict(lambda: defaultdict(list))
    for values in rows:
        row = CommentRow._make(values)
        comments[row.video_id][row.comment_id].append(row)
    return comments


def _build_comments(links: list[ReviewLink], copies: dict[uuid.UUID, list[CommentRow]]) -> list[InboxItem]:
    replies: dict[uuid.UUID, list[CommentRow]] = defaultdict(list)
    for rows in copies.values():
        if rows[-1].reply_to is not None:
            replies[rows[-1].reply_to].append(rows[-1])
    owners = {key for key, rows in copies.items() if any(row.account_id for row in rows)}
    tops = [rows for rows in copies.values() if rows[-1].reply_to is None]
    return [_build_comment(links, rows, replies[rows[-1].comment_id], owners) for rows in tops]


def _build_comment(
    links: list[ReviewLink], copies: list[CommentRow], replies: list[CommentRow], owners: Collection[uuid.UUID]
) -> InboxItem:
    """A row out of the copies of a comment and its replies; `owners`: comments that were written at an owner's desk."""
    first, shown_by = copies[-1], {row.link_id for row in copies}
    thread = sorted([first, *replies], key=lambda row: row.at)
    others = [row for row in thread if row.comment_id not in owners]
    written_through = next((row.link_id for row in copies if row.reviewer_id), None)
    link = next(
        (link for link in links if link.pk == written_through), next(link for link in links if link.pk in shown_by)
    )
    return InboxItem(
        item_id=first.comment_id,
        link=link,
        title=_get_title(link),
        author=first.user_name,
        text=first.text,
        words=fold(" ".join([_get_title(link), link.name, *(f"{row.user_name} {row.text}" for row in thread)])),
        time=first.time,
        state=_get_state(first, is_waiting=thread[-1].comment_id not in owners),
        replies=len(replies),
        created_at=first.at,
        heard=len(others),
        news_at=max((row.at for row in others), default=first.at),
        until=_find_until(links),
    )


def _get_state(first: CommentRow, *, is_waiting: bool) -> InboxItem.State:
    if first.status == CommentStatus.RESOLVED or first.text in messages.list_withdrawal_texts():
        return InboxItem.State.RESOLVED
    return InboxItem.State.UNANSWERED if is_waiting else InboxItem.State.ANSWERED


def _build_decisions(links: list[ReviewLink]) -> list[InboxItem]:
    decided = decisions.list_decisions_of(links)
    return [_build_decision(link, decision) for link in links for decision in decided if decision.link_id == link.pk]


def _build_decision(link: ReviewLink, decision: Decision) -> InboxItem:
    title = _get_title(link)
    return InboxItem(
        item_id=decision.reviewer_id,
        link=link,
        title=title,
        author=decision.name,
        text=decision.note,
        words=fold(f"{title} {link.name} {decision.name} {decision.note}"),
        state=decision.verdict,
        created_at=decision.made_at,
        heard=decision.pk,
        news_at=decision.made_at,
    )


def _get_title(link: ReviewLink) -> str:
    return fold(str(link.video.get("title") or ""))[:TITLE_MAX]


def _find_until(links: list[ReviewLink]) -> datetime | None:
    """How long there is a link of the video through which the owner can answer or resolve."""
    allowing = [
        link.expires_at or FOREVER
        for link in links
        if link.status == LinkStatus.ACTIVE and (link.allow_comment or link.allow_status_edit)
    ]
    return max(allowing, default=None)


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
    titles, (_index, totals) = owners.load_video_titles(account), load_totals(account)
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
