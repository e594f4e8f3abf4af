"""Every documented operation: where it lives, what it may carry, how it is signed. The numbers are the specification's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.strict.checks import Check, anything, array, boolean, either, number, one_of, record, seconds, text, uuid

RAW, BEARER, NOBODY = "raw token", "Bearer", "no Authorization"
SOMETHING = r"(?P<{}>[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})"
DAY = text(pattern=r"\d{4}-\d\d-\d\d")
FLAG = one_of(None)
"""A key of the query without a value, and without `=`."""
LANGUAGES = re.findall(
    r"\S+",
    "en pt es en-UK pt-BR es-MX en-US it it-ch fr fr-be fr-ca fr-lu fr-ch de de-at de-li de-lu de-ch ja zh hi ko vi th no hu "
    "sw sr id nl tr fil pl sv bg ro ar cs el fi hr sk da uk ru ta ms uz",
)
LETTERS = r"[^\W_]"


@dataclass(frozen=True)
class Operation:
    """One row. `path` begins with the host's name; `{video_id}` in it stands for a uuid. `body` None: there is none."""

    name: str
    method: str
    path: str
    query: Mapping[str, Check] = field(default_factory=dict)
    optional: Mapping[str, Check] = field(default_factory=dict)
    body: Check | None = None
    auth: str = RAW

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"\{(\w+)\}", lambda found: SOMETHING.format(found[1]), self.path))


LANG = one_of(*LANGUAGES)
TIER = one_of("essential", "pro", "advanced")
TRANSCRIPTION = record(
    {
        "type": one_of("TRANSCRIPTION"),
        "video_id": uuid,
        "from_lang": one_of("auto", *LANGUAGES),
        "tier": TIER,
    },
    {"additional_langs": array(record({"lang": LANG}))},
)
TRANSLATION = array(
    record({"type": one_of("TRANSLATION"), "video_id": uuid, "from_lang": LANG, "to_lang": LANG, "tier": TIER}), least=1
)
GENERATION = record({"type": one_of("ALL_TEXT_ITEMS"), "video_id": uuid, "from_lang": LANG})
"""Published in the platform's reference (gaps 15, A3): eBook, mind map and quiz at once."""
SUB_ACCOUNT = record(
    {
        "name": text(1, 255),
        "currency": one_of("brl", "usd"),
        "phone": text(),
        "tax_id": text(pattern="[0-9A-Z]{11,14}"),
        "user": record({"name": text(1, 255), "email": text(3, 255, r"[^@\s]+@[^@\s]+")}),
    }
)
QUESTION = record(
    {"enunciate": text(), "options": array(record({"text": text(0), "correct": boolean}))}, {"id": text()}
)
PACKAGE = record(
    {"video_id": uuid},
    {
        "lang": text(),
        "questions": array(QUESTION),
        "questions_config": anything,
        "mindmap": anything,
        "abstract": text(0),
        "abstract_html": text(0),
        "abstract_summary": text(0),
        "abstract_cover": record({}, dict.fromkeys(("kicker", "title", "subtitle", "edition_label"), text(0))),
    },
)
LINK = record(
    {"link_name": text(1, 255, rf"(?:{LETTERS}|[ \-_.])+"), "expires_at": number},
    dict.fromkeys(("allow_comment", "allow_status_edit", "show_resolved"), boolean),
)
WORDS = text(1, 500, r"[^<>{}\[\]]+")
NAME = text(1, 100, rf"(?:{LETTERS}|[ \-_.@])+")
COMMENT = either(
    record({"text": WORDS, "user_name": NAME, "time": seconds}),
    record({"text": WORDS, "user_name": NAME, "reply_to": uuid}, {"time": seconds}),
)
CHANGE = record({}, {"text": WORDS, "status": one_of("open", "resolved"), "time": seconds})
PLACED = record({"id": uuid, "front_coordinates": record({"x": number, "y": number})}, {"is_first": boolean})
RANGE = {"start_date": DAY, "end_date": DAY}
PERIOD = {**RANGE, "granularity": one_of("total", "day", "hour")}
OPEN = record({}, dict.fromkeys(("name", "description", "video_ids", "winner_video_id", "id"), anything))
"""Payloads that are not shown: the fields that 4.5 names, and those that the product assumes."""
COMPARISON = r"/base/comparison/(?P<comparison_id>636f6d70-[0-9a-f-]+)"

OPERATIONS = (
    Operation(
        "ai_workflow.create", "POST", "/base/aiworkflow", body=either(TRANSCRIPTION, TRANSLATION, GENERATION)
    ),  # 4.1
    Operation("ai_workflow.jobs", "GET", "/base/aiworkflow", {"video_id": uuid}),  # 4.1 rule 5
    Operation(
        "organizations.create",
        "POST",
        "/base/organizations",
        {"action": one_of("create-sub-account")},
        body=SUB_ACCOUNT,
    ),  # 4.2
    Operation("ai_workflow.save", "PUT", "/base/aiworkflow/aipackage", body=PACKAGE),  # 4.3
    Operation("videos.get", "GET", "/base/videos/{video_id}"),  # 4.3, 4.16
    Operation(
        "ai_workflow.file",
        "GET",
        r"/config/(?P<file>[\w-]+/[0-9a-f-]+-ai(?:\.[\w-]+)?\.json)",
        optional={"fresh": text()},
        auth=NOBODY,
    ),  # 2.8; the query is our own, past the caches of a public file
    Operation("review_links.create", "POST", "/base/video-review/{video_id}", {"action": one_of("link")}, body=LINK),
    Operation("comparisons.list", "GET", "/base/comparison"),  # 4.5
    Operation("comparisons.get", "GET", COMPARISON),
    Operation("comparisons.create", "POST", "/base/comparison", body=OPEN),
    Operation(
        "comparisons.change",
        "PUT",
        COMPARISON,
        {"type": one_of("start", "update", "finish")},
        body=either(OPEN, one_of(None)),
    ),
    Operation("comparisons.delete", "DELETE", "/base/comparison", body=OPEN),
    Operation("analytics.general", "GET", "/data/general/{video_id}", optional=RANGE),
    Operation("analytics.retention", "GET", "/data/retention/{video_id}", optional=RANGE),
    Operation(
        "custom_fields.update",
        "PUT",
        "/base/videos/{video_id}",
        {"custom_fields": FLAG, "id": uuid},
        body=record({"value": text(1, 500)}, {"key": text(1, 200, f"{LETTERS}+")}),
    ),  # 4.6
    Operation(
        "comments.create",
        "POST",
        "/base/public-video-review/{link_id}/comments",
        {"token": uuid},
        body=COMMENT,
        auth=NOBODY,
    ),  # 4.7
    Operation(
        "comments.update",
        "PUT",
        "/base/public-video-review/{link_id}/comments/{comment_id}",
        {"token": uuid},
        body=CHANGE,
        auth=NOBODY,
    ),  # 4.8
    Operation("lives.start", "POST", "/base/lives/{live_id}/start"),  # 4.9
    Operation(
        "funnels.add_videos",
        "POST",
        "/base/funnels/add_videos",
        body=record({"id": uuid, "videos": array(PLACED, least=1)}),
    ),  # 4.10
    Operation(
        "folders.list",
        "GET",
        "/base/folders",
        optional={"parent_folder_id": uuid, "status": one_of("true", "false")},
    ),  # 4.11
    Operation("analytics.traffic", "GET", "/traffic/analytics/traffic", {"video_id": uuid, **RANGE}, auth=BEARER),
    Operation(
        "assistants.switch",
        "POST",
        "/base/assist-ai/update_chat_visibility",
        body=record({"assistant_id": text(), "video_id": text(), "chat_is_visible": boolean}),
    ),  # 4.13
    Operation("playlists.delete", "DELETE", "/base/playlists/{playlist_id}"),  # 4.14
    Operation("analytics.browser", "GET", "/data/browser", optional=PERIOD),  # 4.15
    Operation("analytics.browser_of_video", "GET", "/data/browser/{video_id}", optional=PERIOD),
    Operation("analytics.city", "GET", "/data/city", optional={**PERIOD, "country": text(), "region": text()}),
    Operation("analytics.referrer", "GET", "/data/referrer", optional=PERIOD),
    Operation("analytics.ranking", "GET", "/data/ranking", optional=RANGE),
    Operation("analytics.member_referrals", "GET", "/data/member-referrals"),
)


def deviations(
    operation: Operation,
    query: list[tuple[str, str | None]],
    headers: Mapping[str, str],
    body: object,
    token: str,
) -> list[str]:
    """What of a call is not documented."""
    given = dict(query)
    known = {**operation.query, **operation.optional}
    said = [f"query {name} is sent twice" for name in given if [key for key, _ in query].count(name) > 1]
    said += [f"query {name} is missing" for name in operation.query if name not in given]
    said += [f"query {name} is not documented" for name in given if name not in known]
    said += [line for name, value in given.items() if name in known for line in known[name](value, f"query {name}")]
    if operation.name == "analytics.city" and given.get("granularity") in ("day", "hour") and not given.get("region"):
        said.append("query region is required by the day and by the hour")
    said += _headers(operation, headers, body, token)
    if operation.body is not None:
        return said + operation.body(body, "body")
    return said + ([f"there is a body: {body!r}"] if body is not None else [])


ALLOWED = {
    "host",
    "accept",
    "accept-encoding",
    "connection",
    "user-agent",
    "content-type",
    "content-length",
    "authorization",
}


def _headers(operation: Operation, headers: Mapping[str, str], body: object, token: str) -> list[str]:
    expected = {RAW: token, BEARER: f"Bearer {token}", NOBODY: None}[operation.auth]
    said = [f"header {name} is not documented" for name in headers if name not in ALLOWED]
    if headers.get("authorization") != expected:
        said.append(f"Authorization is not as documented ({operation.auth})")
    if body is not None and headers.get("content-type", "").partition(";")[0] != "application/json":
        said.append(f"Content-Type is {headers.get('content-type')!r}")
    return said
