"""What a browser plays and shows: films, stills and subtitle files, with HTTP ranges (without them nobody can seek)."""

import re
from typing import Final

from dashboard.sandbox import media, progress
from dashboard.sandbox.handlers.videos import subtitle_file
from dashboard.sandbox.http_types import Answer, SandboxRequest, as_uuid, not_found
from dashboard.sandbox.models import Video

_RANGE: Final = re.compile(r"bytes=(\d*)-(\d*)", re.ASCII)


def file(request: SandboxRequest) -> Answer:
    """GET or HEAD /media/{external_id}/{name}."""
    video = _video(request)
    content = media.read_file(request.arguments["name"], video.external_id, video.length)
    if content is None:
        raise not_found("Not found")
    headers = {
        "content-type": content.content_type,
        "cache-control": "public, max-age=3600",
        "etag": f'"{video.external_id.hex[:12]}-{len(content.content)}"',
    }
    return ranged(request, Answer(200, content=content.content, headers=headers))


def subtitle(request: SandboxRequest) -> Answer:
    """GET or HEAD /media/{external_id}/subtitles/{lang}.vtt."""
    progress.settle(request.now)
    lang, dot, ending = request.arguments["name"].rpartition(".")
    if not dot or ending != "vtt":
        raise not_found("Not found")
    return ranged(request, subtitle_file(_video(request), lang))


def ranged(request: SandboxRequest, whole: Answer) -> Answer:
    """Return the part that the Range header asks for: 206, 416, or the whole where there is no (single) range."""
    content = whole.to_bytes()
    match = _RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    if request.headers.get("if-range", whole.headers.get("etag")) != whole.headers.get("etag"):
        match = None
    status, start, end = 200, 0, len(content)
    headers = {**whole.headers, "accept-ranges": "bytes"}
    if match and match.group(0) != "bytes=-":
        first, last = match.groups()
        start = int(first) if first else max(0, len(content) - int(last))
        end = min(int(last) + 1, len(content)) if first and last else len(content)
        if start >= end:
            return Answer(416, content=b"", headers={**headers, "content-range": f"bytes */{len(content)}"})
        status, headers["content-range"] = 206, f"bytes {start}-{end - 1}/{len(content)}"
    headers["content-length"] = str(end - start)
    return Answer(status, content=b"" if request.method == "HEAD" else content[start:end], headers=headers)


def _video(request: SandboxRequest) -> Video:
    identifier = as_uuid(request.arguments["external_id"])
    video = Video.objects.filter(external_id=identifier).first() if identifier else None
    if video is None:
        raise not_found("Not found")
    return video
