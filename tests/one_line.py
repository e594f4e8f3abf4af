"""A page as a test quotes it: two elements that stand beside each other are not apart because their template has lines."""

import re

BETWEEN_TAGS = re.compile(r"(?<=>)\s*\n\s*|\s*\n\s*(?=[<>])")
BREAK = re.compile(r"\s*\n\s*")


def one_line(html: str) -> str:
    """The page without line breaks: none beside a tag, a space for one inside a text or a tag."""
    return BREAK.sub(" ", BETWEEN_TAGS.sub("", html))
