"""Assumed of videos, their subtitles and their AI content."""

from typing import Final

from dashboard.platform_api.assumptions.assumption import Assumption, Basis

# Videos

VIDEO_LIST: Final = Assumption(
    ("videos.list",),
    "GET /videos with page (from 1), limit, title, status, folder_id and root_folder answers videos, total and pages.",
    "The specification has no list of videos; independent clients agree on this one.",
    Basis.OBSERVED,
    ("PLATFORM_PATHS",),
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
    "The specification shows no read of existing subtitles, but its rules depend on them.",
    Basis.OBSERVED,
    ("PLATFORM_PATHS",),
)
SUBTITLE_TEXT: Final = Assumption(
    ("videos.read_subtitle",),
    "GET /subtitles/{video_id}/{lang} answers WebVTT, as text or inside JSON. An address inside JSON is not followed.",
    "A server that fetches whatever address it is told can be sent anywhere.",
    Basis.OBSERVED,
    ("PLATFORM_PATHS",),
)
CUSTOM_FIELDS: Final = Assumption(
    ("custom_fields.list",),
    "GET /videos/{video_id}?custom_fields answers a bare array; keys that could not be written are read.",
    "The specification shows the update only.",
    Basis.PUBLISHED,
    ("PLATFORM_PATHS",),
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
    "The specification names the operation only; the call is published (gaps 15, A3), its answer and its price are not.",
    Basis.PUBLISHED,
    ("PLATFORM_PATHS",),
)
PACKAGE_DELETE: Final = Assumption(
    ("ai_workflow.delete_package",),
    "DELETE /aiworkflow/aipackage with video_id, lang and resources (ebook, mindmap, quiz) deletes them; any 2xx means done.",
    "The specification names the operation only; the path is that of saving the same content, and other deletions take a body.",
    Basis.GUESS,
    ("PLATFORM_PATHS",),
)

# Public files of the player (gaps 15)

VIDEO_CONFIG: Final = Assumption(
    ("public_files.video",),
    "{config_url}/{pullzone}/{external_id}.json, public: ai with questions, mindmap, abstract and pdf_generated, subtitles by "
    "srclang, bookMarks with time and title, assistant_id. 404 means that there is none.",
    "The player reads it so; the specification names the files of AI content only.",
    Basis.PUBLISHED,
    ("PLATFORM_CONFIG_URL",),
)
COMPARISON_FILE: Final = Assumption(
    ("public_files.comparison",),
    "{config_url}/{pullzone}/comparison/{id}.json, public: status, videos as external ids, winner_video_id.",
    "The player reads it so, and draws one of the videos anew, with equal chance, each time that a page is loaded.",
    Basis.PUBLISHED,
    ("PLATFORM_CONFIG_URL",),
)
LIVE_FILE: Final = Assumption(
    ("public_files.live",),
    "{live_config_url}/{pullzone}/{external_id}-live.json, public: status online, finished or finished_imported; any other one "
    "waits. title, thumb.",
    "The player asks for it every five seconds.",
    Basis.PUBLISHED,
    ("PLATFORM_LIVE_CONFIG_URL",),
)
SUBTITLE_FILE: Final = Assumption(
    ("public_files.subtitle",),
    "{subtitles_url}/{pullzone}/{external_id}/{srclang}.vtt, public: WebVTT.",
    "The player reads it so.",
    Basis.PUBLISHED,
    ("PLATFORM_SUBTITLES_URL",),
)
