"""What makes a page invalid whatever is on it: every answer that a test is given is looked at, in whatever state the page is.

The house's visits see each address once; what html-validate finds beyond this, it finds there.
"""

import re
from collections import Counter
from typing import Final

from django.http import HttpResponseBase

NAMELESS: Final = ["b", "code", "div", "em", "i", "kbd", "p", "pre", "small", "span", "strong", "sub", "sup", "caption"]
"""Elements without a role of their own, or with one that takes no name."""
_UNSEEN: Final = re.compile(r"<!--.*?-->|<(template|script|style)\b.*?</\1>", re.DOTALL)
"""What a script takes out of a template has its identifiers once it is there."""
_ID: Final = re.compile(r'<[a-z][^>]*?\sid="([^"]*)"')
_NOWHERE: Final = re.compile(r'<[a-z]+\b[^>]*?\s(?:action|formaction)=""')
_NAMED: Final = re.compile(rf"<(?:{'|'.join(NAMELESS)})(?=\s)([^>]*?\saria-label=[^>]*)>")
_POSTED: Final = re.compile(r'<form\b[^>]*\smethod="post"(?:(?!csrfmiddlewaretoken|<form\b).)*?</form>', re.DOTALL)
_REFERENCE: Final = re.compile(
    r'\s(?:(?:href|hx-target|hx-include|hx-indicator)="#([\w-]+)"'
    r'|(?:for|form|list|headers|aria-(?:labelledby|describedby|controls|owns)|data-copy-field)="([^"]+)")'
)


def find_faults(text: str) -> list[str]:
    """Identifiers that are there twice or empty or nowhere, empty addresses of forms, forms without their token, names of
    what has no role.
    """
    seen = _UNSEEN.sub("", text)
    ids = set(_ID.findall(seen))
    lost = {
        one for pair in _REFERENCE.findall(seen) for one in " ".join(pair).split() if "<body" in seen and one not in ids
    }
    twice = [
        f'id="{name}" {count} times' for name, count in Counter(_ID.findall(seen)).items() if count > 1 or not name
    ]
    named = [f"{found[0]} without a role" for found in _NAMED.finditer(seen) if " role=" not in found[1]]
    open_forms = [f"{found[0].partition('>')[0]}> without a token" for found in _POSTED.finditer(seen)]
    return [*twice, *_NOWHERE.findall(seen), *named, *open_forms, *(f"#{one} is nowhere" for one in lost)]


def assert_valid(response: HttpResponseBase) -> None:
    """Fail where an answer is HTML with such a fault. What a test asks for in compressed form is the same page once more."""
    is_html = response.headers.get("Content-Type", "").startswith("text/html")
    if is_html and not response.streaming and "Content-Encoding" not in response.headers:
        faults = find_faults(response.content.decode(response.charset))  # type: ignore[attr-defined]  # it is whole
        assert not faults, faults
