"""One call as a value: what leaves, before it leaves.

Every operation builds a `Request`. `Sender.send` sends it and `Platform.preview` shows it; both take the address, the
headers and the body from here, so what is shown is what would be sent. A `Request` holds no account token, and its
text form never shows a reviewer's.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeAlias
from urllib.parse import quote
from uuid import UUID

from dashboard.platform_api.config import PlatformConfig
from dashboard.platform_api.errors import Missing

Identifier: TypeAlias = str | UUID
Body: TypeAlias = Mapping[str, Any] | Sequence[Any]
Query: TypeAlias = Sequence[tuple[str, object]]

TOKEN_MASK: Final = "$PLATFORM_TOKEN"  # noqa: S105  (the name of a variable in the reader's shell)
REVIEWER_MASK: Final = "$REVIEWER_TOKEN"


class Host(Enum):
    """Which of the specification's addresses an operation lives on."""

    BASE = "base_url"
    DATA = "data_url"
    TRAFFIC = "traffic_url"
    CONFIG = "config_url"
    SUBTITLES = "subtitles_url"
    LIVE_CONFIG = "live_config_url"

    @property
    def has_files(self) -> bool:
        """Whether public files are there: what is in them is a person's, and no answer of an operation."""
        return self in (Host.CONFIG, Host.SUBTITLES, Host.LIVE_CONFIG)


class Auth(Enum):
    """How a call carries the account's token [5]."""

    RAW = "raw"
    TRAFFIC = "traffic"
    """Bearer, or raw by `PlatformConfig.traffic_auth`."""
    NONE = "none"


class Flag(Enum):
    """A query parameter that is sent without a value and without `=` [4.6]."""

    SET = "set"


@dataclass(frozen=True, slots=True)
class Request:
    """One call. `path` are unquoted segments, `query` pairs whose None values are left out.

    Raises `Missing` for a segment that cannot name anything: empty, `.` or `..`.
    """

    operation: str
    method: str
    path: tuple[Identifier, ...]
    query: Query = ()
    body: Body | None = None
    host: Host = Host.BASE
    auth: Auth = Auth.RAW
    reviewer_token: str | None = field(default=None, repr=False)
    """The reviewer's session token, sent as the query parameter `token` [5]."""
    body_elsewhere: Body | None = None
    """What is sent in the place of `body` where PLATFORM_PATHS sets another path."""

    @property
    def is_read(self) -> bool:
        """Whether it changes nothing: it may be sent again, and its answer be kept."""
        return self.method in ("GET", "HEAD")

    def __post_init__(self) -> None:
        if any(str(segment) in ("", ".", "..") for segment in self.path):
            raise Missing(self.operation)

    def url(self, config: PlatformConfig, reviewer_token: str | None) -> str:
        """The whole address, with this reviewer's token (the real one or the mask) where the call has one.

        Raises `Missing` where the host of public files is not set.
        """
        host = getattr(config, self.host.value)
        if self.host.has_files and not host:
            raise Missing(self.operation)
        place = config.paths.get(self.operation)
        path = self.path if place is None else place.segments(self.operation, self.path)
        address = "/".join([host, *(_quoted(segment) for segment in path)])
        pairs = [
            _quoted(name) if value is Flag.SET else f"{_quoted(name)}={_quoted(value)}"
            for name, value in self.query
            if value is not None
        ]
        if reviewer_token is not None:
            token = reviewer_token if reviewer_token == REVIEWER_MASK else _quoted(reviewer_token)
            pairs.append(f"token={token}")
        return address + ("?" + "&".join(pairs) if pairs else "")

    def headers(self, config: PlatformConfig, token: str) -> dict[str, str]:
        """The headers that depend on the call, with this account token (the real one or the mask)."""
        headers = {"Accept": "application/json"}
        if token and self.auth is not Auth.NONE:
            bearer = self.auth is Auth.TRAFFIC and config.traffic_auth == "bearer"
            headers["Authorization"] = f"Bearer {token}" if bearer else token
        if self.body is not None:
            headers["Content-Type"] = "application/json"
        return headers

    def content(self, config: PlatformConfig) -> bytes | None:
        """The body as it leaves: JSON in UTF-8."""
        if self.body is None:
            return None
        is_other = self.body_elsewhere is not None and config.is_elsewhere(self.operation)
        body = self.body_elsewhere if is_other else self.body
        dumped = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain)
        return dumped.encode("utf-8", "replace")  # a lone surrogate has no UTF-8 form

    def sent_keys(self) -> frozenset[str]:
        """The top-level keys of the body; none for an array."""
        return frozenset(self.body) if isinstance(self.body, Mapping) else frozenset()


@dataclass(frozen=True, slots=True)
class Preview:
    """What an operation would send, tokens masked: for dry runs and for people who want the same call by hand."""

    operation: str
    method: str
    url: str
    headers: Mapping[str, str]
    body: str | None

    def curl(self) -> str:
        """The call as a shell command; the tokens are environment variables of the reader's shell."""
        lines = [f"curl -X {self.method} {_shell(self.url)}"]
        lines += [f"-H {_shell(f'{name}: {value}')}" for name, value in self.headers.items()]
        if self.body is not None:
            lines.append(f"--data-raw {shlex.quote(self.body)}")
        return " \\\n  ".join(lines)


def preview_of(request: Request, config: PlatformConfig) -> Preview:
    """The request as it would leave, with masks for tokens."""
    content = request.content(config)
    return Preview(
        operation=request.operation,
        method=request.method,
        url=request.url(config, None if request.reviewer_token is None else REVIEWER_MASK),
        headers=request.headers(config, TOKEN_MASK),
        body=None if content is None else content.decode(),
    )


def _quoted(value: object) -> str:
    return quote(str(value), safe="", errors="replace")


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _shell(value: str) -> str:
    """Quoted for a shell, except that the masks stay variables."""
    for mask in (TOKEN_MASK, REVIEWER_MASK):
        before, separator, after = value.partition(mask)
        if separator:
            return (shlex.quote(before) if before else "") + f'"{mask}"' + (shlex.quote(after) if after else "")
    return shlex.quote(value)
