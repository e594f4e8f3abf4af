"""One answer as a value: status, headers, body, and the readings of a body that every operation shares."""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from itertools import chain
from typing import Any, Final

from dashboard.platform_api.values import (
    JSON,
    Denied,
    Unreadable,
    first,
    mapping,
    number,
    optional_flag,
    sequence,
    text,
)

DEPTH_LIMIT: Final = 100
"""Levels of arrays and objects that are read; deeper values would break whoever stores or prints them."""
MESSAGE_LIMIT: Final = 500
SHOWN_LIMIT: Final = 20_000
"""Characters of an answer that are shown as it came."""

_MARKUP = re.compile(r"<|^[\[{]")  # a page of a gateway, or JSON that broke off: no sentence for people
_UNSTORABLE_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_MAY_DENY = re.compile(rb'"(?:err\w*|success|ok)"\s*:')
_MAY_DENY_WRITE = re.compile(rb'"(?:err\w*|success|ok|status|statusCode)"\s*:')
"""Without one of these keys no body denies what its status says: it is not read twice."""
_FAILED = frozenset({"false", "error", "fail", "failed", "failure"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `broken` says why the body could not be taken ("" when it could)."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    """Names in lower case."""
    body: bytes = field(repr=False)
    broken: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the platform did what was asked: any 2xx."""
        return 200 <= self.status < 300

    def check(self, *, is_write: bool) -> None:
        """Raises `Denied` where the body says that the call failed: gateways answer so with a 200 [7: not shown].

        What a record says of itself (a job's error, a folder that is switched off) is not about the call.
        """
        if self.broken or not (_MAY_DENY_WRITE if is_write else _MAY_DENY).search(self.body):
            return
        try:
            value = self.json()
        except Unreadable:
            return
        bodies = sequence(value) if is_write and isinstance(value, list) else [value]
        bodies = [*bodies, *(mapping(value).get(key) for key in ("data", "result", "response"))]
        if any(_denies(mapping(body), is_write=is_write) for body in bodies):
            raise Denied(self.message())

    def text(self) -> str:
        """The body as text. Raises `Unreadable`."""
        if self.broken:
            raise Unreadable(self.broken)
        return _UNSTORABLE.sub("\ufffd", self.body.decode("utf-8-sig", "replace"))

    def json(self) -> JSON:
        """The body as JSON, without what databases and templates choke on: NUL, lone surrogates, NaN, endless nesting.

        Raises `Unreadable` for anything that is not JSON.
        """
        if self.broken:
            raise Unreadable(self.broken)
        try:
            source = self.body.decode("utf-8-sig")
            value: JSON = json.loads(source, parse_constant=lambda _: None)
        except (ValueError, RecursionError) as error:
            raise Unreadable("the answer is not JSON") from error
        if _too_deep(value):
            raise Unreadable("the answer is nested too deeply")
        return _storable(value) if _UNSTORABLE_ESCAPE.search(source) else value

    def beginning(self) -> str:
        """How the body begins, for people to see what came: JSON indented, anything else as text; "" for a broken one."""
        if self.broken:
            return ""
        try:
            return as_it_came(self.json())
        except Unreadable:
            return _cut(self.text())

    def message(self) -> str:
        """The platform's own sentence: `errMsg`, `message`, `error`, or a short text that is no HTML; "" for none."""
        try:
            value = self.json()
        except Unreadable:
            plain = "" if self.broken else self.text().strip()
            return "" if len(plain) > MESSAGE_LIMIT or not plain.isprintable() or _MARKUP.search(plain) else plain
        if isinstance(value, str):
            return value.strip()[:MESSAGE_LIMIT]
        body = mapping(value)
        for key in ("errMsg", "message", "error"):
            sentence = _sentence(body.get(key))
            if sentence:
                return sentence[:MESSAGE_LIMIT]
        return ""

    def retry_after(self) -> float | None:
        """Seconds the platform asks to wait, given as seconds or as a date; None when it does not."""
        value = self.headers.get("retry-after", "")
        seconds = number(value)
        if seconds is None and value:
            try:
                seconds = parsedate_to_datetime(value).timestamp() - time.time()
            except (ValueError, OverflowError):
                return None
        return None if seconds is None else max(0.0, seconds)


def _denies(body: Mapping[str, JSON], *, is_write: bool) -> bool:
    error, status = body.get("error"), first(body, "status", "statusCode")
    if optional_flag(body.get("success")) is False or body.get("ok") is False:
        return True
    is_record, is_true = (
        bool(text(first(body, "id", "organization_id"))),
        error is True or text(error).lower() == "true",
    )
    if is_record and not is_write:
        return False
    if any(_is_said(body.get(key)) for key in ("errCode", "errMsg")):
        return True
    if is_record:
        return is_true
    if is_true or (isinstance(error, str | dict | list) and _is_said(error)):
        return True
    is_failed = status is False or text(status).strip().lower() in _FAILED or (number(status) or 0) >= 400
    return is_write and (is_failed or any(_is_said(body.get(key)) for key in ("error", "errors")))


def _is_said(value: JSON) -> bool:
    return bool(value) and optional_flag(value) is not False


def _sentence(value: JSON) -> str:
    if isinstance(value, list):
        return "; ".join(part for part in (_sentence(element) for element in value[:10]) if part)
    if isinstance(value, dict):
        return text(value.get("message")).strip()
    return text(value).strip()


_SECRET: Final = re.compile("stream_?key|rtmp", re.IGNORECASE)
"""Whoever has them can broadcast: no record and no kept answer has them, so no page, cache or export can show them."""


def without_secrets(answer: Answer) -> Answer:
    """The answer to a read of lives as it may be kept: without keys and addresses for encoders, at any depth."""
    if not _SECRET.search(answer.body.decode("latin-1")):
        return answer
    try:
        cleaned = drop_secrets(answer.json())
    except Unreadable:
        cleaned = None
    return replace(answer, body=json.dumps(cleaned).encode())


def drop_secrets(value: JSON) -> JSON:
    """The value without keys and addresses for encoders, at any depth."""
    if isinstance(value, dict):
        return {key: drop_secrets(inner) for key, inner in value.items() if not _SECRET.search(key)}
    return [drop_secrets(entry) for entry in value] if isinstance(value, list) else value


_CONTAINERS: Final = frozenset((dict, list))


def _too_deep(value: JSON) -> bool:
    """Whether what `json.loads` has made is nested too deeply. It has no types of its own: to ask for them is fastest."""
    level: list[Any] = [[value]]
    for _ in range(DEPTH_LIMIT + 1):
        inside = [node.values() if type(node) is dict else node for node in level]
        if _CONTAINERS.isdisjoint(map(type, chain.from_iterable(inside))):
            return False
        level = [child for child in chain.from_iterable(inside) if type(child) in _CONTAINERS]
    return True


def _storable(value: JSON) -> JSON:
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_storable(element) for element in value]
    if isinstance(value, dict):
        return {_UNSTORABLE.sub("\ufffd", key): _storable(element) for key, element in value.items()}
    return value


def as_it_came(value: JSON) -> str:
    """An answer, or a part of one, as indented JSON, for pages that cannot read it; the end of a long one is cut off."""
    return _cut(json.dumps(value, ensure_ascii=False, indent=2))


def _cut(text: str) -> str:
    return f"{text[:SHOWN_LIMIT]}\n…" if len(text) > SHOWN_LIMIT else text
