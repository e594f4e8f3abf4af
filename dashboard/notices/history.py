"""What happened in an account, as lines: news of review links, refused writes, and what features tell; and what of it is new.

Everything is asked of our own database. What happens is written down once, for whom it concerns, and e-mails about it are planned in
the same transaction.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts.models import Account
from dashboard.activity import recorder
from dashboard.notices import mailing, registry, webhooks
from dashboard.notices.models import Notice, NoticeReader, Subscription, Webhook
from dashboard.notices.registry import TELLERS, News, NewsKind, Place, Told
from dashboard.notices.subscriptions import list_of_account
from dashboard.shared import formats

KEPT: Final = timedelta(days=7)
"""What is older is in Activity, and on the pages of the links."""
MOST: Final = 50
NAMED: Final = 2
LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    """A line, and whether the person has not seen it."""

    told: Told
    is_new: bool


def get_seen_at(account: Account, person: str) -> datetime:
    """When this person last marked the notices of the account as read."""
    seen = NoticeReader.objects.filter(account=account, person=person).values_list("seen_at", flat=True).first()
    return seen or LONG_AGO


def mark_seen(account: Account, person: str) -> None:
    """Everything up to now is read."""
    NoticeReader.objects.update_or_create(account=account, person=person, defaults={"seen_at": timezone.now()})


def list_lines(account: Account, person: str, most: int = MOST) -> list[Line]:
    """The lines of the last days, newest first."""
    since, seen_at = timezone.now() - KEPT, get_seen_at(account, person)
    told = [
        *_list_news(account, since, seen_at, most),
        *_list_refused(account, since),
        *_list_of_features(account, since),
    ]
    lines = [Line(item, (item.noted_at or item.at) > seen_at) for item in told]
    return sorted(lines, key=lambda line: line.told.at, reverse=True)[:most]


def count_new(account: Account, person: str) -> int:
    """How many lines this person has not seen."""
    since = timezone.now() - KEPT
    seen_at = get_seen_at(account, person)
    new = Notice.objects.filter(account=account, created_at__gt=max(since, seen_at)).values_list("scope", "ref")
    lines = {(scope, ref if _is_apart(ref) else "") for scope, ref in new}
    others = [*_list_refused(account, since), *_list_of_features(account, since)]
    return min(MOST, len(lines) + sum((told.noted_at or told.at) > seen_at for told in others))


def _list_of_features(account: Account, since: datetime) -> Iterator[Told]:
    for teller in TELLERS.values():
        yield from teller(account, since)


def _list_refused(account: Account, since: datetime) -> Iterator[Told]:
    for write in recorder.list_refused(account.pk, since, MOST):
        title = _("Refused: %(what)s") % {"what": ", ".join(filter(None, (write.operation, write.label)))}
        yield Told(write.at, "error", shape="error", title=title, address=write.address)


def _is_apart(ref: str) -> bool:
    """Whether it is a line of its own: the comments of a link are one."""
    return ref.startswith(NewsKind.DECISION)  # a withdrawal is one as well


def _list_news(account: Account, since: datetime, seen_at: datetime, most: int) -> Iterator[Told]:
    """The comments of a link as one line for what is new and one for what was seen; each decision by itself."""
    groups: dict[tuple[str, str, str, bool], list[Notice]] = {}
    for notice in Notice.objects.filter(account=account, created_at__gt=since).order_by("-at")[: MOST * 10]:
        apart = notice.ref if _is_apart(notice.ref) else ""
        groups.setdefault((notice.source, notice.scope, apart, notice.created_at > seen_at), []).append(notice)
    newest = dict(list(groups.items())[:most])
    places = {scope: registry.find_place(scope, account) for scope in {scope for _source, scope, *_rest in newest}}
    words = _load_words(account, [notice for notices in newest.values() for notice in notices])
    for (_source, scope, apart, _new), notices in newest.items():
        place = places[scope]
        if place is not None:
            refs = {notice.ref for notice in notices}
            yield _build_told(
                notices, [item for item in words[scope] if item.ref in refs], place, is_decision=bool(apart)
            )


def _load_words(account: Account, notices: list[Notice]) -> dict[str, list[News]]:
    """What the notices are about, by scope and in the order of time: each link is asked once."""
    refs: dict[tuple[str, str], list[str]] = {}
    for notice in notices:
        refs.setdefault((notice.source, notice.scope), []).append(notice.ref)
    words: dict[str, list[News]] = {scope: [] for _source, scope in refs}
    for (source, scope), names in refs.items():
        if source in registry.SOURCES:
            words[scope] += registry.SOURCES[source].load_news(scope, names, account, "")
    return {scope: sorted(news, key=lambda item: item.at) for scope, news in words.items()}


def _build_told(notices: list[Notice], news: list[News], place: Place, *, is_decision: bool) -> Told:
    title = _describe_decision(news, place) if is_decision else _describe_comments(news, place, len(notices))
    shape = "open" if not is_decision else (news[0].shape if news else "none")
    noted_at = max(notice.created_at for notice in notices)
    address = news[0].address if len(news) == 1 else place.address
    return Told(notices[0].at, shape, shape=shape, title=title, address=address, noted_at=noted_at)


def _describe_decision(news: list[News], place: Place) -> str:
    if not news:
        sentence = _("Decision withdrawn on “%(link)s”") if place.is_open else _("New decision on “%(link)s”")
        return sentence % {"link": place.name}
    values = {"name": news[0].writer, "verdict": news[0].verdict, "title": place.name}
    if news[0].kind == NewsKind.WITHDRAWAL:
        return _("%(name)s withdrew the decision on “%(title)s”: %(verdict)s") % values
    return _("%(name)s decided on “%(title)s”: %(verdict)s") % values


def _describe_comments(news: list[News], place: Place, count: int) -> str:
    values = {"count": formats.number(count), "link": place.name}
    if not news:
        return ngettext("%(count)s new comment on “%(link)s”", "%(count)s new comments on “%(link)s”", count) % values
    names = list(dict.fromkeys(item.writer for item in news))
    values["names"] = formats.named(names, NAMED)
    return (
        ngettext("%(names)s: %(count)s comment on “%(link)s”", "%(names)s: %(count)s comments on “%(link)s”", count)
        % values
    )


@dataclass(frozen=True)
class Happening:
    """Something that happened: `accounts` and the reviewers (`people`) whom it concerns; never who did it."""

    source: str
    scope: str
    ref: str
    at: datetime
    accounts: Collection[UUID] = ()
    people: Collection[str] = ()


def record(happenings: Iterable[Happening]) -> None:
    """Write down what is new, and plan its e-mails. The same again changes nothing."""
    happenings = list(happenings)
    subscriptions = _load_subscriptions(happenings)
    with transaction.atomic():
        Notice.objects.bulk_create(
            [notice for happening in happenings for notice in _build_notices(happening, subscriptions)],
            ignore_conflicts=True,
        )
        webhooks.plan(
            {account_id for happening in happenings for account_id in happening.accounts},
            {happening.ref for happening in happenings},
        )
        for subscription in _list_concerned(happenings, subscriptions):
            mailing.plan(subscription)


def list_subscribers(scope: str) -> set[str]:
    """The reviewers of a link whose address is on."""
    rows = Subscription.objects.filter(account=None, scope=scope, stopped_at=None).exclude(confirmed_at=None)
    return set(rows.values_list("person", flat=True))


def was_told(source: str, ref: str) -> bool:
    """Whether somebody heard of it: by an e-mail, on the page of notices, or through a webhook."""
    notices = Notice.objects.filter(source=source, ref=ref)
    read = NoticeReader.objects.filter(account=OuterRef("account"), seen_at__gte=OuterRef("created_at"))
    posted = Webhook.objects.filter(account=OuterRef("account"))
    return notices.filter(Q(mails__isnull=False) | Exists(read) | Exists(posted)).exists()


def _load_subscriptions(happenings: Iterable[Happening]) -> dict[tuple[str, str], Subscription]:
    scopes = {happening.scope for happening in happenings if happening.people}
    rows = Subscription.objects.filter(account=None, scope__in=scopes)
    return {(row.scope, row.person): row for row in rows}


def _build_notices(happening: Happening, subscriptions: dict[tuple[str, str], Subscription]) -> Iterable[Notice]:
    same = {"source": happening.source, "scope": happening.scope, "ref": happening.ref, "at": happening.at}
    for account_id in happening.accounts:
        yield Notice(account_id=account_id, **same)
    for person in happening.people:
        if subscription := subscriptions.get((happening.scope, person)):
            yield Notice(subscription=subscription, **same)


def _list_concerned(
    happenings: Iterable[Happening], subscriptions: dict[tuple[str, str], Subscription]
) -> Iterable[Subscription]:
    people = {(happening.scope, person) for happening in happenings for person in happening.people}
    yield from (row for key, row in subscriptions.items() if key in people)
    for account_id in {account_id for happening in happenings for account_id in happening.accounts}:
        yield from list_of_account(account_id)
