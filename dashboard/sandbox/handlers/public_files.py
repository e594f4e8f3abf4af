"""Public files of the player (gaps 15, A4 and A6 to A9): what a video, an A/B test and a live are to anybody's browser."""

import re
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from dashboard.sandbox import jobs, serializers
from dashboard.sandbox.handlers.videos import newest_ai_files, subtitle_file
from dashboard.sandbox.http_types import Answer, SandboxRequest, as_uuid, not_found, ok
from dashboard.sandbox.models import AiFile, Comparison, Live, Video
from dashboard.sandbox.serializers import RESOURCE_KEYS


def video(request: SandboxRequest) -> Answer:
    """GET {config_url}/{pullzone}/{external_id}.json (A6)."""
    found = _video(request)
    jobs.settle(request.now)
    ai = _kinds(found)
    subtitles = found.subtitles.order_by("created_at", "lang")
    return ok(
        {
            "title": found.title,
            "ai": {
                **ai,
                "pdf_generated": any(_find_source(found, name, request.now) for name in ("abstract", "mindmap")),
            },
            "subtitles": [{"srclang": subtitle.lang, "label": subtitle.label} for subtitle in subtitles],
            "bookMarks": found.bookmarks,
            "ctas": [],
            "assistant_id": next((str(chat.assistant_id) for chat in found.chats.filter(visible=True)), None),
        }
    )


def comparison(request: SandboxRequest) -> Answer:
    """GET {config_url}/{pullzone}/comparison/{comparison_id}.json (A7)."""
    found = Comparison.objects.filter(
        pk=request.arguments["comparison_id"].lower(), organization__pullzone=request.arguments["pullzone"]
    ).first()
    if found is None:
        raise not_found("Not found")
    variants = found.variants.select_related("video")
    body: dict[str, Any] = {
        "id": found.id,
        "status": found.status,
        "videos": [str(variant.video.external_id) for variant in variants],
    }
    return ok({**body, "winner_video_id": str(found.winner.external_id) if found.winner else None})


def live(request: SandboxRequest) -> Answer:
    """GET {live_config_url}/{pullzone}/{live_id}-live.json (A8): a live is known by its id everywhere."""
    identifier = as_uuid(request.arguments["live_id"])
    zone = request.arguments["pullzone"]
    found = Live.objects.filter(pk=identifier, organization__pullzone=zone).first() if identifier else None
    if found is None:
        raise not_found("Not found")
    options, still = found.options or {}, found.videos.first() or found.organization.videos.first()
    return ok(
        {
            "title": found.title,
            "status": str(found.status_at(request.now)),
            "thumb": serializers.thumbnail_url(still) if still else None,
            "active_dvr": options.get("active_dvr", False),
            "bitrate": options.get("bitrate", []),
            "chat_status": "disabled",
            "chat_id": None,
        }
    )


def document(request: SandboxRequest) -> Answer:
    """GET or HEAD {config_url}/{pullzone}/{external_id}/abstract.pdf and mindmap.pdf (A4)."""
    found, name = _video(request), request.arguments["document"]
    jobs.settle(request.now)
    source = _find_source(found, name, request.now)
    if name not in ("abstract", "mindmap") or source is None:
        raise not_found("Not found")
    lines = source.content[name].splitlines() if name == "abstract" else _labels(source.content[name])
    made_at = format_datetime(source.published_at.astimezone(UTC), usegmt=True)
    headers = {"content-type": "application/pdf", "last-modified": made_at}
    return Answer(200, content=b"" if request.method == "HEAD" else _pdf([found.title, "", *lines]), headers=headers)


def _find_source(video: Video, name: str, now: datetime) -> AiFile | None:
    """The newest published content of which a PDF is made, in any language."""
    files = video.ai_files.filter(published_at__lte=now, content__has_key=name).order_by("-published_at", "-id")
    return next((file for file in files[:1] if file.content[name]), None)


def _labels(node: Any, depth: int = 0) -> list[str]:
    if not isinstance(node, dict):
        return []
    label = next((node[key] for key in ("theme", "text", "title", "label") if isinstance(node.get(key), str)), "")
    return ["  " * depth + label, *(line for child in node.get("children") or [] for line in _labels(child, depth + 1))]


def _pdf(lines: list[str]) -> bytes:
    """A PDF of one page with the first lines of a text."""
    escaped = (re.sub(r"([\\()])", r"\\\1", line[:100]) for line in lines[:55])
    text = "BT /F1 10 Tf 50 800 Td 13 TL " + " ".join(f"({line}) Tj T*" for line in escaped) + " ET"
    stream = text.encode("cp1252", "replace")
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        places.append(b"%010d 00000 n \n" % len(body))
        body += b"%d 0 obj%s endobj\n" % (number, each)
    table = b"xref\n0 6\n0000000000 65535 f \n" + b"".join(places)
    return body + table + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(body)


def _kinds(video: Video) -> dict[str, bool]:
    contents = newest_ai_files(video).values()
    return {key: any(content.get(key) for content in contents) for key in RESOURCE_KEYS.values()}


def subtitle(request: SandboxRequest) -> Answer:
    """GET {subtitles_url}/{pullzone}/{external_id}/{lang}.vtt (A9)."""
    jobs.settle(request.now)
    return subtitle_file(_video(request), request.arguments["lang"])


def _video(request: SandboxRequest) -> Video:
    identifier = as_uuid(request.arguments["external_id"])
    zone = request.arguments["pullzone"]
    found = Video.objects.filter(external_id=identifier, organization__pullzone=zone).first() if identifier else None
    if found is None:
        raise not_found("Not found")
    return found
