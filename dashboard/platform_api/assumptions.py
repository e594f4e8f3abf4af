"""What the specification does not show, and what was assumed instead: one row each.

`tests/platform_api/test_assumptions.py` holds a proof per row, so a row is what the client really does. To learn that
one is wrong is to change the row, its proof and the reader beside it, and nothing else.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Basis(StrEnum):
    """How much is known."""

    PUBLISHED = "a"
    """Stated in public documentation."""
    OBSERVED = "b"
    """Read out of public client code."""
    UNKNOWN = "c"
    """Found nowhere: anything is accepted."""
    GUESS = "guess"
    """An analogy of our own."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """`operations` as `group.method`, or `*`; `settings` are the environment variables that change it, where any make sense."""

    operations: tuple[str, ...]
    assumed: str
    why: str
    basis: Basis
    settings: tuple[str, ...] = ()


# Videos

VIDEO_LIST: Final = Assumption(
    ("videos.list",),
    "GET /videos with page (from 1), limit, title, status, folder_id and root_folder answers videos, total and pages.",
    why="The specification has no list of videos; independent clients agree on this one.",
    basis=Basis.OBSERVED,
    settings=("PLATFORM_PATHS",),
)
VIDEO_LIST_END: Final = Assumption(
    ("videos.list",),
    "total and pages may be missing: then a page with fewer videos than asked for is the last.",
    "No default and no maximum of limit is known.",
    Basis.OBSERVED,
)
VIDEO_FIELDS: Final = Assumption(
    ("videos.list", "videos.get"),
    "A video is a flat object, or one under the key video; length is in seconds and may be fractional, storage_size in bytes.",
    "The specification names the operation only; clients agree on the fields, units are read from how they use them.",
    Basis.OBSERVED,
)
TWO_IDENTIFIERS: Final = Assumption(
    ("videos.get", "ai_workflow.read_package"),
    "id goes into calls, video_external_id into players and content files.",
    "Clients that mix them get 404.",
    Basis.OBSERVED,
)
PULLZONE: Final = Assumption(
    ("videos.list", "videos.get"),
    "The CDN zone name is read out of the host of video_player (player-{zone}.), or out of its parameter l.",
    "The specification gives it only with A/B tests, but content files need it.",
    Basis.OBSERVED,
)
MP4: Final = Assumption(
    ("videos.list", "videos.get"),
    "video_mp4 is the address of a plain file, where there is one.",
    "By analogy to video_hls; without it the portal plays HLS or the platform's own player.",
    Basis.GUESS,
)
AI_RESOURCES: Final = Assumption(
    ("videos.get",),
    "config.ai.resources is an array of objects with type and lang or a flag for each kind, or an object by kind or language. "
    "A language alone says that there is something in it, not what; without the array nobody knows what there is.",
    "The specification names the array, not its elements; missing is only what the platform could have named.",
    Basis.UNKNOWN,
)
SUBTITLES: Final = Assumption(
    ("videos.subtitles",),
    "GET /subtitles/{video_id} answers subtitles with srclang and label, or a bare array.",
    why="The specification shows no read of existing subtitles, but its rules depend on them.",
    basis=Basis.OBSERVED,
    settings=("PLATFORM_PATHS",),
)
SUBTITLE_TEXT: Final = Assumption(
    ("videos.read_subtitle",),
    "GET /subtitles/{video_id}/{lang} answers WebVTT, as text or inside JSON. An address inside JSON is not followed.",
    why="A server that fetches whatever address it is told can be sent anywhere.",
    basis=Basis.OBSERVED,
    settings=("PLATFORM_PATHS",),
)
CUSTOM_FIELDS: Final = Assumption(
    ("custom_fields.list",),
    "GET /videos/{video_id}?custom_fields answers a bare array; keys that could not be written are read.",
    why="The specification shows the update only.",
    basis=Basis.PUBLISHED,
    settings=("PLATFORM_PATHS",),
)

# AI subtitles and content

JOB_LIST: Final = Assumption(
    ("ai_workflow.jobs",),
    "GET /aiworkflow?video_id= answers an array, bare or under a key, or one object, of items as creation answers them.",
    "The specification names the read and not its answer.",
    Basis.GUESS,
)
JOB_KINDS: Final = Assumption(
    ("ai_workflow.jobs",),
    "Kinds and states beyond the specification's are shown as they come.",
    "Older public documentation has a third kind.",
    Basis.PUBLISHED,
)
PACKAGE_REPLY: Final = Assumption(
    ("ai_workflow.save_package",), "Any 2xx means saved, whatever the body.", "The body is not shown.", Basis.UNKNOWN
)
PACKAGE_FILE: Final = Assumption(
    ("ai_workflow.read_package",),
    "The content file is asked for without a token; 401 and 403 mean that it is not there.",
    "It is called public; file stores that do not list answer 403 for what they do not have.",
    Basis.GUESS,
)
PACKAGE_FRESH: Final = Assumption(
    ("ai_workflow.read_package",),
    "A query that was never used reads past the CDN's caches.",
    "Propagation after a save is not instantaneous, and no other way is shown.",
    Basis.GUESS,
)
PACKAGE_CONTENT: Final = Assumption(
    ("ai_workflow.read_package",),
    "The file is an object with questions, mindmap and abstract; what is in it is kept as it is, unknown keys included.",
    "The player reads those keys (gaps 15, A2); the specification shows no others.",
    Basis.PUBLISHED,
)
PACKAGE_MINDMAP: Final = Assumption(
    ("ai_workflow.read_package",),
    "The mind map is a tree: its root has theme and children, every other topic text, time (HH:MM:SS.mmm or MM:SS.mmm, or a "
    "number of seconds) and children; trees of other names are read, too.",
    "The player draws it so (gaps 15, A1); the specification does not show its structure.",
    Basis.PUBLISHED,
)
PACKAGE_PLAYER: Final = Assumption(
    ("ai_workflow.read_package",),
    "Of an eBook viewers see headings to level 3, lists with dashes, bold and links; of a quiz the first correct answer counts.",
    "The player does so (gaps 15, A4 and A5).",
    Basis.PUBLISHED,
)
PACKAGE_EXPLANATION: Final = Assumption(
    ("ai_workflow.save_package",),
    "A question may have an explanation, a text.",
    "Another client shows it (gaps 15, A5).",
    Basis.OBSERVED,
)
PACKAGE_SIZE: Final = Assumption(
    ("ai_workflow.save_package",),
    "A body of more than 10,485,760 bytes is answered 413 in plain text, so none is sent.",
    "Another client's tests say so (gaps 15, A11); the specification shows no limit.",
    Basis.OBSERVED,
)

PACKAGE_GENERATE: Final = Assumption(
    ("ai_workflow.generate_package",),
    "POST /aiworkflow with video_id, from_lang and the type ALL_TEXT_ITEMS makes eBook, mind map and quiz at once; any 2xx "
    "means accepted, and jobs in the answer are read like those of subtitles. At another path the body is video_id, lang and "
    "resources (ebook, mindmap, quiz).",
    why="The specification names the operation only; the call is published (gaps 15, A3), its answer and its price are not.",
    basis=Basis.PUBLISHED,
    settings=("PLATFORM_PATHS",),
)
PACKAGE_DELETE: Final = Assumption(
    ("ai_workflow.delete_package",),
    "DELETE /aiworkflow/aipackage with video_id, lang and resources (ebook, mindmap, quiz) deletes them; any 2xx means done.",
    why="The specification names the operation only; the path is that of saving the same content, and other deletions take a body.",
    basis=Basis.GUESS,
    settings=("PLATFORM_PATHS",),
)

# Public files of the player (gaps 15)

PUBLIC_HOSTS: Final = Assumption(
    ("public_files.video", "public_files.live", "public_files.subtitle"),
    "Public files are on hosts beside the player's: config., config-live. and subtitles. in the place of player-{pullzone}.",
    "The player asks them there (gaps 15, A12); the specification names {config_url} alone.",
    Basis.PUBLISHED,
    ("PLATFORM_CONFIG_URL", "PLATFORM_LIVE_CONFIG_URL", "PLATFORM_SUBTITLES_URL"),
)
TELLING_IDS: Final = Assumption(
    ("lives.get", "comparisons.get"),
    "Ids of lives begin with 6c697665 and those of A/B tests with 636f6d70, the hex of live and comp; others do not.",
    "The player tells them apart so (gaps 15, A8); the specification says it of A/B tests.",
    Basis.PUBLISHED,
)
VIDEO_CONFIG: Final = Assumption(
    ("public_files.video",),
    "{config_url}/{pullzone}/{external_id}.json, public: ai with questions, mindmap, abstract and pdf_generated, subtitles by "
    "srclang, bookMarks with time and title, assistant_id. 404 means that there is none.",
    "The player reads it so; the specification names the files of AI content only.",
    Basis.PUBLISHED,
    settings=("PLATFORM_CONFIG_URL",),
)
PDF_FILES: Final = Assumption(
    ("public_files.document",),
    "{config_url}/{pullzone}/{external_id}/abstract.pdf and mindmap.pdf, public, where pdf_generated is true. Last-Modified, where "
    "it is sent, is when they were made.",
    "The player links them (gaps 15, A4); the header means that everywhere.",
    Basis.PUBLISHED,
    ("PLATFORM_CONFIG_URL",),
)
COMPARISON_FILE: Final = Assumption(
    ("public_files.comparison",),
    "{config_url}/{pullzone}/comparison/{id}.json, public: status, videos as external ids, winner_video_id.",
    why="The player reads it so, and draws one of the videos anew, with equal chance, each time that a page is loaded.",
    basis=Basis.PUBLISHED,
    settings=("PLATFORM_CONFIG_URL",),
)
LIVE_FILE: Final = Assumption(
    ("public_files.live",),
    "{live_config_url}/{pullzone}/{external_id}-live.json, public: status online, finished or finished_imported; any other one "
    "waits. title, thumb.",
    why="The player asks for it every five seconds.",
    basis=Basis.PUBLISHED,
    settings=("PLATFORM_LIVE_CONFIG_URL",),
)
SUBTITLE_FILE: Final = Assumption(
    ("public_files.subtitle",),
    "{subtitles_url}/{pullzone}/{external_id}/{srclang}.vtt, public: WebVTT.",
    why="The player reads it so.",
    basis=Basis.PUBLISHED,
    settings=("PLATFORM_SUBTITLES_URL",),
)


# Review links and comments

LINK_LIST: Final = Assumption(
    ("review_links.list",),
    "GET /video-review/{video_id}?action=link answers the links of a video.",
    why="The specification says that a list exists; the path is that of creation.",
    basis=Basis.GUESS,
    settings=("PLATFORM_REVIEW_READS", "PLATFORM_PATHS"),
)
LINK_READ: Final = Assumption(
    ("public_review.read_link",),
    "GET /public-video-review/{link_id}?token= answers the link.",
    why="By analogy to the path of its comments.",
    basis=Basis.GUESS,
    settings=("PLATFORM_REVIEW_READS", "PLATFORM_PATHS"),
)
COMMENT_LIST: Final = Assumption(
    ("public_review.comments",),
    "GET /public-video-review/{link_id}/comments?token= answers the comments.",
    why="By analogy to creating one.",
    basis=Basis.GUESS,
    settings=("PLATFORM_REVIEW_READS", "PLATFORM_PATHS"),
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


# Lives, funnels, folders, playlists, assistants, sub-accounts

LIVE_READS: Final = Assumption(
    ("lives.list", "lives.get"),
    "GET /lives and /lives/{id} answer lives with title, status and scheduled_at or scheduled_time.",
    why="The paths are those of starting one; the second name of the time is that of creating one.",
    basis=Basis.GUESS,
    settings=("PLATFORM_PATHS",),
)
LIVE_STATES: Final = Assumption(
    ("lives.list", "lives.get"),
    "States are compared in lower case, and finished and finished_imported exist.",
    "Notifications of the platform write them in capitals.",
    Basis.PUBLISHED,
)
LIVE_KEYS: Final = Assumption(
    ("lives.list", "lives.get", "lives.create"),
    "stream_key and rtmp may come with a live; no record and no kept answer has them. Who presses for them reads them anew.",
    "Whoever sees them can broadcast. Public documentation lists both with one live, a client reads them after creating.",
    Basis.OBSERVED,
)
LIVE_CREATE: Final = Assumption(
    ("lives.create",),
    "POST /live takes title, scheduled_time, active_dvr, bitrate, folder_id and latency_type, and answers the new live.",
    why="Public documentation names the fields, a client the path and the answer.",
    basis=Basis.OBSERVED,
    settings=("PLATFORM_PATHS",),
)
LIVE_CREATE_VALUES: Final = Assumption(
    ("lives.create",), "title alone is required; times are in UTC, bitrate lists 720p or so.", "Not shown.", Basis.GUESS
)
LIVE_FINISH: Final = Assumption(
    ("lives.finish",),
    "POST /lives/{id}/finish, without a body, ends a live for good; any 2xx accepts it, unless its status says false.",
    why="By analogy to starting one: neither path, answer nor the move that it causes is shown.",
    basis=Basis.GUESS,
    settings=("PLATFORM_PATHS",),
)
FUNNEL_READS: Final = Assumption(
    ("funnels.list", "funnels.get", "folders.funnels"),
    "GET /funnels and /funnels/{id} answer id, name, folder_id and videos with front_coordinates and is_first; "
    "GET /folders/{id} names the funnels of a folder.",
    why="The specification names the fields and no read; one client describes the folder.",
    basis=Basis.GUESS,
    settings=("PLATFORM_PATHS",),
)
FOLDER_TREE: Final = Assumption(
    ("folders.list",),
    "Without parent_folder_id the answer is the whole tree, flat.",
    "Clients build the tree from parent_folder_id.",
    Basis.OBSERVED,
)
FOLDER_STATUS: Final = Assumption(
    ("folders.list",), "status travels as true or false.", "The form of a boolean in a query is not shown.", Basis.GUESS
)
PLAYLIST_READS: Final = Assumption(
    ("playlists.list", "playlists.get"),
    "GET /playlists and /playlists/{id} answer id, name and videos or playlist_videos.",
    why="One client reads these paths; no answer is known.",
    basis=Basis.OBSERVED,
    settings=("PLATFORM_PATHS",),
)
ASSISTANT_LIST: Final = Assumption(
    ("assistants.list",),
    "GET /assist-ai answers assistants with id, name and the videos where their chat is shown.",
    why="Nothing public; without it people type the id of an assistant.",
    basis=Basis.GUESS,
    settings=("PLATFORM_PATHS",),
)
ASSISTANT_READ: Final = Assumption(
    ("assistants.get",),
    "GET /assist-ai/assistant_by_id/{id} answers an assistant with status queued or ready, and its videos with process_status.",
    why="A client reads it so; what a process_status says is not shown: ready, completed, finished, done and processed are over.",
    basis=Basis.OBSERVED,
    settings=("PLATFORM_PATHS",),
)
CHAT_REPLY: Final = Assumption(
    ("assistants.update_chat_visibility",), "Any 2xx means done.", "The body is not shown.", Basis.UNKNOWN
)
CREDITS: Final = Assumption(
    ("credits.history",),
    "GET /credits?type=general&start_date=&end_date= answers balance and history: entries with type SUB or ADD, status, "
    "amount, created_at, video and description.",
    why="The specification says that credits are used, not how many; public documentation has this read.",
    basis=Basis.PUBLISHED,
    settings=("PLATFORM_PATHS",),
)
CREDIT_PRICE: Final = Assumption(
    ("credits.history",),
    "No price is assumed: what a job has used is its entry in the history, whatever the amount.",
    "Histories that were seen have about one credit for a begun minute and language (gaps 15, A13); no price is published.",
    Basis.UNKNOWN,
)
SUB_ACCOUNT_LATER: Final = Assumption(
    ("organizations.create_sub_account",),
    "Nothing tells when a sub-account has become usable; states other than creating are shown as they come.",
    "No read of sub-accounts and no later state is shown.",
    Basis.UNKNOWN,
)
SUB_ACCOUNT_USAGE: Final = Assumption(
    ("organizations.usage",),
    "GET /organizations?action=list-sub-accounts-usage answers sub-accounts with figures, in an array or by name.",
    why="The specification names the operation only; the path is that of creating one. Figures keep the platform's names.",
    basis=Basis.GUESS,
    settings=("PLATFORM_PATHS",),
)

# Lists

LIST_SHAPES: Final = Assumption(
    (
        "videos.list",
        "folders.list",
        "lives.list",
        "funnels.list",
        "playlists.list",
        "assistants.list",
        "comparisons.list",
    ),
    "A list is an array or an object by identifier, of records, bare or wrapped, or of UUIDs. What is neither is unreadable.",
    "Only the list of folders is shown, in two shapes; an empty list would be a statement.",
    Basis.UNKNOWN,
)
LISTED_VIDEOS: Final = Assumption(
    ("playlists.get", "funnels.get", "comparisons.get"),
    "Videos in a record are objects, UUIDs, or links that name theirs as video_id or video; playlist_videos are links.",
    "The specification speaks of links to videos and shows none; the id of a link is no video's.",
    Basis.UNKNOWN,
)


# Analytics

ANALYTICS_SHAPES: Final = Assumption(
    ("analytics.browser", "analytics.city", "analytics.referrer", "analytics.ranking", "analytics.member_referrals"),
    "Objects in arrays or by label or date, labels with values, columns, totals; what is not understood is shown as it came.",
    "Their bodies are not shown and were found nowhere.",
    Basis.UNKNOWN,
)
UTC_DAYS: Final = Assumption(
    (
        "analytics.browser",
        "analytics.city",
        "analytics.referrer",
        "analytics.ranking",
        "analytics.traffic",
        "analytics.general",
        "analytics.retention",
    ),
    "The platform's days begin at midnight UTC, and an hour that names no offset is UTC: pages say so in other zones.",
    "Dates are sent without a zone and no document names the one they are cut in; days that are cut cannot be moved.",
    Basis.GUESS,
)
GENERAL_SHAPE: Final = Assumption(
    ("analytics.general",),
    "views_data holds figures by date or hour, to be added up; flat totals are read as well.",
    "Two independent clients add up buckets, a third reads totals.",
    Basis.OBSERVED,
)
RETENTION_SHAPE: Final = Assumption(
    ("analytics.retention",),
    "retention holds percent by second; an array and points are read as well.",
    "Clients disagree.",
    Basis.OBSERVED,
)
TRAFFIC_SHAPE: Final = Assumption(
    ("analytics.traffic",),
    "data holds t, a date, and b, bytes; total_consumed and average_daily_consumption may stand beside it.",
    "One client notes the rows from a real answer, the documentation names the totals.",
    Basis.OBSERVED,
)
TRAFFIC_AUTH: Final = Assumption(
    ("analytics.traffic",),
    "The token travels as Bearer, as the specification says.",
    why="Clients send it raw, as everywhere else: if the answer is 401 while all else works, change the setting.",
    basis=Basis.OBSERVED,
    settings=("PLATFORM_TRAFFIC_AUTH",),
)
TRAFFIC_HOST: Final = Assumption(
    ("analytics.traffic",),
    "Without an address of its own, traffic lives on the main one.",
    why="The specification writes its address differently; public documentation shows the same host.",
    basis=Basis.PUBLISHED,
    settings=("PLATFORM_TRAFFIC_URL",),
)

# Every operation

ERROR_BODY: Final = Assumption(
    ("*",),
    "The sentence of an error is errMsg, else message, else error, else a short text.",
    "Shown for starting a live only; applications and gateways answer differently.",
    Basis.PUBLISHED,
)
SUCCESS: Final = Assumption(
    ("*",),
    "Any 2xx is a success, unless its body says error, errCode, errMsg, or success: false; then nothing is certain.",
    "One operation is documented with 201 where the rest have 200; no document shows an error with a 200.",
    Basis.PUBLISHED,
)
TOO_LARGE: Final = Assumption(
    ("*",),
    "A body of more than 10,485,760 bytes is answered 413 in plain text, and nothing is done.",
    "A client has met it; what the platform says in it is not shown.",
    Basis.OBSERVED,
)
NO_SUCH_ROUTE: Final = Assumption(
    ("*",),
    "405, 501 and a 403 that says Missing Authentication Token mean that the platform lacks the operation.",
    "Gateways answer so, and operations that are only assumed may not exist.",
    Basis.GUESS,
)
RATE_LIMIT: Final = Assumption(
    ("*",),
    "429 means too many calls; reads wait up to two seconds if Retry-After asks for no more.",
    "Limits are not shown; a client backs off on 429.",
    Basis.OBSERVED,
)
REDIRECTS: Final = Assumption(
    ("*",),
    "A redirect is an error: no operation answers with one.",
    "Following it would carry the token to an address that nobody set.",
    Basis.UNKNOWN,
)
SIZE: Final = Assumption(
    ("*",),
    "No answer is larger than 8 MB.",
    "Size limits are not shown; a year by the hour is below 2 MB.",
    Basis.GUESS,
)
TIME_ZONE: Final = Assumption(
    ("*",), "A time without a zone is in UTC.", "ISO 8601 is said, a zone is not.", Basis.GUESS
)

ALL: Final = {name: value for name, value in vars().items() if isinstance(value, Assumption)}
"""Every row by its name, in this order."""
