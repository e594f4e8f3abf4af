"""The cast: which seeded record plays which part. Names of roles are fixed (architecture, section 3)."""

from typing import Any
from uuid import UUID

from dashboard.sandbox.models import Live, live_id
from dashboard.sandbox.seed.identity import comparison_id, external_id, known, pullzone, token
from dashboard.sandbox.seed.library import CLIPS, OTHER_CLIPS, SCHOOL_CLIPS
from dashboard.sandbox.seed.people import HOUSES, PEOPLE
from dashboard.sandbox.seed.publishing import ASSISTANTS, BROADCASTS, COURSES, FUNNELS, Broadcast
from dashboard.sandbox.seed.reviewing import reviewer
from dashboard.sandbox.seed.working import TRIALS

VIDEOS = {
    "plain": "plain",
    "with_subtitles": "how_we_roast",
    "with_ai_content": "cherry_pt",
    "other_account": "other_plain",
    "other_account_with_subtitles": "other_with_subtitles",
    "legacy_ai_content": "answers",
    "reviewed": "launch_film",
    "cut_1": "cut_1",
    "cut_2": "cut_2",
    "silent": "rain",
    "broken_audio": "tape",
    "converting": "diary_6",
    "of_sub_account": "school_milk",
}
LINKS = ("open", "view_only", "no_status_edit", "hidden_resolved", "expired", "inactive", "full", "legal")
FOLDERS = {"root": "launch", "nested": "vertical", "inactive": "archive"}


def cast() -> dict[str, Any]:
    """Tokens and identifiers of the seeded records by role, all as text."""
    stills = {clip.key: clip.still for clip in (*CLIPS, *SCHOOL_CLIPS, *OTHER_CLIPS)}
    return {
        "tokens": {person.key: token(person.key) for person in PEOPLE},
        "videos": {role: str(known("video", key)) for role, key in VIDEOS.items()},
        "external_ids": {role: str(external_id(key, stills[key])) for role, key in VIDEOS.items()},
        "review_links": {key: str(known("link", key)) for key in LINKS},
        "reviewers": {"open": reviewer("open", "Camila Duarte"), "full": reviewer("full", "Bruna Figueiredo")},
        "comments": {
            "resolved": str(known("comment", "open 0")),
            "with_30_replies": str(known("comment", "full 0")),
            "on_cut_2": str(known("comment", "view_only 2")),
        },
        "ab_tests": {trial.key: comparison_id(trial.key) for trial in TRIALS},
        "lives": {live.key: str(_find_live(live)) for live in BROADCASTS},
        "funnels": {key: str(known("funnel", key)) for key, *_ in FUNNELS},
        "folders": {role: str(known("folder", key)) for role, key in FOLDERS.items()},
        "playlists": {course.key: str(known("playlist", course.key)) for course in COURSES},
        "custom_fields": {
            "color": str(known("field", "plain color")),
            "mood": str(known("field", "plain mood")),
            "other_account": str(known("field", "other_plain color")),
        },
        "assistants": {key: str(known("assistant", key)) for key, *_ in ASSISTANTS},
        "organizations": {person.key: str(known("organization", person.house)) for person in PEOPLE if person.house},
        "names": {house.key: house.name for house in HOUSES},
        "pullzone": pullzone("owner"),
    }


def _find_live(broadcast: Broadcast) -> UUID:
    """The id of a seeded live: an earlier version gave lives ids of another form."""
    seeded = live_id(known("live", broadcast.key))
    former = Live.objects.filter(pk=known("live", broadcast.key)).values_list("pk", flat=True).first()
    return former or seeded
