"""What no answer may be, whatever was asked."""

from django.http import HttpResponseBase
from django.urls import ResolverMatch

from dashboard.middleware import FOR_PROGRAMS
from tests.fuzz.asking import Asked
from tests.fuzz.world import World
from tests.house.addresses import body
from tests.house.headers import HEADERS, UNKNOWN_HOST, list_wrong_headers

TROUBLE = frozenset({502, 503, 504})
"""What a page says of a platform that failed; nothing else with 500 or more is right, and without a fault nothing at all."""
SHOWS_TOKENS = frozenset({"sandbox:token"})
"""The embedded platform's own desk, where people make a token of the demo."""
CPU_SECONDS = 3.0


def problems_of(world: World, asked: Asked, answer: HttpResponseBase, seconds: float) -> list[str]:
    """Everything that is wrong with an answer; `seconds` is the CPU it took."""
    match: ResolverMatch | None = answer.wsgi_request.resolver_match  # type: ignore[attr-defined]  # of the test client
    name = match.view_name if match else ""
    found = [f"raised\n{error}" for error in world.raised]
    if answer.status_code >= 500 and not (asked.fault and answer.status_code in TROUBLE) and name not in FOR_PROGRAMS:
        found.append(f"{answer.status_code} without a fault of the platform that explains it")
    if seconds > CPU_SECONDS:
        found.append(f"{seconds:.1f} seconds of CPU")
    text = body(answer)
    if name not in FOR_PROGRAMS:
        found += _private(name, asked, answer, text)
        said = text + "".join(f"{name}: {value}" for name, value in answer.items())
        if name not in SHOWS_TOKENS and any(token in said for token in world.tokens.values()):
            found.append("a token in the answer")
        if any(mark in said for mark in world.secrets[asked.person]):
            found.append("words of another account in the answer")
    return found


def _private(name: str, asked: Asked, answer: HttpResponseBase, text: str) -> list[str]:
    found = list_wrong_headers(name, answer)
    if "Host" in asked.headers and answer.status_code == 400:  # refused before or after everything else was looked at
        early = list_wrong_headers(name, answer, HEADERS | UNKNOWN_HOST)
        found = [wrong for wrong in found if wrong in early]
    if "Traceback (most recent call last)" in text:
        found.append("a traceback in the answer")
    return found
