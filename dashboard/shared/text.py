"""What is read out of text that people typed or the platform answered: words to compare, and identifiers."""

from unicodedata import combining, normalize
from uuid import UUID


def fold(text: str) -> str:
    """Return the text without case and accents, for comparing."""
    if text.isascii():
        return text.lower()
    return "".join(letter for letter in normalize("NFKD", text) if not combining(letter)).casefold()


def parse_uuid(text: str | None) -> UUID | None:
    """Return the identifier that the text is; None for anything else."""
    try:
        return UUID(text or "")
    except ValueError:
        return None
