"""Every operation of the embedded platform, in the order of the specification's section 4, and their OpenAPI 3.1 document.

A row is all there is to an operation. OpenAPI cannot route on the query: operations of one method and path become one entry
whose routing parameter (`action`, `type`, `custom_fields`) is a parameter like any other, and whose bodies are alternatives.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from dashboard.platform_api.vocabulary import ALL_TEXT_ITEMS, Message
from dashboard.sandbox import media
from dashboard.sandbox.handlers import (
    ai,
    analytics,
    comparisons,
    funnels,
    lives,
    organizations,
    public_files,
    reviews,
    videos,
)
from dashboard.sandbox.http_types import JsonObject
from dashboard.sandbox.operations import (
    ANYTHING,
    COMPONENTS,
    OBJECT,
    STRING,
    Auth,
    Operation,
    Parameter,
    When,
    many,
    record,
    ref,
)
from dashboard.sandbox.validators import Integer, Kind, Text, Uuid

_LINKS: Final = When("action", "link")
_FIELDS: Final = When("custom_fields")
_UNTYPED: Final = (400, str(Message.TYPE_NOT_SPECIFIED))
_DATES: Final = (
    Parameter("start_date", Text(), note="YYYY-MM-DD"),
    Parameter("end_date", Text(), note="YYYY-MM-DD"),
)
_BUCKETS: Final = (*_DATES, Parameter("granularity", analytics.GRANULARITY))
_TOKEN: Final = Parameter("token", Uuid(), required=True, note="The reviewer's session token")


def _query(name: str, kind: Kind, required: bool = False) -> Parameter:
    return Parameter(name, kind, required)


def _one_or_many(item: JsonObject) -> JsonObject:
    return {"anyOf": [item, many(item)]}


WORKFLOW: Final = (
    Operation(
        "ai_workflow.create", "POST", "/api/aiworkflow", ai.create_jobs, section="4.1", summary="Create AI subtitles",
        body=ai.JOB_BODY, answer=_one_or_many(ref("WorkflowItem")), refusals=(400, 403, 404),
    ),
    Operation(
        "ai_workflow.jobs", "GET", "/api/aiworkflow", ai.list_jobs, section="4.16", summary="List the jobs of a video",
        query=(_query("video_id", Text(), required=True),), answer=many(ref("WorkflowItem")), refusals=(400, 404),
    ),
    Operation(
        "credits.history", "GET", "/api/credits", organizations.credit_history,
        section="gaps 2", summary="List what used and added AI credits",
        query=(Parameter("type", organizations.CREDIT_TYPE), *_DATES), answer=ref("Credits"), refusals=(400,),
    ),
    Operation(
        "organizations.create_sub_account", "POST", "/api/organizations", organizations.create_sub_account,
        section="4.2",
        summary="Create a sub-account", when=When("action", "create-sub-account"), body=organizations.SUB_ACCOUNT,
        answer=ref("SubAccount"), refusals=(400, 403),
    ),
    Operation(
        "organizations.usage", "GET", "/api/organizations", organizations.usage,
        section="4.16", summary="List sub-account usage",
        when=When("action", "list-sub-accounts-usage"), answer=record(sub_accounts=many(ref("SubAccount"))),
        refusals=(400, 403),
    ),
    Operation(
        "ai_workflow.save_package", "PUT", "/api/aiworkflow/aipackage", ai.save_package, section="4.3",
        summary="Save edited AI resource content", body=ai.PACKAGE, answer=ref("Message"), refusals=(400, 404),
    ),
    Operation(
        "ai_workflow.generate_package", "POST", "/api/aiworkflow", ai.generate_package, section="gaps 15",
        summary="Generate AI resources", when=When("type", ALL_TEXT_ITEMS, in_body=True), body=ai.GENERATION,
        answer=ref("WorkflowItem"), refusals=(400, 404),
    ),
    Operation(
        "ai_workflow.delete_package", "DELETE", "/api/aiworkflow/aipackage", ai.delete_package, section="4.16",
        summary="Delete AI resources", body=ai.DELETION, answer=ref("Message"), refusals=(400, 404),
    ),
    Operation(
        "ai_workflow.read_package", "GET", "/config/{pullzone}/{ai_file}", ai.read_package, section="2.8",
        summary="Read the public content file of a language", auth=Auth.PUBLIC, answer=OBJECT, refusals=(404,),
    ),
)  # fmt: skip

REVIEW: Final = (
    Operation(
        "review_links.create", "POST", "/api/video-review/{video_id}", reviews.create_link, section="4.4",
        summary="Create a review link", when=_LINKS, body=reviews.LINK, answer=ref("ReviewLink"), refusals=(400, 404),
    ),
    Operation(
        "review_links.list", "GET", "/api/video-review/{video_id}", reviews.list_review_links, section="4.16",
        summary="List the review links of a video", when=_LINKS, answer=many(ref("ListedReviewLink")), refusals=(400, 404),
    ),
    Operation(
        "public_review.create_comment", "POST", "/api/public-video-review/{link_id}/comments",
        reviews.create_comment,
        section="4.7", summary="Create a comment or a reply", auth=Auth.REVIEWER, query=(_TOKEN,),
        body=reviews.COMMENT, answer=ref("Comment"), refusals=(400, 403, 404),
    ),
    Operation(
        "public_review.update_comment", "PUT", "/api/public-video-review/{link_id}/comments/{comment_id}",
        reviews.update_comment, section="4.8", summary="Update a comment", auth=Auth.REVIEWER, query=(_TOKEN,),
        body=reviews.COMMENT_CHANGES, answer=ref("Comment"), refusals=(400, 403, 404),
    ),
    Operation(
        "public_review.read_link", "GET", "/api/public-video-review/{link_id}", reviews.read_link, section="gaps 4",
        summary="Read a review link and its video", auth=Auth.REVIEWER, query=(_TOKEN,), answer=ref("PublicReviewLink"),
        refusals=(404,),
    ),
    Operation(
        "public_review.comments", "GET", "/api/public-video-review/{link_id}/comments", reviews.comments,
        section="gaps 4",
        summary="Read the comments of a link", auth=Auth.REVIEWER, query=(_TOKEN,), answer=many(ref("Comment")),
        refusals=(404,),
    ),
)  # fmt: skip

COMPARISONS: Final = (
    Operation(
        "comparisons.list", "GET", "/api/comparison", comparisons.list_comparisons,
        section="4.5", summary="List A/B tests",
        answer=record(comparisons=many(ref("Comparison")), pullzone=STRING), refusals=(400,),
    ),
    Operation(
        "comparisons.get", "GET", "/api/comparison/{comparison_id}", comparisons.get,
        section="4.5", summary="Get an A/B test",
        answer=ref("Comparison"), refusals=(400, 404),
    ),
    Operation(
        "comparisons.create", "POST", "/api/comparison", comparisons.create,
        section="4.5", summary="Create an A/B test",
        body=comparisons.NEW, answer=ref("Comparison"), refusals=(400, 404),
    ),
    Operation(
        "comparisons.start", "PUT", "/api/comparison/{comparison_id}", comparisons.start,
        section="4.5", summary="Start an A/B test",
        when=When("type", "start"), unrouted=_UNTYPED, answer=ref("Comparison"), refusals=(400, 404),
    ),
    Operation(
        "comparisons.update", "PUT", "/api/comparison/{comparison_id}", comparisons.update, section="4.5",
        summary="Update an A/B test", when=When("type", "update"), unrouted=_UNTYPED, body=comparisons.CHANGES,
        answer=ref("Comparison"), refusals=(400, 404),
    ),
    Operation(
        "comparisons.finish", "PUT", "/api/comparison/{comparison_id}", comparisons.finish,
        section="4.5", summary="End an A/B test",
        when=When("type", "finish"), unrouted=_UNTYPED, body=comparisons.WINNER, answer=ref("Comparison"),
        refusals=(400, 404),
    ),
    Operation(
        "comparisons.delete", "DELETE", "/api/comparison", comparisons.delete,
        section="4.5", summary="Delete an A/B test",
        body=comparisons.CHOSEN, answer=ref("Message"), refusals=(400, 404),
    ),
)  # fmt: skip

LIBRARY: Final = (
    Operation(
        "custom_fields.update", "PUT", "/api/videos/{video_id}", videos.update_custom_field,
        section="4.6", summary="Update a custom field",
        when=_FIELDS, query=(_query("id", Uuid(), required=True),), body=videos.FIELD_CHANGES,
        answer=ref("CustomField"), refusals=(400, 404),
    ),
    Operation(
        "custom_fields.list", "GET", "/api/videos/{video_id}", videos.list_custom_fields, section="4.16",
        summary="List the custom fields of a video", when=_FIELDS, answer=many(ref("CustomField")), refusals=(400, 404),
    ),
    Operation(
        "custom_fields.create", "POST", "/api/videos/{video_id}", videos.create_custom_field, section="gaps 1",
        summary="Create a custom field", when=_FIELDS, body=videos.NEW_FIELD, answer=ref("CustomField"), status=201,
        refusals=(400, 404),
    ),
    Operation(
        "videos.list", "GET", "/api/videos", videos.list_videos, section="gaps 1", summary="List videos",
        query=(
            _query("page", Integer(1)), _query("limit", Integer(1)), _query("title", Text()),
            _query("status", Text()), _query("folder_id", Text()), _query("root_folder", videos.ROOT_FOLDER),
        ),
        answer=record(pages={"type": "integer"}, total={"type": "integer"}, videos=many(ref("Video"))),
        refusals=(400,),
    ),
    Operation(
        "videos.get", "GET", "/api/videos/{video_id}", videos.get,
        section="4.16", summary="Get a video", answer=ref("Video"),
        refusals=(400, 404),
    ),
    Operation(
        "videos.get_by_external_id", "GET", "/api/videos/{video_id}", videos.get_by_external_id, section="gaps 0",
        summary="Get a video by its external id", when=When("external_id"), answer=ref("Video"), refusals=(400, 404),
    ),
    Operation(
        "videos.subtitles", "GET", "/api/subtitles/{video_id}", videos.subtitles, section="gaps 1",
        summary="List the subtitles of a video", answer=record(subtitles=many(ref("Subtitle"))), refusals=(400, 404),
    ),
    Operation(
        "videos.read_subtitle", "GET", "/api/subtitles/{video_id}/{lang}", videos.read_subtitle, section="gaps 1",
        summary="Read a subtitle", answer=STRING, content_type="text/vtt", refusals=(400, 404),
    ),
    Operation(
        "folders.list", "GET", "/api/folders", videos.list_folders, section="4.11", summary="List folders",
        query=(_query("parent_folder_id", Uuid()), _query("status", videos.FOLDER_STATUS)),
        answer={"anyOf": [record(folders=many(ref("Folder"))), many(ref("Folder"))]}, refusals=(400,),
    ),
    Operation(
        "folders.funnels", "GET", "/api/folders/{folder_id}", videos.folder_contents,
        section="gaps 8", summary="Get a folder with its funnels",
        answer={"allOf": [ref("Folder"), record(funnels=many(ref("Funnel")))]}, refusals=(404,),
    ),
)  # fmt: skip

CHANNELS: Final = (
    Operation(
        "lives.list", "GET", "/api/lives", lives.list_lives,
        section="4.16", summary="List lives", answer=record(lives=many(ref("Live"))),
        refusals=(400,),
    ),
    Operation(
        "lives.get", "GET", "/api/lives/{live_id}", lives.get,
        section="4.16", summary="Get a live", answer=ref("LiveWithKey"),
        refusals=(400, 404),
    ),
    Operation(
        "lives.create", "POST", "/api/live", lives.create, section="4.16", summary="Create a live", body=lives.NEW,
        answer=ref("LiveWithKey"), refusals=(400, 404),
    ),
    Operation(
        "lives.start", "POST", "/api/lives/{live_id}/start", lives.start,
        section="4.9", summary="Start a live early", coded=True,
        answer=ref("Accepted"), refusals=(400, 404),
    ),
    Operation(
        "lives.finish", "POST", "/api/lives/{live_id}/finish", lives.finish, section="4.16", summary="Finish a live",
        answer=ref("Accepted"), refusals=(400, 404),
    ),
    Operation(
        "funnels.add_videos", "POST", "/api/funnels/add_videos", funnels.add_videos, section="4.10",
        summary="Add videos to a funnel", body=funnels.PLACES, answer=ref("Message"), refusals=(400, 403, 404),
    ),
    Operation(
        "funnels.list", "GET", "/api/funnels", funnels.list_funnels, section="4.16", summary="List funnels",
        answer=record(funnels=many(ref("Funnel"))), refusals=(400,),
    ),
    Operation(
        "funnels.get", "GET", "/api/funnels/{funnel_id}", funnels.get,
        section="4.16", summary="Get a funnel", answer=ref("Funnel"),
        refusals=(400, 404),
    ),
    Operation(
        "assistants.update_chat_visibility", "POST", "/api/assist-ai/update_chat_visibility",
        ai.update_chat_visibility, section="4.13", summary="Show or hide the chat of an assistant for a video",
        body=ai.VISIBILITY, answer=ref("Accepted"), refusals=(400, 404),
    ),
    Operation(
        "assistants.get", "GET", "/api/assist-ai/assistant_by_id/{assistant_id}", ai.get_assistant, section="gaps 15",
        summary="Get an assistant", answer=ref("Assistant"), refusals=(404,),
    ),
    Operation(
        "assistants.list", "GET", "/api/assist-ai", ai.list_assistants, section="gaps 10", summary="List assistants",
        answer=record(assistants=many(ref("Assistant"))), refusals=(400,),
    ),
    Operation(
        "playlists.delete", "DELETE", "/api/playlists/{playlist_id}", videos.delete_playlist,
        section="4.14", summary="Delete a playlist",
        answer=ref("Message"), refusals=(400,),
    ),
    Operation(
        "playlists.list", "GET", "/api/playlists", videos.list_playlists, section="4.16", summary="List playlists",
        answer=record(playlists=many(ref("Playlist"))),
    ),
    Operation(
        "playlists.get", "GET", "/api/playlists/{playlist_id}", videos.get_playlist,
        section="4.16", summary="Get a playlist",
        answer=ref("Playlist"), refusals=(404,),
    ),
)  # fmt: skip

ANALYTICS: Final = (
    Operation(
        "analytics.traffic", "GET", "/traffic/analytics/traffic", analytics.traffic, section="4.12",
        summary="Bandwidth of a video", auth=Auth.BEARER,
        query=(
            _query("video_id", Text(), required=True), _query("start_date", Text(), required=True),
            _query("end_date", Text(), required=True),
        ),
        answer=ANYTHING, refusals=(400, 404),
    ),
    Operation(
        "analytics.browser", "GET", "/data/browser", analytics.browser,
        section="4.15", summary="By browser, all videos",
        query=_BUCKETS, answer=ANYTHING, refusals=(400,),
    ),
    Operation(
        "analytics.browser", "GET", "/data/browser/{video_id}", analytics.browser_of_video, section="4.15",
        summary="By browser, one video", query=_BUCKETS, answer=ANYTHING, refusals=(400, 404),
    ),
    Operation(
        "analytics.city", "GET", "/data/city", analytics.city, section="4.15", summary="By city, all videos",
        query=(*_BUCKETS, _query("country", analytics.COUNTRY), _query("region", analytics.REGION)),
        answer=ANYTHING, refusals=(400,),
    ),
    Operation(
        "analytics.referrer", "GET", "/data/referrer", analytics.referrer,
        section="4.15", summary="By referrer, all videos",
        query=_BUCKETS, answer=ANYTHING, refusals=(400,),
    ),
    Operation(
        "analytics.ranking", "GET", "/data/ranking", analytics.ranking,
        section="4.15", summary="Ranking of the account",
        query=_DATES, answer=ANYTHING, refusals=(400,),
    ),
    Operation(
        "analytics.member_referrals", "GET", "/data/member-referrals", analytics.member_referrals, section="4.15",
        summary="Referral summary of the user", answer=ref("Referrals"),
    ),
    Operation(
        "analytics.general", "GET", "/data/general/{video_id}", analytics.general,
        section="4.5", summary="Plays of a video",
        query=_DATES, answer=ANYTHING, refusals=(400, 404),
    ),
    Operation(
        "analytics.retention", "GET", "/data/retention/{video_id}", analytics.retention, section="4.5",
        summary="Retention of a video", query=_DATES, answer=ANYTHING, refusals=(400, 404),
    ),
)  # fmt: skip

PUBLIC_FILES: Final = tuple(
    Operation(f"public_files.{name}", method, path, handle, section="gaps 15", summary=summary, auth=Auth.PUBLIC,
              answer=answer, content_type=content_type, refusals=(404,), documented=method == "GET")
    for name, path, handle, summary, answer, content_type in (
        ("video", "/config/{pullzone}/{external_id}.json", public_files.video, "What the player knows of a video",
         OBJECT, "application/json"),
        ("comparison", "/config/{pullzone}/comparison/{comparison_id}.json", public_files.comparison,
         "What the player knows of an A/B test", OBJECT, "application/json"),
        ("document", "/config/{pullzone}/{external_id}/{document}.pdf", public_files.document,
         "The eBook or the mind map of a video as a PDF", STRING, "application/pdf"),
        ("live", "/live-config/{pullzone}/{live_id}-live.json", public_files.live, "What the player knows of a live",
         OBJECT, "application/json"),
        ("subtitle", "/subtitles/{pullzone}/{external_id}/{lang}.vtt", public_files.subtitle, "A subtitle file",
         STRING, "text/vtt"),
    )
    for method in (("GET", "HEAD") if name == "document" else ("GET",))
)  # fmt: skip

MEDIA: Final = tuple(
    Operation(
        "media.file", method, path, handle, section="gaps 12", summary="Films, stills and subtitle files, with ranges",
        auth=Auth.PUBLIC, documented=False,
    )
    for path, handle in (
        ("/media/{external_id}/{name}", media.answer_file),
        ("/media/{external_id}/subtitles/{name}", media.answer_subtitle),
    )
    for method in ("GET", "HEAD")
)  # fmt: skip

OPERATIONS: Final = (*WORKFLOW, *REVIEW, *COMPARISONS, *LIBRARY, *CHANNELS, *ANALYTICS, *PUBLIC_FILES, *MEDIA)
NAMES: Final = tuple(dict.fromkeys(operation.name for operation in OPERATIONS))
"""What a fault can be set for."""


_WORDS: Final = {
    400: "Refused: a parameter or the body is not as it must be, or the state does not allow it",
    401: "The token is missing or invalid",
    403: "Not allowed",
    404: "Not found, or the query names no operation",
    413: "The request body is too large",
    500: "Internal server error",
}
_SECURITY: Final[dict[Auth, list[JsonObject]]] = {
    Auth.ACCOUNT: [{"token": []}],
    Auth.BEARER: [{"bearer": []}],
    Auth.REVIEWER: [],
    Auth.PUBLIC: [],
}


@cache
def openapi_document() -> JsonObject:
    """Return the document."""
    groups: dict[tuple[str, str], list[Operation]] = {}
    for operation in OPERATIONS:
        if operation.documented:
            groups.setdefault((operation.path, operation.method), []).append(operation)
    paths: dict[str, JsonObject] = {}
    for (path, method), operations in groups.items():
        paths.setdefault(path, {})[method.lower()] = _entry(operations)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Embedded video platform",
            "version": "2",
            "description": "Everything the embedded platform serves. All of its data is demo data.",
        },
        "servers": [{"url": "/sandbox"}],
        "paths": paths,
        "components": {
            "schemas": COMPONENTS,
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "Authorization", "description": "The raw token"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _entry(operations: Sequence[Operation]) -> JsonObject:
    first = operations[0]
    entry: JsonObject = {
        "operationId": "-or-".join(operation.name for operation in operations)
        + ("-of-one" if "video_id}" in first.path else ""),
        "summary": "; ".join(dict.fromkeys(operation.summary for operation in operations)),
        "description": f"Section {', '.join(dict.fromkeys(operation.section for operation in operations))}.",
        "parameters": [*_path_parameters(first.path), *_query_parameters(operations)],
        "responses": _responses(operations),
        "security": _SECURITY[first.auth],
    }
    bodies = [operation.body.schema() for operation in operations if operation.body is not None]
    if bodies:
        schema = bodies[0] if len(bodies) == 1 else {"anyOf": bodies}
        required = len(bodies) == len(operations)
        entry["requestBody"] = {"required": required, "content": {"application/json": {"schema": schema}}}
    return entry


def _path_parameters(path: str) -> list[JsonObject]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"\{(\w+)\}", path)
    ]


def _query_parameters(operations: Sequence[Operation]) -> list[JsonObject]:
    parameters: dict[str, JsonObject] = {}
    for whens in [[one.when for one in operations if one.when is not None and not one.when.in_body]]:
        for name in dict.fromkeys(when.name for when in whens):
            values = [when.value for when in whens if when.name == name and when.value is not None]
            schema: JsonObject = {"type": "string", "enum": values} if values else {"type": "string"}
            everyone = len([choice for choice in whens if choice.name == name]) == len(operations)
            parameters[name] = {"name": name, "in": "query", "required": everyone, "schema": schema}
            if not values:
                parameters[name]["allowEmptyValue"] = True
    for choice in operations:
        for parameter in choice.query:
            parameters[parameter.name] = {
                "name": parameter.name,
                "in": "query",
                "required": parameter.required and len(operations) == 1,
                "schema": parameter.kind.schema(),
                "description": parameter.note,
            }
    return list(parameters.values())


def _responses(operations: Sequence[Operation]) -> JsonObject:
    responses: dict[str, Any] = {}
    for status in sorted({operation.status for operation in operations}):
        answers = [operation for operation in operations if operation.status == status]
        shapes = [operation.answer for operation in answers]
        schema = shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
        content = {answers[0].content_type: {"schema": schema}}
        responses[str(status)] = {
            "description": "; ".join(operation.summary for operation in answers),
            "content": content,
        }
    refusals = {status for operation in operations for status in operation.refusals} | {400, 413, 500}
    if operations[0].auth is not Auth.PUBLIC:
        refusals.add(401)
    if any(operation.when and not operation.when.in_body for operation in operations):
        refusals.add(404)
    for status in sorted(refusals):
        responses[str(status)] = _refusal(status, operations[0].coded)
    return dict(sorted(responses.items()))


def _refusal(status: int, coded: bool) -> JsonObject:
    if status == 413:
        return {"description": _WORDS[status], "content": {"text/plain": {"schema": {"type": "string"}}}}
    plain = not coded and (status == 401 or status >= 500)
    schema = ref("Error" if plain else "CodedError")
    return {"description": _WORDS[status], "content": {"application/json": {"schema": schema}}}
