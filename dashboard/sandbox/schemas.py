"""JSON Schemas of what the platform answers [2], for the OpenAPI document: named once, referred to by name."""

from typing import Final

from dashboard.platform_api.vocabulary import CommentStatus, JobStatus, JobType, TestStatus
from dashboard.sandbox.http_types import JsonObject

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
