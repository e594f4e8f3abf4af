"""What goes in and comes out of the embedded platform, whichever way it is reached: plain values, no Django request."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl
from uuid import UUID

from dashboard.platform_api.vocabulary import REQUEST_BYTES_MOST, Message
from dashboard.sandbox.models import Organization, User

Json: TypeAlias = Any
"""Anything that JSON can say."""
JsonObject: TypeAlias = dict[str, Any]

BODY_LIMIT: Final = REQUEST_BYTES_MOST
"""Bytes of a request body; the specification shows no limit (see `assumptions`)."""

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

CODES: Final = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    429: "TooManyRequests",
    500: "InternalServerError",
}
"""`errCode` by status; the specification names BadRequest and NotFound as examples [7]."""


class Refusal(Exception):
    """The platform says no: an HTTP status and the platform's own sentence."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})

    def answer(self, coded: bool = False) -> "Answer":
        """Return the refusal as an answer.

        `coded`: always errCode and errMsg, as live start has it [7]; otherwise 401 and 5xx have `message` alone. A 413 is
        plain text.
        """
        if self.status == 413:
            plain = {"content-type": "text/plain; charset=utf-8"}
            return Answer(413, content=self.message.encode(), headers={**plain, **self.headers})
        if not coded and (self.status == 401 or self.status >= 500):
            return Answer(self.status, {"message": self.message}, headers=self.headers)
        body = {"errCode": CODES.get(self.status, "Error"), "errMsg": self.message}
        return Answer(self.status, body, headers=self.headers)


def bad_request(message: str) -> Refusal:
    return Refusal(400, message)


def forbidden(message: str) -> Refusal:
    return Refusal(403, message)


def not_found(message: str) -> Refusal:
    return Refusal(404, message)


@dataclass(frozen=True, slots=True)
class SandboxRequest:
    """One request. `path` is decoded, begins with `/` and the host part (`/api/…`); header names are lower case."""

    method: str
    path: str
    query_string: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    arguments: Mapping[str, str] = field(default_factory=dict)
    """What the route's pattern found in the path; filled by the dispatcher."""
    signed_in: User | None = None
    """Whose token it was; filled by the dispatcher for operations that need one."""

    @property
    def query(self) -> dict[str, str]:
        """Query parameters, the first of each name; a flag has the empty string."""
        pairs = parse_qsl(self.query_string, keep_blank_values=True, max_num_fields=1000)
        return dict(reversed(pairs))

    @property
    def user(self) -> User:
        """The signed-in user. Only for operations that need an account."""
        assert self.signed_in is not None  # noqa: S101 - the dispatcher refused everybody else
        return self.signed_in

    @property
    def organization(self) -> Organization:
        """The organization of the signed-in user. Raises a 400 where there is none [7]."""
        if self.user.organization is None:
            raise bad_request(Message.NO_ORGANIZATION)
        return self.user.organization

    @property
    def body_words(self) -> JsonObject:
        """The body where it is a JSON object of allowed size; nothing else chooses an operation."""
        try:
            body = self.json() if len(self.body) <= BODY_LIMIT else None
        except Refusal:
            body = None
        return body if isinstance(body, dict) else {}

    def json(self) -> Json:
        """Return the body as JSON. Raises a 400 for anything that is not JSON."""
        try:
            return json.loads(self.body, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            raise bad_request("Invalid JSON") from None


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: JSON, or `content` as it is with a `content-type` among the headers."""

    status: int
    json: Json = None
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """Return the body as it leaves."""
        if self.content is not None:
            return self.content
        return json.dumps(self.json, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    def all_headers(self) -> dict[str, str]:
        """Return the headers as they leave, `content-type` included."""
        return {"content-type": "application/json", **self.headers}


def ok(json: Json) -> Answer:
    """Return a 200 with JSON."""
    return Answer(200, json)


def as_uuid(text: str) -> UUID | None:
    """Return the uuid that the text spells in the usual form with hyphens, else None."""
    return UUID(text) if _UUID.fullmatch(text) else None


def moment(at: datetime | None) -> str | None:
    """Return the time as the platform writes it: ISO 8601, UTC, milliseconds [conventions]."""
    if at is None:
        return None
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
