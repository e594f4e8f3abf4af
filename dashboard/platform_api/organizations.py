"""Sub-accounts [2.2, 4.2]; what they use is only referred to [4.16]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from dashboard.platform_api.lists import as_record, items, record
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, Unreadable, first, mapping, number, rest, text


@dataclass(frozen=True, slots=True)
class SubAccount:
    """`status` is `creating`: it becomes usable when provisioning ends, which no documented read tells."""

    organization_id: str
    name: str
    status: str
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            organization_id=text(source.get("organization_id")),
            name=text(source.get("name")),
            status=text(source.get("status")),
            extra=rest(source, "organization_id name status"),
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """What one sub-account uses. `figures` by the platform's own names: none of them is known."""

    organization_id: str
    name: str
    status: str
    figures: Mapping[str, float] = field(hash=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON], key: str = "") -> Self:
        """`key`: the name under which it stood, where the answer is an object by name or by id."""
        flat = {
            **source,
            **{name: inner for part in source.values() for name, inner in mapping(part).items()},
            **source,
        }
        return cls(
            organization_id=text(first(source, "organization_id", "id")),
            name=text(first(source, "name", "organization_name", "title")) or key,
            status=text(source.get("status")),
            figures={name: figure for name, value in flat.items() if (figure := _figure(name, value)) is not None},
        )


_LISTS: Final = ("sub_accounts", "subaccounts", "organizations", "usage")
_WRAPPERS: Final = ("data", "result", *_LISTS)
_NO_FIGURES: Final = frozenset(["id", "name", "title", "status", "phone", "tax_id", "email", "currency"])


def usages(value: JSON) -> tuple[Usage, ...]:
    """The sub-accounts of an answer: an array, bare or under a key, or an object by name or id. Raises `Unreadable`.

    Those of which neither a name nor an id is told cannot be shown and are left out.
    """
    try:
        read = [Usage.from_json(_as_usage(item)) for item in items(value, *_LISTS)]
    except Unreadable:
        read = [Usage.from_json(mapping(item), key) for key, item in _by_key(value).items()]
    named = tuple(usage for usage in read if usage.name or usage.organization_id)
    if read and not named:
        raise Unreadable("no sub-account in the list can be read")
    return named


def _as_usage(item: JSON) -> dict[str, JSON]:
    """An element as an object: as it came, out of its wrapper, or of an identifier or a name alone."""
    return as_record(item) or (item if isinstance(item, dict) else {"name": item})


def _by_key(value: JSON) -> dict[str, JSON]:
    """The records of an object by name or id. Raises `Unreadable` for anything else."""
    body = mapping(value)
    inner = next((body[name] for name in _WRAPPERS if isinstance(body.get(name), dict)), None)
    if inner is not None:
        return _by_key(inner)
    if not body or not all(isinstance(item, dict) for item in body.values()):
        raise Unreadable("no sub-accounts in the answer")
    return body


def _figure(name: str, value: JSON) -> float | None:
    """A number, also as text; never a name, a time or an identifier."""
    if name in _NO_FIGURES or name.endswith(("_id", "_at")):
        return None
    return number(value)


class Organizations:
    """Child organizations of a parent account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def create_sub_account(self, payload: Mapping[str, Any]) -> SubAccount:
        """POST {base_url}/organizations?action=create-sub-account [4.2]; also creates a billing customer [2.2]."""
        return self._send(
            Request(
                "organizations.create_sub_account",
                "POST",
                path=("organizations",),
                query=[("action", "create-sub-account")],
                body=payload,
            ),
            lambda answer: SubAccount.from_json(record(answer.json(), identified_by="organization_id")),
        )

    def usage(self) -> tuple[Usage, ...]:
        """GET {base_url}/organizations?action=list-sub-accounts-usage (path, query and shape assumed)."""
        return self._send(
            Request("organizations.usage", "GET", ("organizations",), [("action", "list-sub-accounts-usage")]),
            lambda answer: usages(answer.json()),
        )
