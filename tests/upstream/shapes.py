"""The shapes in which an answer may come that no document shows: lists, records, what a record lists, figures."""

from collections.abc import Callable, Mapping
from typing import Any

Json = Any
Row = dict[str, Any]
ListShape = Callable[[list[Row], str, str], Json]
LINK = "99999999-9999-4999-8999-99999999999"
"""The beginning of the ids of links, which are not those of what they lead to."""


def as_text(value: Json) -> Json:
    """Numbers and yes or no as text."""
    if isinstance(value, dict):
        return {key: as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_text(inner) for inner in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


def name_of(row: Row) -> str:
    return str(row.get("title") or row.get("name") or row.get("key") or row.get("text") or row.get("id") or "")


def without(row: Row, *keys: str) -> Row:
    return {key: value for key, value in row.items() if key not in keys}


LISTS: Mapping[str, ListShape] = {
    "an array": lambda rows, group, one: rows,
    "under its name": lambda rows, group, one: {group: rows, "total": len(rows)},
    "under data": lambda rows, group, one: {"data": rows},
    "under data and its name": lambda rows, group, one: {"data": {group: rows}},
    "under results": lambda rows, group, one: {"results": rows, "count": len(rows)},
    "by id": lambda rows, group, one: {row["id"]: without(row, "id") for row in rows},
    "by id under its name": lambda rows, group, one: {group: {row["id"]: row for row in rows}},
    "by name": lambda rows, group, one: {name_of(row): without(row, "title", "name") for row in rows},
    "by position": lambda rows, group, one: {str(at): row for at, row in enumerate(rows)},
    "titles by id": lambda rows, group, one: {row["id"]: name_of(row) for row in rows},
    "wrapped one by one": lambda rows, group, one: {group: [{one: row} for row in rows]},
    "as edges": lambda rows, group, one: {group: {"edges": [{"node": row} for row in rows]}},
    "with attributes": lambda rows, group, one: {
        "data": [{"id": row["id"], "type": one, "attributes": without(row, "id")} for row in rows]
    },
    "ids": lambda rows, group, one: [row["id"] for row in rows],
    "ids under its name": lambda rows, group, one: {group: [row["id"] for row in rows]},
    "names": lambda rows, group, one: [name_of(row) for row in rows],
    "numbers as text": lambda rows, group, one: {group: as_text(rows)},
    "a sentence": lambda rows, group, one: {"message": "ok"},
}
RECORDS: Mapping[str, Callable[[Row, str], Json]] = {
    "bare": lambda row, one: row,
    "under its name": lambda row, one: {one: row},
    "under data": lambda row, one: {"data": row},
    "under data and its name": lambda row, one: {"data": {one: row}},
    "under result": lambda row, one: {"status": "ok", "result": row},
    "an array of one": lambda row, one: [row],
    "an array of one under its name": lambda row, one: {one: [row]},
    "an array of one under data": lambda row, one: {"data": [row]},
    "by id": lambda row, one: {row["id"]: row},
    "by id, which it does not repeat": lambda row, one: {row["id"]: without(row, "id")},
    "with attributes": lambda row, one: {"data": {"id": row["id"], "type": one, "attributes": without(row, "id")}},
    "numbers as text": lambda row, one: as_text(row),
    "its id alone": lambda row, one: {"id": row["id"]},
    "a sentence": lambda row, one: {"message": "ok"},
}


def _link(at: int) -> str:
    return f"{LINK}{at}"


INSIDE: Mapping[str, Callable[[list[Row]], dict[str, Json]]] = {
    "objects": lambda rows: {"videos": rows},
    "with video_id": lambda rows: {"videos": [{**without(row, "id"), "video_id": row["id"]} for row in rows]},
    "links": lambda rows: {
        "playlist_videos": [{"id": _link(at), "video_id": row["id"]} for at, row in enumerate(rows)]
    },
    "links around videos": lambda rows: {"videos": [{"id": _link(at), "video": row} for at, row in enumerate(rows)]},
    "links around titles": lambda rows: {
        "videos": [{"id": _link(at), "video": {"title": row["title"]}} for at, row in enumerate(rows)]
    },
    "links to ids": lambda rows: {"videos": [{"id": _link(at), "video": row["id"]} for at, row in enumerate(rows)]},
    "links without videos": lambda rows: {
        "playlist_videos": [{"id": _link(at), "order": at} for at, row in enumerate(rows)]
    },
    "ids": lambda rows: {"videos": [row["id"] for row in rows]},
    "objects of ids": lambda rows: {"videos": [{"id": row["id"]} for row in rows]},
    "ids by their name": lambda rows: {"video_ids": [row["id"] for row in rows]},
    "by id": lambda rows: {"videos": {row["id"]: without(row, "id") for row in rows}},
    "titles by id": lambda rows: {"videos": {row["id"]: row["title"] for row in rows}},
    "as edges": lambda rows: {"videos": {"edges": [{"node": row} for row in rows]}},
    "under data": lambda rows: {"videos": {"data": rows}},
    "titles": lambda rows: {"videos": [row["title"] for row in rows]},
    "a number": lambda rows: {"videos": len(rows)},
    "nothing said": lambda rows: {},
}
EBOOK_AND_QUIZ = ("ebook", "quiz")
RESOURCES: Mapping[str, Json] = {
    "objects": [{"type": kind, "lang": "pt-BR"} for kind in EBOOK_AND_QUIZ],
    "flags": [{"lang": "pt-BR", "ebook": True, "quiz": True, "mindmap": False}],
    "flags as text": [{"language": "pt-BR", "ebook": "true", "quiz": "1", "mindmap": "false"}],
    "languages": ["pt-BR"],
    "languages in objects": [{"lang": "pt-BR", "url": "https://files.example/a.json"}],
    "kinds of a language": [{"lang": "pt-BR", "types": [*EBOOK_AND_QUIZ]}],
    "by language": {"pt-BR": [*EBOOK_AND_QUIZ]},
    "flags by language": {"pt-BR": {"ebook": True, "quiz": True}},
    "objects by language": {"pt-BR": {"ebook": {"url": "https://f.example"}, "quiz": {"id": 1}}},
    "by kind": {kind: ["pt-BR"] for kind in EBOOK_AND_QUIZ},
    "addresses by kind": {kind: {"pt-BR": "https://files.example/a.json"} for kind in EBOOK_AND_QUIZ},
    "under data": {"data": [{"type": kind, "lang": "pt-BR"} for kind in EBOOK_AND_QUIZ]},
    "other names": [{"kind": kind, "srclang": "pt-BR"} for kind in ("e_book", "Quiz")],
    "numbers": [7],
    "nothing said": None,
}
COUNTED: Mapping[str, Callable[[list[Row], str], Json]] = {
    "an array": lambda rows, group: rows,
    "under data": lambda rows, group: {"data": rows},
    "under its name": lambda rows, group: {group: rows},
    "under another name": lambda rows, group: {"whatever": rows},
    "under data and its name": lambda rows, group: {"data": {group: rows}},
    "by label": lambda rows, group: {_label(row): without(row, _key(row)) for row in rows},
    "by label under its name": lambda rows, group: {group: {_label(row): without(row, _key(row)) for row in rows}},
    "numbers by label": lambda rows, group: {_label(row): _number(row) for row in rows},
    "numbers by label under its name": lambda rows, group: {group: {_label(row): _number(row) for row in rows}},
    "labels and values": lambda rows, group: {
        "labels": [_label(row) for row in rows],
        "values": [_number(row) for row in rows],
    },
    "labels and datasets": lambda rows, group: {
        "labels": [_label(row) for row in rows],
        "datasets": [{"label": _measure(rows[0]), "data": [_number(row) for row in rows]}],
    },
    "columns": lambda rows, group: {key: [row[key] for row in rows] for key in rows[0]},
    "columns and rows": lambda rows, group: {"columns": [*rows[0]], "rows": [[*row.values()] for row in rows]},
    "pairs": lambda rows, group: [[_label(row), _number(row)] for row in rows],
    "under keys": lambda rows, group: {"buckets": [{"key": _label(row), "doc_count": _number(row)} for row in rows]},
    "numbers as text": lambda rows, group: as_text(rows),
    "with figures apart": lambda rows, group: [
        {_key(row): _label(row), "stats": without(row, _key(row))} for row in rows
    ],
    "totals": lambda rows, group: {f"total_{_measure(rows[0])}": sum(_number(row) for row in rows)},
    "numbers alone": lambda rows, group: [_number(row) for row in rows],
    "a sentence": lambda rows, group: {"message": "ok"},
}


def _key(row: Row) -> str:
    return next(iter(row))


def _label(row: Row) -> str:
    return str(row[_key(row)])


def _measure(row: Row) -> str:
    return next(key for key, value in row.items() if isinstance(value, int))


def _number(row: Row) -> int:
    return int(row[_measure(row)])
