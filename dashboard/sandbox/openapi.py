"""The OpenAPI 3.1 document of the embedded platform, made from the table of operations.

OpenAPI cannot route on the query: operations of one method and path become one entry whose routing parameter
(`action`, `type`, `custom_fields`) is a parameter like any other, and whose bodies are alternatives.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from dashboard.sandbox import schemas
from dashboard.sandbox.http_types import JsonObject
from dashboard.sandbox.operations import Auth, Operation
from dashboard.sandbox.routes import OPERATIONS

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
def document() -> JsonObject:
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
            "schemas": schemas.COMPONENTS,
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
    schema = schemas.ref("Error" if plain else "CodedError")
    return {"description": _WORDS[status], "content": {"application/json": {"schema": schema}}}
