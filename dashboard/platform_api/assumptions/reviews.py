"""Assumed of review links, comments and A/B tests."""

from typing import Final

from dashboard.platform_api.assumptions.assumption import Assumption, Basis

# Review links and comments

LINK_LIST: Final = Assumption(
    ("review_links.list",),
    "GET /video-review/{video_id}?action=link answers the links of a video.",
    "The specification says that a list exists; the path is that of creation.",
    Basis.GUESS,
    ("PLATFORM_REVIEW_READS", "PLATFORM_PATHS"),
)
LINK_READ: Final = Assumption(
    ("public_review.read_link",),
    "GET /public-video-review/{link_id}?token= answers the link.",
    "By analogy to the path of its comments.",
    Basis.GUESS,
    ("PLATFORM_REVIEW_READS", "PLATFORM_PATHS"),
)
COMMENT_LIST: Final = Assumption(
    ("public_review.comments",),
    "GET /public-video-review/{link_id}/comments?token= answers the comments.",
    "By analogy to creating one.",
    Basis.GUESS,
    ("PLATFORM_REVIEW_READS", "PLATFORM_PATHS"),
)
LINK_STATES: Final = Assumption(
    ("review_links.create", "review_links.list", "public_review.read_link"),
    "Every state of a link but active means that it is closed.",
    "Only active is named.",
    Basis.UNKNOWN,
)
LETTERS: Final = Assumption(
    ("review_links.create", "public_review.create_comment", "custom_fields.update"),
    "Letters and digits are those of any script, not of English alone.",
    "The patterns say letters; names of people and cuts have accents, and a refusal of the platform is shown anyway.",
    Basis.GUESS,
)

# A/B tests

COMPARISON_CREATE: Final = Assumption(
    ("comparisons.create",),
    "POST /comparison takes name, description and video_ids.",
    "Those are the fields that update takes.",
    Basis.GUESS,
)
COMPARISON_START: Final = Assumption(
    ("comparisons.start",), "Starting needs no body.", "Its payload is not shown.", Basis.UNKNOWN
)
COMPARISON_FINISH: Final = Assumption(
    ("comparisons.finish",),
    "Finishing takes the winner's video id as winner_video_id; where that is refused, as winner.",
    "The specification says that the winner is declared, not how; the player's public file has it as winner_video_id.",
    Basis.GUESS,
)
COMPARISON_DELETE: Final = Assumption(
    ("comparisons.delete",),
    "DELETE /comparison takes the id in its body, as id.",
    "The specification has no id in the path; other deletions of the platform take a body.",
    Basis.GUESS,
)
COMPARISON_ANSWER: Final = Assumption(
    ("comparisons.start", "comparisons.update", "comparisons.finish"),
    "An answer that is not the test itself means that it was done; the test is then read.",
    "The answers are not shown.",
    Basis.UNKNOWN,
)
COMPARISON_FIELDS: Final = Assumption(
    ("comparisons.list", "comparisons.get"),
    "Beside the fields shown: status, winner, started_at, finished_at; videos are objects or identifiers.",
    "Other fields are not shown.",
    Basis.UNKNOWN,
)
VARIANT_DATES: Final = Assumption(
    ("analytics.general", "analytics.retention"),
    "Variant analytics take start_date and end_date.",
    "Stated for retention; clients send them to both.",
    Basis.PUBLISHED,
)
