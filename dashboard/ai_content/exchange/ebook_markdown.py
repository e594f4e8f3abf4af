"""The eBook as one Markdown file: where it comes from, summary and cover in front matter, the text after it.

---
video: "7b1f…"
language: "en"
kicker: "Coffee school"
title: "From cherry to cup"
cover: {"image_id": 7}
summary: "…"
---
# Text
"""

import json
import re
from typing import Final

from dashboard.ai_content.exchange import Origin, UnusableFile, normalize_portable
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules.package import Package, get_text, is_same
from dashboard.ai_content.rules.quiz import normalize_line_ends
from dashboard.platform_api.values import JSON

COVER: Final = ("kicker", "title", "subtitle", "edition_label")
OTHER: Final = "cover"
"""Whatever else the cover holds, as one JSON object."""
ORIGIN: Final = ("video", "language")
_FRONT: Final = re.compile(r"\A---[ \t]*\r?\n(?:(.*?)\r?\n)??---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_LINE: Final = re.compile(r"([a-z_]+):[ \t]*(.*)")


def format_markdown(values: Package, origin: Origin = Origin()) -> str:  # noqa: B008  (frozen)
    """Markdown with front matter; keys that the eBook lacks are left out."""
    cover = values.get("abstract_cover")
    known = cover if isinstance(cover, dict) else {}
    pairs: list[tuple[str, JSON]] = [(key, value) for key in ORIGIN if (value := getattr(origin, key))]
    lines = {key: value for key, value in known.items() if key in COVER and isinstance(value, str)}
    other: Package = {key: value for key, value in known.items() if key not in lines}
    pairs += lines.items()
    pairs += [(OTHER, other)] if other else []
    if isinstance(values.get("abstract_summary"), str):
        pairs.append(("summary", values["abstract_summary"]))
    front = [f"{key}: {packages.format_json(value)}" for key, value in pairs]
    text = get_text(values.get("abstract"))
    if not front and not text.startswith(("---", "\ufeff")):
        return text
    return "\n".join(["---", *front, "---", ""]) + text


def parse_origin(text: str) -> Origin:
    """Where a file says it was exported. Raises `UnusableFile`: front_matter."""
    front, _body = _split_front(text)
    return Origin(*(get_text(front.get(key)) for key in ORIGIN))


def merge_markdown(text: str, values: Package) -> Package:
    """The eBook with the text, summary and cover of a Markdown file; what the file does not say stays as it is.

    The HTML is left out where the text changed: it is made from the text when the file is sent. Raises `UnusableFile`:
    front_matter.
    """
    front, body = _split_front(text)
    changed = dict(values)
    if normalize_portable(body) != normalize_portable(get_text(values.get("abstract"))):
        changed["abstract"] = normalize_line_ends(body)
        changed.pop("abstract_html", None)
    if "summary" in front:
        changed["abstract_summary"] = front["summary"]
    cover = values.get("abstract_cover")
    known = cover if isinstance(cover, dict) else {}
    other = front.get(OTHER)
    lines: Package = dict(other) if isinstance(other, dict) else {}
    lines |= {key: front[key] for key in COVER if key in front}
    if not is_same({**known, **lines}, known):
        changed["abstract_cover"] = {**known, **lines}
    return changed


def _split_front(text: str) -> tuple[Package, str]:
    """The front matter and the text after it."""
    text = text.removeprefix("\ufeff")
    match = _FRONT.match(text)
    return (_parse_front(match.group(1) or ""), text[match.end() :]) if match else ({}, text)


def _parse_front(block: str) -> Package:
    values: Package = {}
    for number, line in enumerate(block.split("\n"), start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or match.group(1) not in (*ORIGIN, *COVER, OTHER, "summary") or match.group(1) in values:
            raise UnusableFile("front_matter", number, line.strip()[:60])
        values[match.group(1)] = _parse_value(match.group(1), match.group(2), number)
    return values


def _parse_value(key: str, written_value: str, number: int) -> JSON:
    try:
        if key == OTHER:
            return packages.parse_package(written_value)
        return str(json.loads(written_value)) if written_value.startswith('"') else written_value.strip().strip("'")
    except ValueError as error:
        raise UnusableFile("front_matter", number, written_value[:60]) from error
