"""A/B tests [2.5, 4.5], which the specification's paths call comparisons. Payloads and answers are not shown: see `assumptions`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final, Self

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.errors import CallError, PlatformDown
from dashboard.platform_api.lists import identified, inside, record
from dashboard.platform_api.request import Body, Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, Unreadable, first, mapping, moment, optional_text, rest, text, word
from dashboard.platform_api.vocabulary import ComparisonAction, TestStatus


@dataclass(frozen=True, slots=True)
class Variant:
    """One attached video; the platform may send a whole object, a link to it, or the identifier alone."""

    video_id: str
    title: str
    raw: JSON = field(default=None, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(video_id=text(source.get("id")), title=text(first(source, "title", "name")), raw=dict(source))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One A/B test. `winner` is the video that was declared, `pullzone` the caller's CDN zone name.

    `are_videos_told`: whether the platform said which videos are in it.
    """

    id: str
    name: str
    description: str
    status: str
    videos: tuple[Variant, ...]
    pullzone: str | None
    winner: str | None
    started_at: datetime | None
    finished_at: datetime | None
    created_at: datetime | None
    updated_at: datetime | None
    are_videos_told: bool = True
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @property
    def size(self) -> int | None:
        """How many videos are in it; None where that is not told."""
        return len(self.videos) if self.are_videos_told else None

    @classmethod
    def from_json(cls, source: Mapping[str, JSON], pullzone: str | None = None) -> Self:
        """`pullzone` is what stood beside the test in the answer, for when the test itself has none."""
        winner = first(source, *_WINNER)
        variants = inside(first(source, "videos", "video_ids"), "video")
        return cls(
            id=text(source.get("id")),
            name=text(first(source, "name", "title")),
            description=text(source.get("description")),
            status=word(source.get("status"), TestStatus),
            videos=tuple(map(Variant.from_json, variants.records)),
            pullzone=optional_text(source.get("pullzone")) or pullzone,
            winner=text(first(mapping(winner), "video_id", "id")) or optional_text(winner),
            started_at=moment(source.get("started_at")),
            finished_at=moment(first(source, "finished_at", "ended_at")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            are_videos_told=variants.is_told,
            extra=rest(source, _KNOWN),
        )


_WINNER: Final = ("winner", "winner_id", "winner_video_id")
_KNOWN: Final = (
    "id name title description status videos video_ids pullzone winner winner_id winner_video_id started_at finished_at "
    "ended_at created_at updated_at"
)


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The list and the caller's CDN zone name [2.5]."""

    comparisons: tuple[Comparison, ...]
    pullzone: str | None

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        """Raises `Unreadable` when there is no list."""
        pullzone = optional_text(mapping(value).get("pullzone"))
        comparisons = identified(value, lambda source: Comparison.from_json(source, pullzone), "comparisons")
        return cls(comparisons, pullzone)


class ComparisonOperations:
    """The tests of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> Comparisons:
        """GET {base_url}/comparison: the tests and the caller's CDN zone name [2.5, 4.5]."""
        return self._send(
            Request("comparisons.list", "GET", ("comparison",)), lambda answer: Comparisons.from_json(answer.json())
        )

    def get(self, comparison_id: Identifier) -> Comparison:
        """GET {base_url}/comparison/{id} [4.5]."""
        return self._send(
            Request("comparisons.get", "GET", ("comparison", comparison_id)),
            partial(_comparison, requested_id=comparison_id),
        )

    def create(self, payload: Mapping[str, Any]) -> Comparison:
        """POST {base_url}/comparison [4.5]; `payload`: name, description, video_ids, as update takes (assumed)."""
        return self._send(Request("comparisons.create", "POST", ("comparison",), body=payload), _comparison)

    def start(self, comparison_id: Identifier) -> Comparison:
        """PUT {base_url}/comparison/{id}?type=start [4.5]: DRAFT to IN_PROGRESS [3]."""
        return self._change("comparisons.start", comparison_id, ComparisonAction.START)

    def update(self, comparison_id: Identifier, changes: Mapping[str, Any]) -> Comparison:
        """PUT {base_url}/comparison/{id}?type=update [4.5]: name, description; video_ids only while DRAFT [3]."""
        return self._change("comparisons.update", comparison_id, ComparisonAction.UPDATE, changes)

    def finish(self, comparison_id: Identifier, payload: Mapping[str, Any]) -> Comparison:
        """PUT {base_url}/comparison/{id}?type=finish [4.5]: IN_PROGRESS to COMPLETED, terminal [3]."""
        return self._change("comparisons.finish", comparison_id, ComparisonAction.FINISH, payload)

    def delete(self, comparison_id: Identifier) -> None:
        """DELETE {base_url}/comparison [4.5]; the id travels in the body as {"id": …} (assumed)."""
        self._send(
            Request("comparisons.delete", "DELETE", ("comparison",), body={"id": str(comparison_id)}),
            lambda answer: None,
        )

    def _change(
        self, operation: str, comparison_id: Identifier, action: ComparisonAction, body: Body | None = None
    ) -> Comparison:
        """The test after the change, read again where the answer is not the test itself (it is not shown).

        Raises `PlatformDown` with status 200 where it was changed and cannot be read: nothing says that it was not received.
        """
        request = Request(operation, "PUT", ("comparison", comparison_id), [("type", action.value)], body=body)
        changed = self._send(request, partial(_comparison_or_none, comparison_id))
        if changed is not None:
            return changed
        try:
            return self.get(comparison_id)
        except CallError as error:
            raise PlatformDown(operation, 200) from error


def _comparison(answer: Answer, requested_id: Identifier | None = None) -> Comparison:
    value = answer.json()
    source = record(value, "comparison", requested_id=requested_id)
    return Comparison.from_json(source, optional_text(mapping(value).get("pullzone")))


def _comparison_or_none(requested_id: Identifier, answer: Answer) -> Comparison | None:
    try:
        return _comparison(answer, requested_id)
    except Unreadable:
        return None
