"""What the strict platform holds at the beginning of a drive: one account with one of everything, in memory."""

from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
TOKEN = "strict-token-of-the-owner"
ZONE = "vz-0a1b2c3d-4e5"
WHEN = "2026-06-01T10:00:00.000Z"


def uid(number: int) -> str:
    return f"7b0e{number:04d}-5d1c-4c55-9d3e-0a52c8e1f6a1"


PLAIN, SPOKEN, TAUGHT = uid(1), uid(2), uid(3)
"""Videos: without anything; with subtitles in pt-BR and a custom field; with AI content in en."""
OUTSIDE = {video: uid(int(video[4:8]) + 500) for video in (PLAIN, SPOKEN, TAUGHT)}
"""Their external ids."""
LIVE = "6c697665-0001-4c55-9d3e-0a52c8e1f6a1"
FIELD, FUNNEL, FOLDER, SUB_FOLDER, PLAYLIST, LINK, SUB_ACCOUNT = (uid(number) for number in range(21, 28))
ASSISTANT = "assistant-of-sales"
DRAFT, RUNNING = "636f6d70-0001-4c55-9d3e-0a52c8e1f6a1", "636f6d70-0002-4c55-9d3e-0a52c8e1f6a1"
TITLES = {PLAIN: "The valley", SPOKEN: "Meet Joaquim", TAUGHT: "The first spark"}


def quiz() -> list[Record]:
    return [
        {
            "id": f"q{number}",
            "enunciate": f"What is number {number}?",
            "options": [{"text": "This", "correct": True}, {"text": "That", "correct": False}],
        }
        for number in (1, 2)
    ]


def content() -> Record:
    """The file of AI content: everything that 4.3 names, and a key that nobody knows."""
    return {
        "questions": quiz(),
        "questions_config": {"num_answers": 2, "show_results": True},
        "mindmap": {"title": "Root", "children": [{"title": "Branch"}]},
        "abstract": "# Spark\n\nThe first one.",
        "abstract_html": "<h1>Spark</h1><p>The first one.</p>",
        "abstract_summary": "Short.",
        "abstract_cover": {"title": "Spark"},
    }


def _video(video: str) -> Record:
    outside = OUTSIDE[video]
    ai = {"resources": [{"type": kind, "lang": "en"} for kind in ("quiz", "ebook", "mindmap")]}
    return {
        "id": video,
        "video_external_id": outside,
        "title": TITLES[video],
        "description": None,
        "status": "CONVERTED",
        "folder_id": FOLDER,
        "created_at": WHEN,
        "updated_at": WHEN,
        "length": 63.5,
        "playable": True,
        "video_player": f"https://player-{ZONE}.media.example/embed/?v={outside}",
        "config": {
            "subtitles": [{"srclang": "pt-BR", "label": "Portuguese"}] if video == SPOKEN else [],
            "ai": ai if video == TAUGHT else {"resources": []},
        },
    }


def _comparison(comparison: str, name: str, status: str) -> Record:
    videos = [{"id": video, "title": TITLES[video]} for video in (PLAIN, SPOKEN)]
    return {"id": comparison, "name": name, "description": "Which opens better", "status": status, "videos": videos}


@dataclass
class World:
    """Everything that a call can read or change."""

    videos: dict[str, Record] = field(default_factory=lambda: {one: _video(one) for one in TITLES})
    jobs: list[Record] = field(default_factory=list)
    files: dict[str, Record] = field(default_factory=lambda: {f"{ZONE}/{OUTSIDE[TAUGHT]}-ai.en.json": content()})
    links: dict[str, Record] = field(default_factory=dict)
    comments: list[Record] = field(default_factory=list)
    comparisons: dict[str, Record] = field(
        default_factory=lambda: {
            DRAFT: _comparison(DRAFT, "Openings", "DRAFT"),
            RUNNING: {**_comparison(RUNNING, "Endings", "IN_PROGRESS"), "started_at": WHEN},
        }
    )
    fields: dict[str, Record] = field(
        default_factory=lambda: {
            FIELD: {
                "id": FIELD,
                "video_id": SPOKEN,
                "key": "mood",
                "value": "calm",
                "created_at": WHEN,
                "updated_at": WHEN,
            }
        }
    )
    lives: dict[str, Record] = field(
        default_factory=lambda: {
            LIVE: {"id": LIVE, "title": "Launch", "status": "offline", "scheduled_at": "2037-01-01T10:00:00Z"}
        }
    )
    funnels: dict[str, Record] = field(
        default_factory=lambda: {
            FUNNEL: {
                "id": FUNNEL,
                "name": "Course",
                "folder_id": FOLDER,
                "videos": [
                    {
                        "id": PLAIN,
                        "title": TITLES[PLAIN],
                        "front_coordinates": {"x": 100, "y": 100},
                        "is_first": True,
                    }
                ],
            }
        }
    )
    folders: list[Record] = field(
        default_factory=lambda: [
            {
                "id": folder,
                "name": name,
                "user_id": uid(90),
                "parent_folder_id": parent,
                "status": True,
                "videos_count": count,
                "created_at": WHEN,
                "updated_at": WHEN,
            }
            for folder, name, parent, count in (
                (FOLDER, "Courses", None, "3"),
                (SUB_FOLDER, "Drafts", FOLDER, "0"),
            )
        ]
    )
    playlists: dict[str, Record] = field(
        default_factory=lambda: {
            PLAYLIST: {
                "id": PLAYLIST,
                "name": "Best of the valley",
                "videos": [{"id": one, "title": TITLES[one]} for one in (PLAIN, SPOKEN)],
            }
        }
    )
    made: int = 100
    """How many records were made: the next one's number."""

    def new_id(self) -> str:
        self.made += 1
        return uid(self.made)
