"""When a playlist may be deleted (section 4.14: it cannot be brought back)."""

from datetime import timedelta

HOLD = timedelta(seconds=10)
"""How long a deletion waits for second thoughts."""


def name_matches(text: str, name: str) -> bool:
    """The name has to be typed as it stands; spaces around it and letter case are not the point."""
    return " ".join(text.split()).casefold() == " ".join(name.split()).casefold()
