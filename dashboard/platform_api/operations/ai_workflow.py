"""AI subtitles [4.1, 4.16] and AI content [2.8, 4.3]."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.lists import identified
from dashboard.platform_api.records.ai_workflow import Job, PackageFile
from dashboard.platform_api.request import Auth, Host, Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import Unreadable, integer
from dashboard.platform_api.vocabulary import ALL_TEXT_ITEMS

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
