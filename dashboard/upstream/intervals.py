"""How long an answer of each operation is new, and which of our own writes make it old at once."""

from dataclasses import dataclass
from typing import Final

MINUTE: Final = 60.0

SECONDS: Final[dict[str, float]] = {
    "ai_workflow.jobs": 2.5,  # somebody watches them; just under the interval at which a page asks
    "analytics.browser": 2 * MINUTE,  # questions about days that are over bring their own, longer interval
    "analytics.city": 2 * MINUTE,
    "analytics.general": 2 * MINUTE,
    "analytics.member_referrals": 2 * MINUTE,
    "analytics.ranking": 2 * MINUTE,
    "analytics.referrer": 2 * MINUTE,
    "analytics.retention": 2 * MINUTE,
    "analytics.traffic": 2 * MINUTE,
    "assistants.get": 30.0,
    "assistants.list": MINUTE,
    "comparisons.get": 20.0,
    "comparisons.list": 30.0,
    "credits.history": 5 * MINUTE,
    "custom_fields.list": 10.0,
    "folders.funnels": MINUTE,
    "folders.list": MINUTE,
    "funnels.get": 30.0,
    "funnels.list": 30.0,
    "lives.get": 5.0,
    "lives.list": 15.0,
    "organizations.usage": MINUTE,
    "playlists.get": 30.0,
    "playlists.list": 30.0,
    "public_files.comparison": MINUTE,  # no longer than this behind the CDN
    "public_files.document": MINUTE,
    "public_files.live": 5.0,  # as often as the player itself asks
    "public_files.subtitle": MINUTE,
    "public_files.video": MINUTE,
    "review_links.list": MINUTE,
    "videos.get": 5 * MINUTE,
    "videos.list": 5.0,
    "videos.read_subtitle": 10.0,
    "videos.subtitles": 10.0,
}
"""Seconds by operation. Answers of operations that are not listed are not kept."""


@dataclass(frozen=True)
class Change:
    """Reads that a write makes old: those of `operation`, and with `about_it` only those about the subject of the write."""

    operation: str
    about_it: bool = True


CHANGES: Final[dict[str, tuple[Change, ...]]] = {
    "ai_workflow.create": (
        Change("ai_workflow.jobs"),
        Change("videos.subtitles"),
        Change("credits.history", about_it=False),
    ),
    "ai_workflow.delete_package": (Change("videos.get"),),
    "ai_workflow.generate_package": (
        Change("ai_workflow.jobs"),
        Change("videos.get"),
        Change("credits.history", about_it=False),
    ),
    "assistants.update_chat_visibility": (
        Change("assistants.get", about_it=False),
        Change("assistants.list", about_it=False),
        Change("videos.get", about_it=False),
    ),
    "comparisons.create": (Change("comparisons.list", about_it=False),),
    "comparisons.start": (
        Change("comparisons.get"),
        Change("comparisons.list", about_it=False),
        Change("public_files.comparison", about_it=False),
    ),
    "comparisons.update": (Change("comparisons.get"), Change("comparisons.list", about_it=False)),
    "comparisons.finish": (
        Change("comparisons.get"),
        Change("comparisons.list", about_it=False),
        Change("public_files.comparison", about_it=False),
    ),
    "comparisons.delete": (Change("comparisons.get"), Change("comparisons.list", about_it=False)),
    "custom_fields.update": (Change("custom_fields.list"),),
    "funnels.add_videos": (Change("funnels.get"), Change("funnels.list", about_it=False)),
    "lives.create": (Change("lives.get"), Change("lives.list", about_it=False)),
    "lives.finish": (
        Change("lives.get"),
        Change("lives.list", about_it=False),
        Change("public_files.live", about_it=False),
    ),
    "lives.start": (
        Change("lives.get"),
        Change("lives.list", about_it=False),
        Change("public_files.live", about_it=False),
    ),
    "organizations.create_sub_account": (Change("organizations.usage", about_it=False),),
    "playlists.delete": (Change("playlists.get"), Change("playlists.list", about_it=False)),
    "review_links.create": (Change("review_links.list"),),
}
"""By the operation of the write, as section 4 names them."""
