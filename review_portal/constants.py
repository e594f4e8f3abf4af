"""Parts of the room that are the same for all readers of a language, rendered once per process and language."""

import json
from functools import lru_cache

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from review_portal import rules, shortcuts


def render_key_list() -> SafeString:
    """The dialog that lists the keyboard shortcuts."""
    return _render_cached("review_portal/_keys.html")


def render_script_words() -> SafeString:
    """The sentences that script shows."""
    return _render_cached("review_portal/_words.html")


def _render_cached(template: str) -> SafeString:
    language = get_language() or ""
    if settings.DEBUG:  # a template that is being written shows at once
        return _render.__wrapped__(template, language)
    return _render(template, language)


@lru_cache
def _render(template: str, language: str) -> SafeString:
    """`language` is the active one: it is named only to keep one rendering for each."""
    context = {"keys_sheet": shortcuts.list_shortcuts(), "repairs": json.dumps(rules.REPAIRS, ensure_ascii=False)}
    return render_to_string(template, context)
