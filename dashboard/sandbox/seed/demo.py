"""The demo's account: a coffee cooperative with a library, a course, a campaign, and colleagues who disagree about cuts.

Ids and tokens are always the same; times are relative to the moment of seeding. The same moment gives the same bytes.
"""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.apps import apps
from django.db import transaction

from dashboard.sandbox import clock
from dashboard.sandbox.models import Live, Organization, live_id
from dashboard.sandbox.seed import library, people, work
from dashboard.sandbox.seed.library import CLIPS, OTHER_CLIPS, SCHOOL_CLIPS
from dashboard.sandbox.seed.people import HOUSES, PEOPLE, comparison_id, external_id, known, pullzone, token
from dashboard.sandbox.seed.work import ASSISTANTS, BROADCASTS, COURSES, FUNNELS, TRIALS, Broadcast, reviewer

DATABASE: Final = "sandbox"


def seed(reset: bool = False, now: datetime | None = None) -> bool:
    """Write the demo's records in one transaction, and say whether anything was written.

    `reset`: forget everything the embedded platform holds first, also what people made. Without it, an account that is
    there stays as it is.
    """
    now = now or clock.now()
    with transaction.atomic(using=DATABASE):
        if reset:
            _forget()
        elif _seeded():
            return False
        people.seed_people(now)
        library.seed_library(now)
        work.seed_reviews(now)
        work.seed_jobs_and_tests(now)
        work.seed_publications(now)
    return True


def ensure_seeded() -> None:
    """Seed the demo unless it is there."""
    if not _seeded():
        seed()


def _seeded() -> bool:
    return Organization.objects.filter(pk=known("organization", "owner")).exists()


def _forget() -> None:
    """Empty every table. In which order does not matter: references are checked when the transaction ends."""
    for model in apps.get_app_config("sandbox").get_models():
        model._default_manager.using(DATABASE).all()._raw_delete(DATABASE)


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
    """Tokens and identifiers by role, all as text, of records that are certainly there."""
    ensure_seeded()
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
