"""Tries each assumed read once, as one account: what is there, what is not, and what its answers are made of."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar
from uuid import uuid4

from dashboard.accounts.models import Account
from dashboard.platform_api import Operations
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.config import ALTERNATIVES, ASSUMED, PUBLIC_FILES, Place
from dashboard.platform_api.errors import CallError, Missing, NotAllowed, PlatformError, is_unreadable
from dashboard.platform_api.lists import identified
from dashboard.platform_api.lives import Live
from dashboard.platform_api.public_files import VideoConfig
from dashboard.platform_api.values import JSON, Unreadable, mapping, text
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared.text import parse_uuid
from dashboard.upstream import capabilities, clients
from dashboard.upstream.capabilities import Tried
from dashboard.upstream.credits import last_days
from dashboard.upstream.models import CapabilityState
from dashboard.upstream.single_records import speaks_of
from dashboard.writes.models import Write

T = TypeVar("T")

NAMES_SHOWN: Final = 12
"""Keys of an object that its shape names."""
DEPTH_SHOWN: Final = 3
FILES_TRIED: Final = 5
"""Videos, tests and lives whose public files are looked for, until one has them."""


@dataclass(frozen=True)
class Trial:
    """One read to try. `of`: the list out of which it takes what it asks for; "" where it asks for nothing.

    `thing`: what the platform calls what it asks for, and `write`, the operation that names one where there is no list: as
    `key` of its request, or as its subject. `arguments`: what it is asked with besides.
    """

    operation: str
    of: str = ""
    thing: str = ""
    write: str = ""
    key: str = ""
    arguments: Callable[[], tuple[Any, ...]] = tuple

    def put(self, about: str, platform: Operations) -> Any:
        """Ask the platform about the thing of this id, where there is one to ask about."""
        group, _point, name = self.operation.partition(".")
        return getattr(getattr(platform, group), name)(*filter(None, [about]), *self.arguments())


TRIALS: Final = (
    Trial("videos.list", arguments=lambda: (1, FILES_TRIED)),
    Trial("lives.list"),
    Trial("comparisons.list"),
    Trial("folders.list"),
    Trial("folders.funnels", of="folders.list"),
    Trial("funnels.list"),
    Trial("playlists.list"),
    Trial("assistants.list"),
    Trial("organizations.usage"),
    Trial("credits.history", arguments=last_days),
    Trial("lives.get", of="lives.list", thing="live", write="lives.start"),
    Trial("funnels.get", of="funnels.list", thing="funnel", write="funnels.add_videos"),
    Trial("playlists.get", of="playlists.list", thing="playlist", write="playlists.delete"),
    Trial(
        "assistants.get",
        of="assistants.list",
        thing="assistant",
        write="assistants.update_chat_visibility",
        key="assistant_id",
    ),
    Trial("videos.subtitles", of="videos.list"),
    Trial("custom_fields.list", of="videos.list"),
    Trial("review_links.list", of="videos.list"),
    Trial("public_review.read_link", of="review_links.list", arguments=lambda: (uuid4(),)),
    Trial("public_review.comments", of="review_links.list", arguments=lambda: (uuid4(),)),
)
"""Every assumed read but the text of a subtitle, whose language a list has to name first; and lists that name what others ask."""
KEYS: Final[Mapping[str, str]] = {"review_links.list": "links"}
"""Under which key a list stands that is not called as its group."""
BEHIND_A_SETTING: Final = ("review_links.list", "public_review.read_link", "public_review.comments")


def probe(account: Account) -> list[Tried]:
    """Try every read and keep what that showed. Raises `BadToken`, and `vault.Unreadable` of a token that does not open."""
    tried = list(_try_all(account))
    capabilities.keep(account.pk, tried)
    return tried


def _try_all(account: Account) -> Iterator[Tried]:
    answers: dict[str, JSON] = {}
    for trial in TRIALS:
        if trial.operation in BEHIND_A_SETTING and not clients.config().review_reads:
            continue
        about = _first_id(trial.of, answers) or _known_id(account, trial)
        if trial.of and not about:
            yield Tried(trial.operation, CapabilityState.UNTRIED, _first_path(trial.operation))
            continue
        tried, answers[trial.operation] = _try(account, trial, about)
        if trial.operation in ASSUMED:  # the rest is read for what it names
            yield tried
    set_up = {operation for operation in PUBLIC_FILES if _first_path(operation)}
    yield from (tried for tried in _try_files(account, answers) if tried.operation in set_up)


def _try(account: Account, trial: Trial, about: str) -> tuple[Tried, JSON]:
    """What the read shows at its path, or at the one that is publicly known beside it; and its answer."""
    ask = partial(_ask, account, trial.operation, partial(trial.put, about), thing=trial.thing)
    first = ask(_first_path(trial.operation))
    other = ALTERNATIVES.get(trial.operation)
    if first[0].state != CapabilityState.ABSENT or other is None or trial.operation in clients.config().paths:
        return first
    second = ask(other)
    return second if second[0].state == CapabilityState.FOUND else first


def _ask(
    account: Account, operation: str, call: Callable[[Operations], Any], path: str, thing: str = ""
) -> tuple[Tried, JSON]:
    places = {} if path == _first_path(operation) else {operation: Place.parse(path)}
    tried = partial(Tried, operation, path=path)
    try:
        answer = clients.platform_at(account, places).ask(call).json()
    except Unreadable:
        return tried(state=CapabilityState.FOUND, shape="text"), None
    except PlatformError as error:
        state = CapabilityState.FOUND if thing and speaks_of(error, thing) else _state(error)
        return tried(state=state, shape=f"HTTP {error.status}" if error.status else ""), None
    lacks = operation == "folders.funnels" and '"funnels"' not in json.dumps(answer)
    return tried(state=CapabilityState.ABSENT if lacks else CapabilityState.FOUND, shape=shape_of(answer)), answer


def _try_files(account: Account, answers: Mapping[str, JSON]) -> Iterator[Tried]:
    """The public files of the first videos, A/B tests and lives that lists name (gaps 15), in the account's own zone.

    That a test, a live or a language has no file proves nothing: nobody says when it gets one.
    """
    videos = [video for video in _listed(answers, "videos.list", Video.from_json) if video.external_id]
    zone = next((video.pullzone for video in videos if video.pullzone), None) or account.pullzone
    spoken, written = list[tuple[str, str]](), list[tuple[str, str | None]]()
    configs = []
    for video in videos if zone else ():
        tried, answer = _ask_file(account, "public_files.video", zone, video.external_id)
        configs.append(tried)
        config = VideoConfig.from_json(mapping(answer))
        languages = [subtitle.lang for subtitle in config.subtitles]
        spoken += [(video.external_id, lang) for lang in languages[:1]]
        written += [(video.external_id, lang) for lang in (None, *languages) if config.ai_kinds]
        if spoken and written:
            break
    yield _clearest("public_files.video", configs)
    yield _clearest(
        "public_files.subtitle", (_ask_file(account, "public_files.subtitle", zone, *file)[0] for file in spoken)
    )
    packages = (_ask_file(account, "ai_workflow.read_package", zone, *file)[0] for file in written[:FILES_TRIED])
    yield _clearest("ai_workflow.read_package", packages, is_proof=False)
    tests = _listed(answers, "comparisons.list", Comparison.from_json)
    begun = [test.id for test in tests if zone and test.status != TestStatus.DRAFT]
    lives = [live.id for live in _listed(answers, "lives.list", Live.from_json) if zone]
    for operation, named in (("public_files.comparison", begun), ("public_files.live", lives)):
        files = (_ask_file(account, operation, zone, identifier)[0] for identifier in named)
        yield _clearest(operation, files, is_proof=False)


def _ask_file(account: Account, operation: str, *names: str | None) -> tuple[Tried, JSON]:
    group, _dot, name = operation.partition(".")
    path = _first_path(operation)
    if not path:
        return Tried(operation, CapabilityState.UNTRIED, path), None
    return _ask(account, operation, lambda platform: getattr(getattr(platform, group), name)(*names), path)


def _clearest(operation: str, trials: Iterable[Tried], *, is_proof: bool = True) -> Tried:
    """The first trial that found a file, else the first one. `is_proof`: whether files that are not there say something."""
    first = None
    for tried in trials:
        if tried.state == CapabilityState.FOUND:
            return tried
        first = first or tried
    if first is None or not is_proof:
        return Tried(operation, CapabilityState.UNTRIED, _first_path(operation), first.shape if first else "")
    return first


def _listed(answers: Mapping[str, JSON], operation: str, read: Callable[[Mapping[str, JSON]], T]) -> tuple[T, ...]:
    """The first records that a list answered with."""
    group = KEYS.get(operation, operation.partition(".")[0])
    try:
        return identified(answers.get(operation), read, group)[:FILES_TRIED]
    except Unreadable:
        return ()


def _known_id(account: Account, trial: Trial) -> str:
    """What was last written about from here, where no list names anything; "" for nothing."""
    if not trial.write:
        return ""
    writes = Write.objects.filter(account=account, operation=trial.write).order_by("created_at")
    return writes.values_list(f"request__{trial.key}" if trial.key else "subject", flat=True).last() or ""


def _first_path(operation: str) -> str:
    is_assumed = operation in ASSUMED or operation in PUBLIC_FILES
    return capabilities.path_of(operation, clients.config()) if is_assumed else ""


def _first_id(operation: str, answers: Mapping[str, JSON]) -> str:
    """The identifier of the first thing that a list answered with; "" for none."""
    listed = _listed(answers, operation, lambda record: text(record.get("id")))
    return next((identifier for identifier in listed if parse_uuid(identifier)), "")


def _state(error: CallError) -> CapabilityState:
    if isinstance(error, Missing):
        return CapabilityState.ABSENT
    if isinstance(error, NotAllowed):
        return CapabilityState.FORBIDDEN
    if is_unreadable(error):
        return CapabilityState.FOUND
    return CapabilityState.UNTRIED


def shape_of(value: JSON, depth: int = 0) -> str:
    """What an answer is made of: `{lives: [{id, title}]}`. Names and kinds, never values."""
    if isinstance(value, list):
        return f"[{shape_of(value[0], depth)}]" if value else "[]"
    if isinstance(value, dict):
        return "{" + ", ".join(_names(value, depth)) + "}"
    return {str: "text", bool: "yes/no", type(None): "null"}.get(type(value), "number")


def _names(value: dict[str, JSON], depth: int) -> Iterator[str]:
    for place, (name, inner) in enumerate(sorted(value.items(), key=_nested_first)):
        if place == NAMES_SHOWN:
            yield "…"
            return
        nested = isinstance(inner, dict | list) and depth < DEPTH_SHOWN
        yield f"{name[:40]}: {shape_of(inner, depth + 1)}" if nested else name[:40]


def _nested_first(item: tuple[str, JSON]) -> bool:
    return not isinstance(item[1], dict | list)
