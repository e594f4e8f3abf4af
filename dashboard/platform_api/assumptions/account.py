"""Assumed of lives, funnels, folders, playlists, assistants, sub-accounts and credits."""

from typing import Final

from dashboard.platform_api.assumptions.assumption import Assumption, Basis

# Lives, funnels, folders, playlists, assistants, sub-accounts

LIVE_READS: Final = Assumption(
    ("lives.list", "lives.get"),
    "GET /lives and /lives/{id} answer lives with title, status and scheduled_at or scheduled_time.",
    "The paths are those of starting one; the second name of the time is that of creating one.",
    Basis.GUESS,
    ("PLATFORM_PATHS",),
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
    "Public documentation names the fields, a client the path and the answer.",
    Basis.OBSERVED,
    ("PLATFORM_PATHS",),
)
LIVE_CREATE_VALUES: Final = Assumption(
    ("lives.create",), "title alone is required; times are in UTC, bitrate lists 720p or so.", "Not shown.", Basis.GUESS
)
LIVE_FINISH: Final = Assumption(
    ("lives.finish",),
    "POST /lives/{id}/finish, without a body, ends a live for good; any 2xx accepts it, unless its status says false.",
    "By analogy to starting one: neither path, answer nor the move that it causes is shown.",
    Basis.GUESS,
    ("PLATFORM_PATHS",),
)
FUNNEL_READS: Final = Assumption(
    ("funnels.list", "funnels.get", "folders.funnels"),
    "GET /funnels and /funnels/{id} answer id, name, folder_id and videos with front_coordinates and is_first; "
    "GET /folders/{id} names the funnels of a folder.",
    "The specification names the fields and no read; one client describes the folder.",
    Basis.GUESS,
    ("PLATFORM_PATHS",),
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
    "One client reads these paths; no answer is known.",
    Basis.OBSERVED,
    ("PLATFORM_PATHS",),
)
ASSISTANT_LIST: Final = Assumption(
    ("assistants.list",),
    "GET /assist-ai answers assistants with id, name and the videos where their chat is shown.",
    "Nothing public; without it people type the id of an assistant.",
    Basis.GUESS,
    ("PLATFORM_PATHS",),
)
ASSISTANT_READ: Final = Assumption(
    ("assistants.get",),
    "GET /assist-ai/assistant_by_id/{id} answers an assistant with status queued or ready, and its videos with process_status.",
    "A client reads it so; what a process_status says is not shown: ready, completed, finished, done and processed are over.",
    Basis.OBSERVED,
    ("PLATFORM_PATHS",),
)
CHAT_REPLY: Final = Assumption(
    ("assistants.update_chat_visibility",), "Any 2xx means done.", "The body is not shown.", Basis.UNKNOWN
)
CREDITS: Final = Assumption(
    ("credits.history",),
    "GET /credits?type=general&start_date=&end_date= answers balance and history: entries with type SUB or ADD, status, "
    "amount, created_at, video and description.",
    "The specification says that credits are used, not how many; public documentation has this read.",
    Basis.PUBLISHED,
    ("PLATFORM_PATHS",),
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
    "The specification names the operation only; the path is that of creating one. Figures keep the platform's names.",
    Basis.GUESS,
    ("PLATFORM_PATHS",),
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
