"""E-mails in words: the confirmation, what is new, and a test; as text and as HTML, in the reader's language and zone.

A mail program loads no style sheet, so the tokens of `static/css/tokens.css` are written as hex. What links name is signed, so that
nobody makes one up: a confirmation is for one asking, works once and expires; the link that stops works as long as the address is here.
"""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from urllib.parse import urljoin, urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

from django.core import signing
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts import identity
from dashboard.notices import registry
from dashboard.notices.models import Mail, Notice, Subscription
from dashboard.notices.registry import LETTERS, News, NewsKind, Place
from dashboard.notices.rules import CONFIRMABLE, Every
from dashboard.shared import formats
from dashboard.shared.text import parse_uuid

STYLE: Final = """
:root{color-scheme:light dark}
body{margin:0;padding:24px 12px;background:#f3f7f8;color:#152025}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Arial,sans-serif}
.mail{max-width:560px;margin:0 auto;padding:24px;background:#fdfefe;border:1px solid #dbe1e2;border-radius:10px}
.brand{margin:0 0 16px;font-weight:600;color:#3f4b50}
h1{margin:0 0 16px;font-size:20px;line-height:1.25;overflow-wrap:anywhere}
h2{margin:20px 0 6px;font-size:16px;line-height:1.25}
ul{margin:0 0 12px;padding-left:20px}
li{margin:0 0 6px;overflow-wrap:anywhere}
p{margin:0 0 12px;overflow-wrap:anywhere}
a{color:#006672}
.item{margin:0 0 20px}
.quote{padding-left:12px;border-left:3px solid #dbe1e2;color:#3f4b50}
.time{font-weight:600}
.who{margin-bottom:4px;color:#576367;font-size:14px}
.who b{color:#152025}
.owner{padding:1px 6px;border-radius:4px;background:#006370;color:#ffffff;font-size:12px;font-weight:600}
.mail-words{white-space:pre-line}
.go{display:inline-block;padding:12px 20px;border-radius:6px;background:#006370;color:#ffffff}
.go{font-weight:600;text-decoration:none}
.foot{margin-top:24px;padding-top:16px;border-top:1px solid #dbe1e2;color:#576367;font-size:14px}
@media (prefers-color-scheme:dark){
body{background:#0f1518;color:#e9eeee}
.mail{background:#151c1f;border-color:#272f33}
.brand,.quote{color:#bac3c5}
a{color:#70d5db}
.quote,.foot{border-color:#272f33}
.who,.foot{color:#97a2a6}
.who b{color:#e9eeee}
.owner,.go{background:#5dcbd1;color:#02171c}
}
"""
TAG: Final = f"<style>{STYLE}</style>"
SOURCE: Final = "'sha256-" + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode() + "'"
"""What a content security policy says to allow this style and no other."""


CONFIRM = "notices.confirm"
STOP = "notices.stop"


def build_confirmation(subscription: Subscription) -> str:
    """The token that confirms the last asking of this address."""
    return identity.signer(CONFIRM).sign(f"{subscription.pk.hex}-{subscription.nonce}").replace(":", "~")


def build_stop(subscription: Subscription) -> str:
    """The token that stops e-mails to this address."""
    return identity.signer(STOP).sign(subscription.pk.hex).replace(":", "~")


def find_confirmed(token: str) -> Subscription | None:
    """Whose confirmation it is, used or not; None for what nobody signed, and for an earlier asking."""
    value = _unsign(CONFIRM, token)
    key, _dash, nonce = value.partition("-")
    subscription = _find(key)
    return subscription if subscription is not None and nonce and nonce == subscription.nonce else None


def find_stopped(token: str) -> Subscription | None:
    """Whose link to stop it is; None for what nobody signed, and where nothing is kept any more."""
    return _find(_unsign(STOP, token))


def is_expired(subscription: Subscription) -> bool:
    """Whether its confirmation has come too late."""
    return subscription.confirmed_at is None and timezone.now() - subscription.asked_at > CONFIRMABLE


def _unsign(salt: str, token: str) -> str:
    try:
        return identity.signer(salt).unsign(token.replace("~", ":"))
    except signing.BadSignature:
        return ""


def _find(key: str) -> Subscription | None:
    pk = parse_uuid(key)
    return Subscription.objects.select_related("account").filter(pk=pk).first() if pk else None


MOST = 20
"""Things told in full; the others are counted."""
LONGEST_SUBJECT = 180
DECISIONS: Final = frozenset({NewsKind.DECISION, NewsKind.WITHDRAWAL})


@dataclass(frozen=True)
class Letter:
    """An e-mail as it leaves."""

    subject: str
    text: str
    html: str
    headers: dict[str, str]


@dataclass(frozen=True)
class LetterItem:
    """One thing that happened."""

    place: str
    quote: str
    quoted: str
    author: str
    mark: str
    when: str
    text: str
    clock: str
    address: str


@dataclass(frozen=True)
class LetterPage:
    """notices/mail.html and `_write_text`."""

    language: str
    title: str
    paragraphs: tuple[str, ...] = ()
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    items: tuple[LetterItem, ...] = ()
    more: str = ""
    button: str = ""
    button_address: str = ""
    reasons: tuple[str, ...] = ()
    stop: str = ""
    stop_address: str = ""
    rarer: str = ""
    style: SafeString = field(default=mark_safe(TAG))  # noqa: S308  (a constant of ours)


def build_letter(mail: Mail, notices: Sequence[Notice]) -> Letter | None:
    """The e-mail as it is now, about `notices`; None where nothing of them may be said any more."""
    subscription = mail.subscription
    with translation.override(subscription.language), timezone.override(ZoneInfo(subscription.zone)):
        page = _build_page(mail, notices)
        if page is None:
            return None
        html = render_to_string("notices/mail.html", {"page": page})
        subject = " ".join(page.title.split())[:LONGEST_SUBJECT]
        return Letter(subject, _write_text(page), html, _build_headers(mail, page))


def _build_page(mail: Mail, notices: Sequence[Notice]) -> LetterPage | None:
    if mail.kind == Mail.Kind.CONFIRM:
        return _build_confirmation(mail.subscription)
    if mail.kind == Mail.Kind.TEST:
        return _build_test(mail.subscription)
    if mail.kind == Mail.Kind.LETTER:
        return _build_of_feature(mail)
    return _build_news(mail.subscription, notices)


def _build_headers(mail: Mail, page: LetterPage) -> dict[str, str]:
    """One press stops them (RFC 8058). The same e-mail has the same identity, whoever may have sent it twice."""
    host = urlsplit(mail.subscription.origin).hostname or "reelroom.invalid"
    return {
        "List-Unsubscribe": f"<{page.stop_address}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
        "Message-ID": f"<{mail.pk}@{host}>",
    }


def _build_confirmation(subscription: Subscription) -> LetterPage:
    place = registry.find_place(subscription.scope, subscription.account) if subscription.scope else None
    if place is not None:
        asked = _(
            "Somebody, probably you, asked for e-mails about answers on the review link “%(name)s” of “%(title)s”."
        )
        asked %= {"name": place.name, "title": place.title}
    else:
        asked = _("Somebody, probably you, asked for e-mails about %(what)s.")
        asked %= {"what": describe_subjects(subscription)}
    until = _("The button works until %(when)s.") % {"when": formats.moment(subscription.asked_at + CONFIRMABLE)}
    return LetterPage(
        language=subscription.language,
        title=_("Confirm your e-mail address"),
        paragraphs=(asked, until),
        button=_("Confirm address"),
        button_address=_build_address(subscription, "notices:confirm", build_confirmation(subscription)),
        reasons=(_("If it wasn't you, do nothing: you get no further e-mails."),),
        stop=_("Stop these e-mails"),
        stop_address=_build_stop(subscription),
    )


def describe_subjects(subscription: Subscription) -> str:
    """What an address of the account's people gets, as an object of "gets e-mails about"."""
    subjects = registry.list_subjects(subscription.pk)
    if subscription.every != Every.NONE or not subjects:
        subjects = [_("new comments and decisions on review links"), *subjects]
    return ", ".join(subjects)


def _build_test(subscription: Subscription) -> LetterPage:
    return LetterPage(
        language=subscription.language,
        title=_("Test e-mail"),
        paragraphs=(_("E-mails reach this address."),),
        button=_("Open notices"),
        button_address=_build_address(subscription, "notices:notices"),
        reasons=(_("You get this because somebody pressed “Send a test e-mail” in Reelroom."),),
        stop=_("Stop these e-mails"),
        stop_address=_build_stop(subscription),
    )


def _build_of_feature(mail: Mail) -> LetterPage | None:
    """What the feature writes now; None where it has nothing to say, or is not there any more."""
    source, subscription = LETTERS.get(mail.source), mail.subscription
    written = source.write(mail.ref) if source else None
    if written is None:
        return None
    return LetterPage(
        language=subscription.language,
        title=written.title,
        paragraphs=written.sentences,
        lists=written.lists,
        button=written.button,
        button_address=urljoin(subscription.origin, written.address),
        reasons=(written.reason,),
        stop=written.stop_label,
        stop_address=urljoin(subscription.origin, written.stop),
    )


def _build_news(subscription: Subscription, notices: Sequence[Notice]) -> LetterPage | None:
    """What happened, by review link; None where no word of it may leave."""
    told = load_news(notices, subscription)
    if not told:
        return None
    first_place, first = told[0]
    items = tuple(_build_item(subscription, place, news, alone=len(_list_places(told)) == 1) for place, news in told)
    rest = len(items) - MOST
    moment = "" if first.moment is None else formats.clock(first.moment)
    closes_at = first_place.closes_at if len(_list_places(told)) == 1 else None
    return LetterPage(
        language=subscription.language,
        title=_build_title(told),
        items=items[:MOST],
        more=ngettext("%(count)s more is on the page.", "%(count)s more are on the page.", rest)
        % {"count": formats.number(rest)}
        if rest > 0
        else "",
        button=_("Open at %(time)s") % {"time": moment} if moment else _("Open"),
        button_address=urljoin(subscription.origin, first.address),
        reasons=_build_reasons(subscription, closes_at),
        stop=_("Stop these e-mails"),
        stop_address=_build_stop(subscription),
        rarer=_("Get them once a day") if subscription.every != "day" else "",
    )


def load_news(notices: Sequence[Notice], subscription: Subscription) -> list[tuple[Place, News]]:
    """What the notices are about and may be sent, each with where it happened, by place and in the order of time."""
    told: list[tuple[Place, News]] = []
    for source, scope in dict.fromkeys((notice.source, notice.scope) for notice in notices):
        place = registry.find_place(scope, subscription.account)
        if place is None or not place.is_open or source not in registry.SOURCES:
            continue
        refs = [notice.ref for notice in notices if (notice.source, notice.scope) == (source, scope)]
        news = registry.SOURCES[source].load_news(scope, refs, subscription.account, subscription.person)
        told += [(place, item) for item in sorted(news, key=lambda item: item.at)]
    return told


def _list_places(told: Sequence[tuple[Place, News]]) -> list[str]:
    return list(dict.fromkeys(place.scope for place, _news in told))


def _build_title(told: Sequence[tuple[Place, News]]) -> str:
    """One thing by its writer; several by their number."""
    place, first = told[0]
    if len(told) == 1:
        return _describe(first, place.title)
    decisions = sum(news.kind in DECISIONS for _place, news in told)
    comments = len(told) - decisions
    parts = [
        ngettext("%(count)s new comment", "%(count)s new comments", comments) % {"count": formats.number(comments)},
        ngettext("%(count)s decision", "%(count)s decisions", decisions) % {"count": formats.number(decisions)},
    ]
    what = ", ".join(part for part, count in zip(parts, (comments, decisions), strict=True) if count)
    places = _list_places(told)
    if len(places) == 1:
        return _("%(what)s on “%(title)s”") % {"what": what, "title": place.title}
    return ngettext("%(what)s on %(count)s review link", "%(what)s on %(count)s review links", len(places)) % {
        "what": what,
        "count": formats.number(len(places)),
    }


def _describe(news: News, title: str) -> str:
    values = {"name": news.writer, "title": title, "verdict": news.verdict}
    if news.kind == NewsKind.DECISION:
        return _("%(name)s decided on “%(title)s”: %(verdict)s") % values
    if news.kind == NewsKind.WITHDRAWAL:
        return _("%(name)s withdrew the decision on “%(title)s”: %(verdict)s") % values
    if news.kind == NewsKind.REPLY and news.is_own_quote:
        return _("%(name)s replied to your comment on “%(title)s”") % values
    if news.kind == NewsKind.REPLY:
        return _("%(name)s replied to a comment on “%(title)s”") % values
    return _("%(name)s commented on “%(title)s”") % values


def _build_item(subscription: Subscription, place: Place, news: News, *, alone: bool) -> LetterItem:
    quoted = _("You") if news.is_own_quote else news.quoted
    return LetterItem(
        place="" if alone else f"{place.title}, {place.name}",
        quote=news.quote,
        quoted=quoted if news.quote else "",
        author=news.author,
        mark=news.mark,
        when=formats.moment(news.at),
        text="\n".join(filter(None, (_describe_verdict(news), news.text, news.drawing))),
        clock="" if news.moment is None else formats.clock(news.moment),
        address=urljoin(subscription.origin, news.address),
    )


def _describe_verdict(news: News) -> str:
    return _("Withdrawn: %(verdict)s") % {"verdict": news.verdict} if news.kind == NewsKind.WITHDRAWAL else news.verdict


def _build_reasons(subscription: Subscription, closes_at: datetime | None) -> tuple[str, ...]:
    if subscription.account is not None:
        why = _("You get this because this address follows the review links of “%(name)s”.")
        return (why % {"name": subscription.account.name},)
    why = _("You get this because you asked for answers on this review link.")
    if closes_at is None:
        return (why,)
    closes = _("It closes on %(when)s (%(zone)s).") % {
        "when": formats.moment(closes_at),
        "zone": formats.zone_name().replace("_", " "),
    }
    return (f"{why} {closes}",)


def _build_address(subscription: Subscription, view: str, *args: str | UUID) -> str:
    return urljoin(subscription.origin, reverse(view, args=args))


def _build_stop(subscription: Subscription) -> str:
    return _build_address(subscription, "notices:stop", build_stop(subscription))


def _write_text(page: LetterPage) -> str:
    """The same content without HTML."""
    blocks = [page.title, *page.paragraphs]
    blocks += ["\n".join([title, *(f"- {line}" for line in lines)]) for title, lines in page.lists]
    for item in page.items:
        lines = [
            item.place,
            f"{item.quoted}: {item.quote}" if item.quote else "",
            f"{item.author}{f' ({item.mark})' if item.mark else ''}, {item.when}: {item.text}",
            f"{item.clock} {item.address}".strip(),
        ]
        blocks.append("\n".join(filter(None, lines)))
    blocks += [page.more, f"{page.button}: {page.button_address}", "--", *page.reasons]
    blocks.append(f"{page.stop}: {page.stop_address}")
    return "\n\n".join(filter(None, blocks)) + "\n"
