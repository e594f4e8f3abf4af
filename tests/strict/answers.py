"""What the strict platform answers to documented operations, and what they change (sections 2, 3 and 4)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.strict import world as names
from tests.strict.world import WHEN, ZONE, Record, World

Answer = tuple[int, Any]


@dataclass
class Call:
    """One request as it came."""

    method: str
    path: str
    query: list[tuple[str, str | None]]
    headers: dict[str, str]
    body: Any
    operation: str = ""
    names: dict[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> dict[str, str | None]:
        return dict(self.query)

    @property
    def token(self) -> str | None:
        return self.asked.get("token")

    def __str__(self) -> str:
        query = "&".join(name if value is None else f"{name}={value}" for name, value in self.query)
        return f"{self.method} {self.path}{'?' * bool(query)}{query}"


def create_jobs(world: World, call: Call) -> Answer:
    made = [
        {
            "id": f"job-{world.new_id()}",
            "video_id": one["video_id"],
            "type": one["type"],
            "status": "QUEUE",
            "from_lang": one["from_lang"],
            "to_lang": one.get("to_lang"),
            "metadata": {},
            "created_at": WHEN,
        }
        for one in (call.body if isinstance(call.body, list) else [call.body])
    ]
    world.jobs += made
    return 200, made if isinstance(call.body, list) else made[0]


def list_jobs(world: World, call: Call) -> Answer:
    return 200, [job for job in world.jobs if job["video_id"] == call.asked["video_id"]]


def create_sub_account(world: World, call: Call) -> Answer:
    return 200, {"status": "creating", "organization_id": names.SUB_ACCOUNT, "name": call.body["name"]}


def save_package(world: World, call: Call) -> Answer:
    sent = {key: value for key, value in call.body.items() if key not in ("video_id", "lang")}
    lang = f".{call.body['lang']}" if "lang" in call.body else ""
    name = f"{ZONE}/{names.OUTSIDE[call.body['video_id']]}-ai{lang}.json"
    world.files[name] = {**world.files.get(name, {}), **sent}
    return 200, {}


def read_file(world: World, call: Call) -> Answer:
    found = world.files.get(call.names["file"])
    return (200, found) if found is not None else (404, {"message": "Not found"})


def get_video(world: World, call: Call) -> Answer:
    found = world.videos.get(call.names["video_id"])
    return (200, found) if found else (404, {"errCode": "NotFound", "errMsg": "Video not found"})


def create_link(world: World, call: Call) -> Answer:
    closes = datetime.fromtimestamp(call.body["expires_at"] / 1000, UTC).isoformat()
    switches = {name: call.body.get(name, True) for name in ("allow_comment", "allow_status_edit", "show_resolved")}
    made = {
        "id": names.LINK,
        "video_id": call.names["video_id"],
        "name": call.body["link_name"],
        "status": "active",
        "expires_at": closes,
        **switches,
        "created_at": WHEN,
        "updated_at": WHEN,
    }
    world.links[names.LINK] = made
    return 200, made


def list_comparisons(world: World, call: Call) -> Answer:
    return 200, {"comparisons": [*world.comparisons.values()], "pullzone": ZONE}


def _shown(comparison: Record) -> Record:
    return {**comparison, "pullzone": ZONE}


def get_comparison(world: World, call: Call) -> Answer:
    found = world.comparisons.get(call.names["comparison_id"])
    return (200, _shown(found)) if found else (404, {"errMsg": "Comparison not found"})


def create_comparison(world: World, call: Call) -> Answer:
    made = f"636f6d70-{world.new_id()[9:]}"
    videos = [{"id": one, "title": names.TITLES[one]} for one in call.body["video_ids"]]
    about = {"name": call.body["name"], "description": call.body.get("description", "")}
    world.comparisons[made] = {"id": made, **about, "status": "DRAFT", "videos": videos}
    return 200, _shown(world.comparisons[made])


def change_comparison(world: World, call: Call) -> Answer:
    found, what, body = world.comparisons[call.names["comparison_id"]], call.asked["type"], call.body or {}
    if what == "start":
        found["status"] = "IN_PROGRESS"
    elif what == "finish":
        found |= {"status": "COMPLETED", "winner": body.get("winner_video_id")}
    else:
        found |= {name: body[name] for name in ("name", "description") if name in body}
    return 200, _shown(found)


def delete_comparison(world: World, call: Call) -> Answer:
    world.comparisons.pop((call.body or {}).get("id", ""), None)
    return 200, {}


def update_field(world: World, call: Call) -> Answer:
    found = world.fields[str(call.asked["id"])]
    found |= call.body
    return 200, found


def create_comment(world: World, call: Call) -> Answer:
    parent = next((one for one in world.comments if one["id"] == call.body.get("reply_to")), None)
    made = {
        "id": world.new_id(),
        "video_id": world.links[call.names["link_id"]]["video_id"],
        "user_name": call.body["user_name"],
        "text": call.body["text"],
        "status": "open",
        "time": parent["time"] if parent else call.body["time"],
        "reply_to": call.body.get("reply_to"),
        "created_at": WHEN,
        "updated_at": WHEN,
    }
    world.comments.append(made)
    return 200, made


def update_comment(world: World, call: Call) -> Answer:
    found = next(one for one in world.comments if one["id"] == call.names["comment_id"])
    found |= call.body
    return 200, found


def start_live(world: World, call: Call) -> Answer:
    world.lives[call.names["live_id"]]["scheduled_at"] = None
    return 200, {"status": True}


def add_videos(world: World, call: Call) -> Answer:
    board = world.funnels[call.body["id"]]["videos"]
    for sent in call.body["videos"]:
        if sent.get("is_first"):
            for one in board:
                one["is_first"] = False
        known = next((one for one in board if one["id"] == sent["id"]), None)
        if known is None:
            board.append({"title": names.TITLES[sent["id"]], "is_first": False, **sent})
        else:
            known |= sent
    return 200, {"message": "Videos added."}


def list_folders(world: World, call: Call) -> Answer:
    parent, active = call.asked.get("parent_folder_id"), call.asked.get("status", "true") == "true"
    found = [one for one in world.folders if parent is None or one["parent_folder_id"] == parent]
    return 200, [one for one in found if one["status"] or not active]


def switch_chat(world: World, call: Call) -> Answer:
    return 200, {}


def delete_playlist(world: World, call: Call) -> Answer:
    if world.playlists.pop(call.names["playlist_id"], None) is None:
        return 400, {"message": "Playlist not found"}
    return 200, {"message": "Playlist deleted."}


def _figures(rows: list[Record]) -> Callable[[World, Call], Answer]:
    return lambda world, call: (200, rows)


ANSWERS: dict[str, Callable[[World, Call], Answer]] = {
    "ai_workflow.create": create_jobs,
    "ai_workflow.jobs": list_jobs,
    "organizations.create": create_sub_account,
    "ai_workflow.save": save_package,
    "ai_workflow.file": read_file,
    "videos.get": get_video,
    "review_links.create": create_link,
    "comparisons.list": list_comparisons,
    "comparisons.get": get_comparison,
    "comparisons.create": create_comparison,
    "comparisons.change": change_comparison,
    "comparisons.delete": delete_comparison,
    "analytics.general": lambda world, call: (200, {"views_data": {"2026-06-01": {"play": 31, "view": 77}}}),
    "analytics.retention": lambda world, call: (200, {"retention": {"0": 100, "5": 61, "10": 43}}),
    "custom_fields.update": update_field,
    "comments.create": create_comment,
    "comments.update": update_comment,
    "lives.start": start_live,
    "funnels.add_videos": add_videos,
    "folders.list": list_folders,
    "analytics.traffic": lambda world, call: (200, {"data": [{"t": call.asked["start_date"], "b": 5_000_000_000}]}),
    "assistants.switch": switch_chat,
    "playlists.delete": delete_playlist,
    "analytics.browser": _figures([{"browser": "Netfarer", "views": 412}]),
    "analytics.browser_of_video": _figures([{"browser": "Netfarer", "views": 412}]),
    "analytics.city": _figures([{"city": "Ouro Preto", "latitude": -20.4, "longitude": -43.5, "views": 412}]),
    "analytics.referrer": _figures([{"referrer": "school.example", "views": 412}]),
    "analytics.ranking": _figures([{"video_id": names.SPOKEN, "title": names.TITLES[names.SPOKEN], "views": 412}]),
    "analytics.member_referrals": lambda world, call: (
        200,
        {"link": "https://platform.example/r/1", "pending": 12, "total_received": 30, "balance": 18},
    ),
}
