"""The row type of the table in `routes`, and JSON Schemas of what the platform answers [2], for its OpenAPI document."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from dashboard.platform_api.vocabulary import CommentStatus, JobStatus, JobType, Message, TestStatus
from dashboard.sandbox.http_types import Answer, JsonObject, SandboxRequest
from dashboard.sandbox.validators import Kind

Handler: TypeAlias = Callable[[SandboxRequest], Answer]


class Auth(StrEnum):
    """How a caller shows who it is [5]."""

    ACCOUNT = "account"
    """The raw API token in Authorization."""
    BEARER = "bearer"
    """The traffic operation: the API token with or without `Bearer `."""
    REVIEWER = "reviewer"
    """A session token (uuid) in the query parameter `token`; no Authorization."""
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter, for the documentation; the handler checks it with the same kind."""

    name: str
    kind: Kind
    required: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class When:
    """What chooses among operations of one method and path: a query parameter (no value: a flag), or a word of the body."""

    name: str
    value: str | None = None

    in_body: bool = False

    def holds(self, request: SandboxRequest) -> bool:
        words = request.body_words if self.in_body else request.query
        return self.name in words and (self.value is None or words[self.name] == self.value)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the platform."""

    name: str
    """`group.method`, as the client and the fault panel call it."""
    method: str
    path: str
    """Host part and path with `{arguments}`: `/api/videos/{video_id}`."""
    handle: Handler
    section: str
    """Of the specification, or `gaps N` where only public material speaks."""
    summary: str
    auth: Auth = Auth.ACCOUNT
    when: When | None = None
    unrouted: tuple[int, str] = (404, Message.ROUTE_NOT_FOUND)
    """The answer when no operation of this method and path fits the query."""
    query: tuple[Parameter, ...] = ()
    body: Kind | None = None
    answer: JsonObject = field(default_factory=dict)
    """JSON Schema of the answer."""
    status: int = 200
    refusals: tuple[int, ...] = ()
    """Statuses of refusals beyond 401 and 500, which every operation with an account can have."""
    coded: bool = False
    """Errors always carry errCode and errMsg [7: live start]."""
    content_type: str = "application/json"
    documented: bool = True
    """Part of the OpenAPI document."""

    @property
    def writes(self) -> bool:
        return self.method not in ("GET", "HEAD")


STRING: Final[JsonObject] = {"type": "string"}
ID: Final[JsonObject] = {"type": "string", "format": "uuid"}
TIME: Final[JsonObject] = {"type": "string", "format": "date-time"}
FLAG: Final[JsonObject] = {"type": "boolean"}
NUMBER: Final[JsonObject] = {"type": "number"}
WHOLE: Final[JsonObject] = {"type": "integer"}
OBJECT: Final[JsonObject] = {"type": "object", "additionalProperties": True}
ANYTHING: Final[JsonObject] = {"description": "The specification does not show it: see the list of assumptions."}


def ref(name: str) -> JsonObject:
    """Refer to one of `COMPONENTS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def null_or(schema: JsonObject) -> JsonObject:
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(values: type[JobType] | type[JobStatus] | type[TestStatus] | type[CommentStatus]) -> JsonObject:
    return {"type": "string", "enum": [value.value for value in values]}


def many(item: JsonObject) -> JsonObject:
    return {"type": "array", "items": item}


def record(**properties: JsonObject) -> JsonObject:
    """An object that has all of these; more may come."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": True}


_STAMPS: Final[dict[str, JsonObject]] = {"created_at": TIME, "updated_at": TIME}
_LIVE: Final[dict[str, JsonObject]] = {
    "id": ID,
    "title": STRING,
    "status": STRING,
    "scheduled_at": null_or(TIME),
    **_STAMPS,
}
_LINK: Final[dict[str, JsonObject]] = {
    "id": ID,
    "video_id": ID,
    "name": STRING,
    "status": STRING,
    "expires_at": TIME,
    "allow_comment": FLAG,
    "allow_status_edit": FLAG,
    "show_resolved": FLAG,
    **_STAMPS,
}
_VIDEO: Final[dict[str, JsonObject]] = {
    "id": ID,
    "video_external_id": ID,
    "title": STRING,
    "description": null_or(STRING),
    "status": STRING,
    "folder_id": null_or(ID),
    "length": NUMBER,
    "playable": FLAG,
    "thumbnail": STRING,
    "video_player": STRING,
    **_STAMPS,
}

COMPONENTS: Final[JsonObject] = {
    "CodedError": record(errCode=STRING, errMsg=STRING),
    "Error": record(message=STRING),
    "Message": record(message=STRING),
    "Accepted": record(status=FLAG),
    "WorkflowItem": record(
        id=STRING,
        video_id=ID,
        type=STRING,
        status=one_of(JobStatus),
        from_lang=STRING,
        to_lang=null_or(STRING),
        metadata=OBJECT,
        created_at=TIME,
    ),
    "SubAccount": record(status=STRING, organization_id=ID, name=STRING),
    "ReviewLink": record(**_LINK),
    "ListedReviewLink": record(**_LINK, url=STRING),
    "PublicReviewLink": record(**_LINK, video=ref("Video")),
    "Comment": record(
        id=ID,
        video_id=ID,
        user_name=STRING,
        text=STRING,
        status=one_of(CommentStatus),
        time={"type": "integer", "minimum": 0},
        reply_to=null_or(ID),
        **_STAMPS,
    ),
    "Comparison": record(
        id={"type": "string", "pattern": "^636f6d70-"},
        name=STRING,
        description=STRING,
        status=one_of(TestStatus),
        videos=many(record(video_id=ID, title=STRING)),
        winner=null_or(ID),
        **_STAMPS,
    ),
    "CustomField": record(id=ID, video_id=ID, key=STRING, value=STRING, **_STAMPS),
    "Folder": record(
        id=ID,
        name=STRING,
        user_id=ID,
        parent_folder_id=null_or(STRING),
        status=FLAG,
        videos_count=STRING,
        **_STAMPS,
    ),
    "Video": record(**_VIDEO),
    "Subtitle": record(srclang=STRING, label=STRING, url=STRING),
    "Live": record(**_LIVE),
    "LiveWithKey": record(**_LIVE, rtmp=STRING, stream_key=STRING),
    "Funnel": record(
        id=ID,
        name=STRING,
        folder_id=null_or(ID),
        videos=many(record(id=ID, title=STRING, front_coordinates=record(x=NUMBER, y=NUMBER), is_first=FLAG)),
    ),
    "Playlist": record(id=ID, name=STRING, videos=many(record(id=ID, title=STRING))),
    "Assistant": record(
        id=ID,
        name=STRING,
        status=STRING,
        videos=many(record(video_id=ID, chat_is_visible=FLAG, process_status=STRING)),
    ),
    "Credits": record(
        balance=NUMBER,
        history=many(record(id=ID, type=STRING, status=STRING, amount=NUMBER, created_at=TIME, description=STRING)),
    ),
    "Referrals": record(
        referral_link=null_or(STRING),
        pending_estimated_value=WHOLE,
        total_received=WHOLE,
        current_balance=WHOLE,
        currency=STRING,
    ),
}
