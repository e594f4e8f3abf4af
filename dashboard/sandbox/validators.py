"""What a body or a query may hold, and what an address names: one description that both checks (400) and documents (OpenAPI).

`check(value, name)` returns the value as it is used, or raises a 400 whose sentence begins with the field's name. Records are
found within what the caller may see; what nearly every call asks is written as SQL: composing it anew took half of its time.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.http_types import Json, JsonObject, SandboxRequest, as_uuid, bad_request, not_found
from dashboard.sandbox.models import Organization, ReviewLink, User, Video


class Kind(Protocol):
    """A kind of value."""

    def check(self, value: Json, name: str) -> Any:
        """Return the checked value. Raises a 400."""

    def schema(self) -> JsonObject:
        """Return its JSON Schema (draft 2020-12)."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string of `least` to `most` characters; whole of `pattern`, none of `forbidden`."""

    least: int = 0
    most: int | None = None
    pattern: re.Pattern[str] | None = None
    shown_pattern: str = ""
    """The same pattern in the dialect of JSON Schema; a subset where that dialect is poorer."""
    forbidden: str = ""

    def check(self, value: Json, name: str) -> str:
        if not isinstance(value, str):
            raise bad_request(f"{name} must be a string")
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise bad_request(f"{name} has characters that are not allowed")
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            raise bad_request(f"{name} must have {self._span()} characters")
        if self.pattern is not None and not self.pattern.fullmatch(value):
            raise bad_request(f"{name} has characters that are not allowed")
        if any(letter in value for letter in self.forbidden):
            raise bad_request(f"{name} must not contain {' '.join(self.forbidden)}")
        return value

    def _span(self) -> str:
        return f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"

    def schema(self) -> JsonObject:
        body: JsonObject = {"type": "string"}
        if self.least:
            body["minLength"] = self.least
        if self.most is not None:
            body["maxLength"] = self.most
        if self.shown_pattern:
            body["pattern"] = self.shown_pattern
        return body


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some strings."""

    values: tuple[str, ...]

    def check(self, value: Json, name: str) -> str:
        if not isinstance(value, str) or value not in self.values:
            raise bad_request(f"{name} must be one of: {', '.join(self.values)}")
        return value

    def schema(self) -> JsonObject:
        return {"type": "string", "enum": [str(value) for value in self.values]}


@dataclass(frozen=True, slots=True)
class Uuid:
    """A uuid with hyphens, answered in lower case."""

    def check(self, value: Json, name: str) -> str:
        identifier = as_uuid(value) if isinstance(value, str) else None
        if identifier is None:
            raise bad_request(f"{name} must be a uuid")
        return str(identifier)

    def schema(self) -> JsonObject:
        return {"type": "string", "format": "uuid"}


@dataclass(frozen=True, slots=True)
class Boolean:
    """true or false."""

    def check(self, value: Json, name: str) -> bool:
        if not isinstance(value, bool):
            raise bad_request(f"{name} must be a boolean")
        return value

    def schema(self) -> JsonObject:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number."""

    def check(self, value: Json, name: str) -> float:
        number = _number(value)
        if number is None:
            raise bad_request(f"{name} must be a number")
        return number

    def schema(self) -> JsonObject:
        return {"type": "number"}


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number, `2.0` included, from `least` on."""

    least: int | None = None

    def check(self, value: Json, name: str) -> int:
        number = _number(value)
        if number is None or number != int(number):
            raise bad_request(f"{name} must be an integer")
        if self.least is not None and number < self.least:
            raise bad_request(f"{name} must be {self.least} or more")
        return int(value)

    def schema(self) -> JsonObject:
        return {"type": "integer"} if self.least is None else {"type": "integer", "minimum": self.least}


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON object, kept as it came: structures that the specification does not show."""

    def check(self, value: Json, name: str) -> JsonObject:
        if not isinstance(value, dict):
            raise bad_request(f"{name} must be an object")
        return value

    def schema(self) -> JsonObject:
        return {"type": "object", "additionalProperties": True}


@dataclass(frozen=True, slots=True)
class Nullable:
    """Another kind, or null, which counts as absent."""

    kind: Kind

    def check(self, value: Json, name: str) -> Any:
        return None if value is None else self.kind.check(value, name)

    def schema(self) -> JsonObject:
        return {"anyOf": [self.kind.schema(), {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array."""

    kind: Kind
    least: int = 0

    def check(self, value: Json, name: str) -> list[Any]:
        if not isinstance(value, list):
            raise bad_request(f"{name} must be an array")
        if len(value) < self.least:
            raise bad_request(f"{name} must not be empty")
        return [self.kind.check(item, f"{name}[{index}]") for index, item in enumerate(value)]

    def schema(self) -> JsonObject:
        body: JsonObject = {"type": "array", "items": self.kind.schema()}
        if self.least:
            body["minItems"] = self.least
        return body


@dataclass(frozen=True, slots=True)
class Field:
    """A named value of a body."""

    name: str
    kind: Kind
    required: bool = False
    note: str = ""
    missing: str = ""
    """The platform's exact sentence where the field is absent, null or empty; otherwise only absence is missing."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An object. `closed`: no other field is allowed; otherwise others are ignored."""

    fields: tuple[Field, ...]
    closed: bool = False
    examples: Sequence[JsonObject] = field(default_factory=tuple)

    def check(self, value: Json, name: str = "") -> JsonObject:
        """Return the known fields that were sent, checked. Raises a 400 for the first that is wrong, in table order."""
        if not isinstance(value, dict):
            raise bad_request(f"{name} must be an object" if name else "Body must be an object")
        prefix = f"{name}." if name else ""
        if self.closed:
            known = {member.name for member in self.fields}
            for key in value:
                if key not in known:
                    raise bad_request(f"{prefix}{_shown(key)} is not allowed")
        checked: JsonObject = {}
        for member in self.fields:
            if member.missing and value.get(member.name) in (None, ""):
                raise bad_request(member.missing)
            if member.name in value:
                checked[member.name] = member.kind.check(value[member.name], prefix + member.name)
            elif member.required:
                raise bad_request(f"{prefix}{member.name} is required")
        return checked

    def schema(self) -> JsonObject:
        properties: JsonObject = {}
        for member in self.fields:
            properties[member.name] = {**member.kind.schema(), **({"description": member.note} if member.note else {})}
        body: JsonObject = {"type": "object", "properties": properties, "additionalProperties": not self.closed}
        required = [member.name for member in self.fields if member.required]
        if required:
            body["required"] = required
        return body


@dataclass(frozen=True, slots=True)
class OneOrMany:
    """One object, or an array of another kind of object: for the documentation of POST /aiworkflow [4.1]."""

    single: Shape
    element: Shape

    def check(self, value: Json, name: str) -> Any:
        if isinstance(value, list):
            return [self.element.check(element, f"{name}[{index}]") for index, element in enumerate(value)]
        return self.single.check(value, name)

    def schema(self) -> JsonObject:
        element = self.element.schema()
        return {"anyOf": [self.single.schema(), element, {"type": "array", "items": element, "minItems": 1}]}


def query_value(query: Mapping[str, str], name: str, kind: Kind) -> Any:
    """Return the checked query parameter, or None where it was not sent. Raises a 400."""
    return kind.check(query[name], name) if name in query else None


def _shown(key: str) -> str:
    return key.encode("utf-8", "replace").decode()[:100]


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


_CALLER: Final = (
    "SELECT person.* FROM sandbox_user AS person JOIN sandbox_token AS token ON token.user_id = person.id"
    " WHERE token.value = %s"
)
_ORGANIZATION: Final = "SELECT * FROM sandbox_organization WHERE id = %s"
_LINK: Final = "SELECT * FROM sandbox_reviewlink WHERE id = %s"
_FILM: Final = "SELECT * FROM sandbox_video WHERE id = %s"
_VIDEO: Final = "SELECT * FROM sandbox_video WHERE id = %s AND organization_id = %s"
_WITHIN_REACH: Final = (
    "SELECT video.* FROM sandbox_video AS video JOIN sandbox_organization AS holder ON holder.id = video.organization_id"
    " WHERE video.id = %s AND (holder.id = %s OR holder.parent_id = %s)"
)


def user_of(token: str) -> User | None:
    """Return whose token it is, with the organization; None for an unknown one."""
    user = next(iter(User.objects.raw(_CALLER, [token])), None)
    if user is not None and user.organization_id is not None:
        user.organization = Organization.objects.raw(_ORGANIZATION, [user.organization_id.hex])[0]
    return user


def video_of(organization: Organization, text: str) -> Video:
    """Return the organization's video with this id. Raises the 404 of section 7."""
    identifier = as_uuid(text)
    video = next(iter(Video.objects.raw(_VIDEO, [identifier.hex, organization.pk.hex])), None) if identifier else None
    if video is None:
        raise not_found(Message.VIDEO_NOT_FOUND.format(video_id=text))
    video.organization = organization
    return video


def workflow_video(organization: Organization, text: str) -> Video:
    """Return the video of an AI subtitle: the organization's own, or one of its sub-accounts [5]. Raises a 404."""
    identifier = as_uuid(text)
    reach = [identifier.hex, organization.pk.hex, organization.pk.hex] if identifier else []
    video = next(iter(Video.objects.raw(_WITHIN_REACH, reach)), None) if reach else None
    if video is None:
        raise not_found(Message.VIDEO_NOT_FOUND.format(video_id=text))
    return video


def addressed_video(request: SandboxRequest) -> Video:
    """Return the video that the path names."""
    return video_of(request.organization, request.arguments["video_id"])


def addressed_link(request: SandboxRequest) -> ReviewLink:
    """Return the review link that the path names, with its video. Raises a 404."""
    identifier = as_uuid(request.arguments["link_id"])
    link = next(iter(ReviewLink.objects.raw(_LINK, [identifier.hex])), None) if identifier else None
    if link is None:
        raise not_found("Review link not found")
    link.video = Video.objects.raw(_FILM, [link.video_id.hex])[0]
    return link
