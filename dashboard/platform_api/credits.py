"""AI credits: what is left, and what used or added some. Publicly documented; the specification does not name them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final, Self

from dashboard.platform_api.lists import as_record, items
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, Unreadable, first, mapping, moment, number, rest, text, word
from dashboard.platform_api.vocabulary import CreditStatus, CreditType

_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class CreditEntry:
    """One line of the history. `amount` None: not told. Types and states that are not known stay as they came."""

    id: str
    type: str
    status: str
    amount: float | None
    created_at: datetime | None
    video_id: str
    video_title: str
    description: str
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        video = source.get("video")
        inner = mapping(video)
        return cls(
            id=text(source.get("id")),
            type=word(source.get("type"), CreditType),
            status=word(source.get("status"), CreditStatus),
            amount=number(source.get("amount")),
            created_at=moment(source.get("created_at")),
            video_id=text(first(inner, "id", "video_id")) or text(source.get("video_id")) or text(video),
            video_title=text(first(inner, "title", "name")),
            description=text(source.get("description")),
            extra=rest(source, "id type status amount created_at video video_id description"),
        )


@dataclass(frozen=True, slots=True)
class Credits:
    """`balance` None: not told. `history` is newest first; None where none could be read, which is not the same as empty."""

    balance: float | None
    history: tuple[CreditEntry, ...] | None

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        """Raises `Unreadable` for an answer with neither a balance nor a history."""
        body = mapping(value)
        if "balance" not in body and isinstance(body.get("data"), dict):
            body = mapping(body["data"])
        balance, history = number(body.get("balance")), _history(body or value)
        if balance is None and history is None:
            raise Unreadable("neither a balance nor a history in the answer")
        return cls(balance, history)


def _history(value: JSON) -> tuple[CreditEntry, ...] | None:
    """The entries of an answer. One that is only an identifier names an entry of which nothing more is told."""
    try:
        listed = items(value, "history")
    except Unreadable:
        return None
    records = (
        as_record(listed_entry) or (listed_entry if isinstance(listed_entry, dict) else {"id": text(listed_entry)})
        for listed_entry in listed
    )
    entries = [CreditEntry.from_json(listed_entry) for listed_entry in records]
    return tuple(sorted(entries, key=lambda entry: entry.created_at or _LONG_AGO, reverse=True))


class CreditOperations:
    """The credits of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def history(self, start: date, end: date) -> Credits:
        """GET {base_url}/credits?type=general&start_date=&end_date= (assumed path): the balance, and what changed it."""
        days = [("start_date", start.isoformat()), ("end_date", end.isoformat())]
        return self._send(
            Request("credits.history", "GET", ("credits",), [("type", "general"), *days]),
            lambda answer: Credits.from_json(answer.json()),
        )
