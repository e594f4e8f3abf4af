"""AI subtitle jobs [2.1, 4.1, 4.16] and AI content [2.8, 4.3]."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.lists import identified
from dashboard.platform_api.request import Auth, Host, Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, Unreadable, integer, mapping, moment, optional_text, rest, text, word
from dashboard.platform_api.vocabulary import ALL_TEXT_ITEMS, JobStatus, JobType


@dataclass(frozen=True, slots=True)
class Job:
    """`to_lang` is None for a transcription. Kinds and states beyond the specification's are kept as they came."""

    id: str
    video_id: str
    type: str
    status: str
    from_lang: str
    to_lang: str | None
    metadata: Mapping[str, JSON] = field(hash=False)
    created_at: datetime | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            video_id=text(source.get("video_id")),
            type=word(source.get("type"), JobType),
            status=word(source.get("status"), JobStatus),
            from_lang=text(source.get("from_lang")),
            to_lang=optional_text(source.get("to_lang")),
            metadata=mapping(source.get("metadata")),
            created_at=moment(source.get("created_at")),
            extra=rest(source, "id video_id type status from_lang to_lang metadata created_at"),
        )


@dataclass(frozen=True, slots=True)
class PackageFile:
    """The content file of one language. `text` is the file as it came; `age` the seconds a cache has held it."""

    data: Mapping[str, JSON] = field(hash=False)
    text: str = field(repr=False)
    etag: str
    age: int | None


PACKAGE: Final = ("aiworkflow", "aipackage")


class AiWorkflow:
    """Jobs and content files."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def jobs(self, video_id: Identifier) -> tuple[Job, ...]:
        """GET {base_url}/aiworkflow?video_id=…: the jobs of a video, to be polled [4.1 rule 5]."""
        return self._send(Request("ai_workflow.jobs", "GET", ("aiworkflow",), [("video_id", video_id)]), _jobs)

    def create(self, body: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> tuple[Job, ...]:
        """POST {base_url}/aiworkflow: one object for a transcription, an array for translations [4.1].

        Spends AI credits. On a sub-account, send with the parent's token [5].
        """
        return self._send(Request("ai_workflow.create", "POST", ("aiworkflow",), body=body), _jobs)

    def save_package(self, payload: Mapping[str, Any]) -> None:
        """PUT {base_url}/aiworkflow/aipackage: replaces the content sent, so it must be complete [4.3]."""
        self._send(Request("ai_workflow.save_package", "PUT", PACKAGE, body=payload), lambda answer: None)

    def generate_package(self, video_id: Identifier, lang: str, kinds: Sequence[str]) -> tuple[Job, ...]:
        """POST {base_url}/aiworkflow [gaps 15, A3]: make all AI resources of a video in a language.

        Spends AI credits. Any 2xx is accepted; an answer that names no job brings none. `kinds` (ebook, mindmap, quiz) are
        sent where PLATFORM_PATHS sets another path alone: the published call makes all of them.
        """
        request = Request(
            "ai_workflow.generate_package",
            "POST",
            ("aiworkflow",),
            body={"video_id": str(video_id), "from_lang": lang, "type": ALL_TEXT_ITEMS},
            body_elsewhere={"video_id": str(video_id), "lang": lang, "resources": list(kinds)},
        )
        return self._send(request, _jobs_if_any)

    def delete_package(self, video_id: Identifier, lang: str, kinds: Sequence[str]) -> None:
        """DELETE {base_url}/aiworkflow/aipackage (assumed path and body): any 2xx means done. `lang` "": the legacy file."""
        body = {"video_id": str(video_id), **({"lang": lang} if lang else {}), "resources": list(kinds)}
        self._send(Request("ai_workflow.delete_package", "DELETE", PACKAGE, body=body), lambda answer: None)

    def read_package(self, pullzone: str, external_id: str, lang: str | None, *, fresh: bool = False) -> PackageFile:
        """GET {config_url}/{pullzone}/{external_id}-ai.{lang}.json, public, without a token [2.8].

        `lang` None reads the legacy single file. `fresh` asks past the CDN's caches, for right after a save.
        """
        if not external_id or lang == "":
            name = ""
        else:
            name = f"{external_id}-ai.json" if lang is None else f"{external_id}-ai.{lang}.json"
        query = [("fresh", secrets.token_hex(8))] if fresh else []
        request = Request("ai_workflow.read_package", "GET", (pullzone, name), query, host=Host.CONFIG, auth=Auth.NONE)
        return self._send(request, _package)


def _jobs(answer: Answer) -> tuple[Job, ...]:
    return identified(answer.json(), Job.from_json, "workflows", "jobs", needs=("status", "type"))


def _jobs_if_any(answer: Answer) -> tuple[Job, ...]:
    try:
        return _jobs(answer)
    except Unreadable:
        return ()


def _package(answer: Answer) -> PackageFile:
    value = answer.json()
    if not isinstance(value, dict):
        raise Unreadable("a content file is an object")
    return PackageFile(
        data=value,
        text=answer.text(),
        etag=answer.headers.get("etag", ""),
        age=integer(answer.headers.get("age")),
    )
