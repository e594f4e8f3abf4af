"""Reads that nobody has promised, and the manners of a platform: which of them it has, and in which shape it answers."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tests.strict.answers import Answer, Call
from tests.strict.documented import NOBODY, RAW, SOMETHING
from tests.strict.world import OUTSIDE, TITLES, WHEN, ZONE, Record, World


class Manner(StrEnum):
    """How a platform is, where the specification is silent."""

    PLAIN = "plain"
    """Every assumed read, in plain records and bare arrays."""
    WRAPPED = "wrapped"
    """Every assumed read, in objects around lists and records."""
    BARE = "bare"
    """Nothing but what is documented: 404 for the rest."""
    FORBIDDEN = "forbidden"
    """The same, with 403."""
    PUBLIC = "public"
    """As seen in public (gaps 15): what is documented, the player's files, one assistant by its id, and nothing else."""

    @property
    def has_reads(self) -> bool:
        return self in (Manner.PLAIN, Manner.WRAPPED)


@dataclass(frozen=True)
class Read:
    """An assumed read (gaps 1 to 4, 6 to 8, 10). `wrapper`: the key around it in a wrapped answer."""

    name: str
    path: str
    answer: Callable[[World, Call], Any]
    wrapper: str
    query: frozenset[str] = frozenset()
    auth: str = RAW
    method: str = "GET"

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"\{(\w+)\}", lambda found: SOMETHING.format(found[1]), self.path))


def _one(records: dict[str, Record], call: Call) -> Any:
    return records.get(next(iter(call.names.values())))


def _videos(world: World, call: Call) -> Any:
    wanted = (call.asked.get("title") or "").casefold()
    found = [one for one in world.videos.values() if wanted in one["title"].casefold()]
    return {"videos": found, "pages": 1, "total": len(found)}


def _subtitles(world: World, call: Call) -> Any:
    return world.videos[call.names["video_id"]]["config"]["subtitles"]


def _seen_video(world: World, call: Call) -> Any:
    """The public config of a video (A6)."""
    found = next((one for one in world.videos.values() if one["video_external_id"] == call.names["external_id"]), None)
    if found is None:
        return None
    has_ai = bool(found["config"]["ai"]["resources"])
    return {
        "ai": {**dict.fromkeys(("questions", "mindmap", "abstract"), has_ai), "pdf_generated": has_ai},
        "subtitles": [{"srclang": one["srclang"]} for one in found["config"]["subtitles"]],
        "bookMarks": [{"time": 12, "title": "The river"}],
        "ctas": [],
    }


def _seen_subtitle(world: World, call: Call) -> Any:
    config = _seen_video(world, call) or {"subtitles": []}
    has_language = {"srclang": call.names["lang"]} in config["subtitles"]
    return "WEBVTT\n\n00:00.000 --> 00:02.000\nBoa noite." if has_language else None


def _seen_comparison(world: World, call: Call) -> Any:
    found = world.comparisons.get(call.names["comparison_id"])
    if found is None or found["status"] == "DRAFT":
        return None
    winner = found.get("winner")
    return {
        "status": found["status"],
        "videos": [OUTSIDE[one["id"]] for one in found["videos"]],
        "winner_video_id": OUTSIDE[winner] if winner else None,
    }


def _seen_live(world: World, call: Call) -> Any:
    found = world.lives.get(call.names["live_id"])
    return found and {"status": found["status"], "title": found["title"], "thumb": "https://stills.example/1.jpg"}


def _assistant(world: World, call: Call) -> Any:
    videos = [{"video_id": video, "process_status": "queued"} for video in TITLES]
    return {"id": call.names["assistant_id"], "name": "Sales", "status": "queued", "videos": videos, "created_at": WHEN}


READS = (
    Read(
        "videos.list",
        "/base/videos",
        _videos,
        "",
        frozenset({"page", "limit", "title", "status", "folder_id", "root_folder"}),
    ),
    Read("videos.subtitles", "/base/subtitles/{video_id}", _subtitles, "subtitles"),
    Read(
        "videos.read_subtitle",
        r"/base/subtitles/{video_id}/(?P<lang>[\w-]+)",
        lambda world, call: {"vtt": "WEBVTT\n\n00:00.000 --> 00:02.000\nBom dia."},
        "",
    ),
    Read(
        "custom_fields.list",
        "/base/videos/{video_id}",
        lambda world, call: [one for one in world.fields.values() if one["video_id"] == call.names["video_id"]],
        "custom_fields",
        frozenset({"custom_fields"}),
    ),
    Read(
        "review_links.list",
        "/base/video-review/{video_id}",
        lambda world, call: [one for one in world.links.values() if one["video_id"] == call.names["video_id"]],
        "links",
        frozenset({"action"}),
    ),
    Read(
        "public_review.read_link",
        "/base/public-video-review/{link_id}",
        lambda world, call: _one(world.links, call),
        "link",
        frozenset({"token"}),
        NOBODY,
    ),
    Read(
        "public_review.comments",
        "/base/public-video-review/{link_id}/comments",
        lambda world, call: world.comments,
        "comments",
        frozenset({"token"}),
        NOBODY,
    ),
    Read("lives.list", "/base/lives", lambda world, call: [*world.lives.values()], "lives"),
    Read("lives.get", "/base/lives/{live_id}", lambda world, call: _one(world.lives, call), "live"),
    Read("lives.list", "/base/live", lambda world, call: None, "lives"),
    Read("lives.get", "/base/live/{live_id}", lambda world, call: None, "live"),
    Read("funnels.list", "/base/funnels", lambda world, call: [*world.funnels.values()], "funnels"),
    Read("funnels.get", "/base/funnels/{funnel_id}", lambda world, call: _one(world.funnels, call), "funnel"),
    Read(
        "folders.funnels",
        "/base/folders/{folder_id}",
        lambda world, call: {
            "id": call.names["folder_id"],
            "funnels": [one for one in world.funnels.values() if one["folder_id"] == call.names["folder_id"]],
        },
        "folder",
    ),
    Read("playlists.list", "/base/playlists", lambda world, call: [*world.playlists.values()], "playlists"),
    Read("playlists.get", "/base/playlists/{playlist_id}", lambda world, call: _one(world.playlists, call), "playlist"),
    Read("playlists.list", "/base/playlist", lambda world, call: None, "playlists"),
    Read("playlists.get", "/base/playlist/{playlist_id}", lambda world, call: None, "playlist"),
    Read(
        "assistants.list",
        "/base/assist-ai",
        lambda world, call: [{"id": "assistant-of-sales", "name": "Sales", "videos": [*TITLES]}],
        "assistants",
    ),
    Read("assistants.get", r"/base/assist-ai/assistant_by_id/(?P<assistant_id>[\w-]+)", _assistant, "assistant"),
    Read("public_files.video", f"/config/{ZONE}/{{external_id}}.json", _seen_video, "", auth=NOBODY),
    Read(
        "public_files.document",
        rf"/config/{ZONE}/{{external_id}}/(?:abstract|mindmap)\.pdf",
        _seen_video,
        "",
        auth=NOBODY,
        method="HEAD",
    ),
    Read(
        "public_files.comparison",
        f"/config/{ZONE}/comparison/{{comparison_id}}.json",
        _seen_comparison,
        "",
        auth=NOBODY,
    ),
    Read("public_files.live", f"/live-config/{ZONE}/{{live_id}}-live.json", _seen_live, "", auth=NOBODY),
    Read(
        "public_files.subtitle",
        rf"/subtitles/{ZONE}/{{external_id}}/(?P<lang>[\w-]+)\.vtt",
        _seen_subtitle,
        "",
        auth=NOBODY,
    ),
    Read(
        "organizations.usage",
        "/base/organizations",
        lambda world, call: [{"name": "Escola do Sul", "videos": 12, "storage": 90_000_000}],
        "items",
        frozenset({"action"}),
    ),
    Read(
        "credits.history",
        "/base/credits",
        lambda world, call: {
            "balance": 340,
            "history": [
                {"id": "c1", "type": "SUB", "status": "COMPLETED", "amount": 12, "created_at": "2026-11-20T10:00:00Z"}
            ],
        },
        "",
        frozenset({"type", "start_date", "end_date"}),
    ),
)
WRAPPERS = {
    "ai_workflow.jobs": "items",
    "videos.get": "video",
    "comparisons.list": "data",
    "comparisons.get": "comparison",
    "comparisons.create": "comparison",
    "comparisons.change": "comparison",
    "folders.list": "folders",
    "analytics.browser": "data",
    "analytics.browser_of_video": "data",
    "analytics.city": "data",
    "analytics.referrer": "data",
    "analytics.ranking": "data",
    "analytics.member_referrals": "data",
}
"""Keys around documented answers whose shape is not shown, in a wrapped manner."""


FILES_CHANGED = "Sun, 01 Nov 2026 10:00:00 GMT"
"""Last-Modified of every PDF."""
REVIEW_READS = ("review_links.list", "public_review.read_link", "public_review.comments")
"""Off in production until somebody says that the platform has them: PLATFORM_REVIEW_READS."""


def find_read(call: Call) -> Read | None:
    """The assumed read that a call is, or None."""
    for read in READS:
        found = read.pattern.fullmatch(call.path)
        if call.method != read.method or found is None:
            continue
        if read.name == "custom_fields.list" and "custom_fields" not in call.asked:
            continue
        if read.name == "organizations.usage" and call.asked.get("action") != "list-sub-accounts-usage":
            continue
        call.operation, call.names = read.name, found.groupdict()
        return read
    return None


def answer_read(read: Read, manner: Manner, world: World, call: Call) -> Answer:
    """What a platform of this manner answers to an assumed read."""
    if manner is Manner.FORBIDDEN:
        return 403, {"message": "Forbidden"}
    is_seen = read.name.startswith("public_files.") or read.name == "assistants.get"
    is_there = manner.has_reads or (manner is Manner.PUBLIC and is_seen)
    found = read.answer(world, call) if is_there else None
    if found is None:
        return 404, {"message": "Not Found"}
    return 200, {read.wrapper: found} if manner is Manner.WRAPPED and read.wrapper else found


def shape(manner: Manner, operation: str, found: Any) -> Any:
    """A documented answer in the shape of a manner; one whose shape is shown stays as it is."""
    if manner is Manner.WRAPPED and operation in WRAPPERS:
        return {WRAPPERS[operation]: found}
    return found
