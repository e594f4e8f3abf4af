"""The eBook as one Markdown file: summary and cover in front matter, the text after it.

---
title: "From cherry to cup"
kicker: "Coffee school"
summary: "…"
---
# Text
"""

import json
import re
from typing import Final

from dashboard.ai_content.exchange import Unusable
from dashboard.ai_content.rules.package import Package, text_of

COVER: Final = ("kicker", "title", "subtitle", "edition_label")
_FRONT: Final = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_LINE: Final = re.compile(r"([a-z_]+):[ \t]*(.*)")


def written(values: Package) -> str:
    """Markdown with front matter; keys that the eBook lacks are left out."""
    cover = values.get("abstract_cover")
    known = cover if isinstance(cover, dict) else {}
    pairs = [(key, known[key]) for key in COVER if isinstance(known.get(key), str)]
    if isinstance(values.get("abstract_summary"), str):
        pairs.append(("summary", values["abstract_summary"]))
    front = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in pairs]
    text = text_of(values.get("abstract"))
    if not front and not text.startswith("---"):
        return text
    return "\n".join(["---", *front, "---", ""]) + text


def merged(text: str, values: Package) -> Package:
    """The eBook with the text, summary and cover of a Markdown file; what the file does not say stays as it is.

    The HTML is left out: it is made from the text when the file is sent. Raises `Unusable`: front_matter.
    """
    text = text.removeprefix("\ufeff")
    found = _FRONT.match(text)
    front = _front(found.group(1)) if found else {}
    body = text[found.end() :] if found else text
    changed = dict(values)
    if body != text_of(values.get("abstract")):
        changed["abstract"] = body
        changed.pop("abstract_html", None)
    if "summary" in front:
        changed["abstract_summary"] = front.pop("summary")
    cover = values.get("abstract_cover")
    if front:
        changed["abstract_cover"] = {**(cover if isinstance(cover, dict) else {}), **front}
    return changed


def _front(block: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for number, line in enumerate(block.split("\n"), start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or match.group(1) not in (*COVER, "summary"):
            raise Unusable("front_matter", number, line.strip()[:60])
        values[match.group(1)] = _value(match.group(2), number)
    return values


def _value(written_value: str, number: int) -> str:
    if not written_value.startswith('"'):
        return written_value.strip().strip("'")
    try:
        value = json.loads(written_value)
    except ValueError as error:
        raise Unusable("front_matter", number, written_value[:60]) from error
    return value if isinstance(value, str) else str(value)
