"""What the embedded platform decided where the specification is silent: what, why, and where it is carried out.

Nothing here is a fact about the real platform. `where` names the module below `dashboard.sandbox`.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Assumption:
    """One decision."""

    section: str
    what: str
    why: str
    where: str


_S: Final = Assumption

WIRE: Final = (
    _S("5, 7", "An unknown path is 404 and a wrong method 405, both before the token is looked at; then 401; then the "
       "operation that the query names (“Route not found”, “Type not specified”); then what the operation checks.",
       "The specification gives an order only through its rows; a gateway that routes, signs in and hands over is the "
       "usual one.", "transport"),
    _S("7", "400, 403, 404, 405 and 429 answer errCode and errMsg, 401 and 5xx answer message; starting a live "
       "always answers errCode and errMsg, 401 included.",
       "Two shapes are publicly documented; the specification fixes only the one of a live's start.", "http_types.Refusal"),
    _S("5", "The traffic operation takes the token with or without `Bearer `; every other operation takes it raw only.",
       "The specification says Bearer for this one operation, known clients send it raw.", "transport"),
    _S("7", "Sentences that the specification does not spell out are the sandbox's own: only those in "
       "`vocabulary.Message` are the platform's.", "Rows such as “invalid body” name no message.", "validators"),
    _S("gaps 15", "A request body may have 10,485,760 bytes; more is 413 in plain text.", "Another client's tests say so; the "
       "specification shows no limit.", "http_types.BODY_LIMIT"),
    _S("4", "Fields and parameters that no operation knows are ignored, except for creating a sub-account.",
       "Only that operation says that no other field is allowed.", "validators.Shape"),
    _S("conventions", "Doubled and trailing slashes in a path are forgiven; nothing ever redirects.",
       "Public examples write `/aiworkflow/` and `/analytics//traffic`.", "transport"),
)  # fmt: skip

SUBTITLES: Final = (
    _S("3", "A job waits 2 to 5 seconds and runs 6 to 35, decided by its id.", "No durations are shown.", "clock"),
    _S("3", "A transcription of a silent video ends SKIPPED, of broken audio ERROR; a translation into `sw` ends ERROR, "
       "into `ta` SKIPPED; a job whose target appeared meanwhile ends SKIPPED. `metadata.reason` then says why.",
       "The conditions are not shown, and people must see every end.", "clock, jobs"),
    _S("4.1", "Another source language on tier essential is 400 with the sentence of `auto`, which is 403.",
       "Only the row of `auto` is shown.", "handlers.ai"),
    _S("4.1", "Fields are checked first, then 403, then 404, then the state of subtitles and jobs.",
       "The video is named in the body, so it cannot come before it.", "handlers.ai"),
    _S("4.1", "An array is accepted or refused as a whole, may not be empty, and holds translations only; a single "
       "translation may also come as an object.", "Rules 1 and 2, and one transaction per call.", "handlers.ai"),
    _S("4.1", "`additional_langs` become translations of their own, queued when the transcription has ended; repeated "
       "languages count once, and the field is refused for a TRANSLATION.",
       "How extra languages run is not shown; as jobs they can be watched.", "jobs"),
    _S("4.1", "`auto` with TRANSLATION is 400; `auto` writes the subtitle in the video's spoken language.",
       "“Transcription only”.", "handlers.ai, jobs"),
    _S("2.1, 4.16", "GET /aiworkflow answers a bare array, newest first, and needs video_id.", "Not shown.",
       "handlers.ai"),
    _S("5", "A parent's token makes and lists the AI subtitle jobs of its sub-accounts' videos; a sub-account's own token is "
       "not refused either.", "“Use the API token of the parent account”; no error is shown for another one.",
       "validators.workflow_video"),
    _S("2.1", "Languages of subtitles are compared without case; codes in a body must be spelled as listed.",
       "Public clients see both `pt-br` and `pt-BR`.", "handlers.ai"),
)  # fmt: skip

CONTENT: Final = (
    _S("8", "A job uses a credit for every minute of its video that has begun, and gives them back when it ends in ERROR or "
       "SKIPPED. They are those of whose token it was sent with; nothing is refused for want of credits.",
       "Costs are not shown.", "jobs"),
    _S("8", "GET /credits answers the balance and what changed it, newest first; without dates of the last 30 days. "
       "type, where it is sent, must be general.", "Publicly documented; its refusals are not.", "handlers.organizations"),
    _S("4.3", "Parts that are not sent stay as they are; a part that is sent is replaced as a whole, unknown keys included.",
       "“Replaces the content sent”; changing only `abstract` may leave the PDF, made from `abstract_html`, out of "
       "sync: so it stays.", "handlers.ai"),
    _S("4.3", "Nothing to save is 400; a language without a file, or a file without the resource, is 404.",
       "“Video or resource not found in the given language”.", "handlers.ai"),
    _S("4.3, 9", "Without a language the legacy file is written where the video has any AI content.", "Not shown.",
       "handlers.ai"),
    _S("2.8, 4.3", "The public file answers with the version before for 8 seconds (settable); any query string leads past "
       "the cache (settable). ETag and Age are sent.", "“Propagation is not instantaneous”, no figures.",
       "handlers.ai, clock"),
    _S("2.8", "The file holds the keys of the save operation and nothing else; config.ai.resources[] has type (ebook, "
       "mindmap, quiz) and lang.", "Neither is shown.", "handlers.ai, serializers"),
    _S("gaps 15", "A job of type ALL_TEXT_ITEMS makes eBook, mind map and quiz; a language that has any of them, and a second "
       "job of one language, are 400. It costs what a subtitle costs.", "The call is published, its refusals and its price are "
       "not; histories that were seen charge about one credit a begun minute.", "handlers.ai, jobs"),
    _S("4.16", "DELETE /aiworkflow/aipackage takes video_id, lang and resources and answers 404 for what is not there. What was "
       "deleted can be saved again.", "Neither path nor body is known anywhere.", "handlers.ai"),
)  # fmt: skip

REVIEW: Final = (
    _S("4.4", "expires_at must be later than now.", "A link that is born expired helps nobody; not shown.",
       "handlers.reviews"),
    _S("4.4, 4.7", "“Letters” are those of every language, in link names, user names and field keys.",
       "Not defined; accents are everyday in Portuguese.", "vocabulary"),
    _S("2.3, 4.16", "GET /video-review/{video_id}?action=link lists the links, a bare array.", "Only referred to.",
       "handlers.reviews"),
    _S("4.7", "GET /public-video-review/{link_id} and …/comments read a link with its video, and its comments, also "
       "when the link has expired or is inactive; resolved comments and their replies are left out where show_resolved "
       "is false.", "No read is documented; the refusals of section 7 are those of writes.", "handlers.reviews"),
    _S("2.4, 8", "Comments belong to the video: links of one video share them and the limit of 30.",
       "The record has video_id and no link; the limit is per video.", "handlers.reviews"),
    _S("4.7", "Only a main comment can be replied to.", "“Valid sibling” is not defined; nesting is not limited elsewhere.",
       "handlers.reviews"),
    _S("4.8", "An update checks: 401 (no token), 404 (link), 403 (link), 404 (comment), 401 (another's text), 403 "
       "(status not allowed), 400.", "What may not be done is said before what is wrong with it.",
       "handlers.reviews"),
    _S("4.8", "Any reviewer may move a main comment in time; its replies follow, and do not move alone.",
       "Only text asks for the writer's token; a reply inherits its time.", "handlers.reviews"),
)  # fmt: skip

REST: Final = (
    _S("3", "A sub-account is active 30 seconds after it was created. Its administrator's token is shown on the sandbox's "
       "own page, and is refused before.", "No operation hands out tokens.", "handlers.organizations, clock"),
    _S("4.2", "tax_id has 11 digits (CPF) or 14 characters (CNPJ, whose first twelve may be letters); check digits are "
       "not verified. phone needs a digit.", "“Without punctuation”; nothing else is shown.", "handlers.organizations"),
    _S("4.16", "GET /organizations?action=list-sub-accounts-usage lists sub-accounts with videos, bytes stored, and bytes "
       "delivered in the last 30 whole days.",
       "Only referred to.", "handlers.organizations"),
    _S("4.5", "Create takes name, description and video_ids, as update does; finish takes the winner's video id as winner; "
       "delete takes id in the body or the query. Start needs two videos. A wrong state is 400, a missing test 404.",
       "Payloads and refusals are not shown.", "handlers.comparisons"),
    _S("4.6", "Custom fields are listed as a bare array and created with 201, at most 50 per video.",
       "Publicly documented.", "handlers.videos"),
    _S("3, 4.9", "A live is online 20 seconds after its start was accepted. Lives are listed, read and finished below /lives "
       "and created at /live.", "Durations and paths are not shown; one client creates at /live.", "handlers.lives, clock"),
    _S("4.16", "Creating a live needs a title; a folder has to be the account's. The answer, and reading one live, has rtmp and "
       "stream_key; the list has not.", "Public documentation lists both with one live.", "handlers.lives, serializers"),
    _S("4.16", "Only a live that is online can be finished; it is finished at once and for good.", "Not shown.",
       "handlers.lives"),
    _S("4.10", "A video that is already in the funnel moves to its new place.", "Not shown.", "handlers.funnels"),
    _S("4.11", "Without parent_folder_id the whole tree comes as an object, with it the children come as an array; status "
       "false gives the inactive folders only.", "Both forms are allowed; sending both keeps readers honest.",
       "handlers.videos"),
    _S("4.11", "GET /folders/{folder_id} answers one folder with its funnels.", "One client describes it so.",
       "handlers.videos"),
    _S("4.14", "Reading a playlist that is missing or someone else's is 404.", "Only deleting is described.",
       "handlers.videos"),
    _S("4.13", "GET /assist-ai lists assistants with their visibility by video; hidden where nothing was ever set.",
       "No list is documented.", "handlers.ai"),
    _S("4.12, 4.15", "Without dates the last 30 days are meant; days before the last 400 and after today hold nothing. "
       "Wrong dates, a start after the end and an unknown granularity are 400.", "Defaults and refusals are not shown.",
       "handlers.analytics"),
    _S("2.9", "Money of the referral summary is in cents, with the currency beside it.", "Not shown.",
       "handlers.analytics"),
    _S("1", "Films, stills and subtitle files are served below /sandbox/media/ with HTTP ranges; video_mp4 is a field "
       "of our own.", "Browsers must be able to seek; the player's own files are not described.", "media"),
)  # fmt: skip

NUMBERS: Final = (
    _S("4.15", "Browsers, cities, referrers and the ranking answer `{data: [rows]}`: first the label, then `date` where "
       "granularity is day (2026-11-20) or hour (the hour's beginning in UTC), then view, unique_view, play and "
       "unique_play. A label without a view has no row.", "No body is shown; the names are those of the general report, "
       "the only ones that clients agree on.", "reports"),
    _S("4.15", "A city has its region's name, its country's code and its coordinates; country and region are compared "
       "without case.", "Only latitude, longitude and the example of a country code are shown.", "reports"),
    _S("4.15", "The ranking is of videos, the most played first, each with title, video_id and video_external_id.",
       "“Ranking of the account over a period” says no more.", "reports"),
    _S("4.5", "General answers `{views_data: {day: …}}` with every day of the period, by the hour for one or two days.",
       "Clients see hours or days depending on the range; where it changes is not known.", "reports"),
    _S("4.5", "Retention answers `{retention: {second: percent}}` of those who play; nothing where nobody played.",
       "One client says so; the other one's shape is probably wrong.", "reports"),
    _S("4.12", "Traffic is in bytes, every day of the period has a row, the average is over those days.",
       "Units are not stated.", "reports"),
    _S("4.15", "Days are UTC. Today counts until now. Every report of an account splits the same views.",
       "No time zone is named, and numbers that contradict each other would teach nothing.", "audience"),
    _S("4.5", "Each variant of a running A/B test gets a fifth of the account's views, and more of its viewers press play "
       "where its hidden play rate is higher.", "How traffic is split is not shown.", "audience"),
    _S("1", "Every film is the same 72 seconds, repeated until the video's length; its burnt-in time starts over with it.",
       "One film is enough to play, seek and comment, and it is small.", "media"),
)  # fmt: skip

ASSUMPTIONS: Final = (*WIRE, *SUBTITLES, *CONTENT, *REVIEW, *REST, *NUMBERS)
