"""What an operation is: the row type of the table in `table.py`, from which routing and documentation are made."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.http_types import Answer, JsonObject, SandboxRequest
from dashboard.sandbox.validators import Kind

Handler: TypeAlias = Callable[[SandboxRequest], Answer]


class Auth(StrEnum):
    """How a caller shows who it is [5]."""

    ACCOUNT = "account"
    """The raw API token in Authorization."""
    BEARER = "bearer"
    """The traffic operation: the API token with or without `Bearer `."""
    REVIEWER = "reviewer"
    """A session token (uuid) in the query parameter `token`; no Authorization."""
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter, for the documentation; the handler checks it with the same kind."""

    name: str
    kind: Kind
    required: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class When:
    """What chooses among operations of one method and path: a query parameter (no value: a flag), or a word of the body."""

    name: str
    value: str | None = None

    in_body: bool = False

    def holds(self, request: SandboxRequest) -> bool:
        words = request.body_words if self.in_body else request.query
        return self.name in words and (self.value is None or words[self.name] == self.value)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the platform."""

    name: str
    """`group.method`, as the client and the fault panel call it."""
    method: str
    path: str
    """Host part and path with `{arguments}`: `/api/videos/{video_id}`."""
    handle: Handler
    section: str
    """Of the specification, or `gaps N` where only public material speaks."""
    summary: str
    auth: Auth = Auth.ACCOUNT
    when: When | None = None
    unrouted: tuple[int, str] = (404, Message.ROUTE_NOT_FOUND)
    """The answer when no operation of this method and path fits the query."""
    query: tuple[Parameter, ...] = ()
    body: Kind | None = None
    answer: JsonObject = field(default_factory=dict)
    """JSON Schema of the answer."""
    status: int = 200
    refusals: tuple[int, ...] = ()
    """Statuses of refusals beyond 401 and 500, which every operation with an account can have."""
    coded: bool = False
    """Errors always carry errCode and errMsg [7: live start]."""
    content_type: str = "application/json"
    documented: bool = True
    """Part of the OpenAPI document."""

    @property
    def writes(self) -> bool:
        return self.method not in ("GET", "HEAD")
