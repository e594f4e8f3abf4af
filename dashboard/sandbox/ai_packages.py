"""AI content as the embedded platform makes it: one package a language, the eBook's two texts added where there is one."""

import json
from pathlib import Path
from typing import Any, Final

from dashboard.platform_api.vocabulary import AiKind

CONTENT: Final = Path(__file__).parent / "seed" / "content"
RESOURCE_OF: Final = {
    "questions": "questions",
    "questions_config": "questions",
    "mindmap": "mindmap",
    "abstract": "abstract",
    "abstract_html": "abstract",
    "abstract_summary": "abstract",
    "abstract_cover": "abstract",
}
"""For each key of a package the key that says that its resource exists."""
KEY_OF: Final = {AiKind.QUIZ: "questions", AiKind.MINDMAP: "mindmap", AiKind.EBOOK: "abstract"}
"""The key of a package that says that the resource is there [2.8]."""


def package(lang: str) -> dict[str, Any]:
    """AI content as its file holds it [4.3]; "" for the legacy file."""
    content: dict[str, Any] = json.loads((CONTENT / f"package.{lang or 'legacy'}.json").read_text("utf-8"))
    for key, ending in (("abstract", "md"), ("abstract_html", "html")):
        book = CONTENT / f"ebook.{lang}.{ending}"
        if book.exists():
            content[key] = book.read_text("utf-8")
    return content


def build_package(lang: str, kinds: list[str]) -> dict[str, Any]:
    """What generating these kinds in a language brings; of languages without content of their own, the English one."""
    has_whole = (CONTENT / f"ebook.{lang}.md").exists()
    keys = {KEY_OF[AiKind(kind)] for kind in kinds}
    content = package(lang if has_whole else "en")
    return {key: value for key, value in content.items() if RESOURCE_OF.get(key) in keys}


def without(content: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
    """The content without these kinds."""
    keys = {KEY_OF[AiKind(kind)] for kind in kinds}
    return {key: value for key, value in content.items() if RESOURCE_OF.get(key) not in keys}
