"""What a browser says it is, in two words: its name and its system. No more of what it sends is kept."""

from typing import Final

BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("YaBrowser/", "Yandex Browser"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Version/", "Safari"),
)
"""Part of the header, and whose it is. Most browsers also name those that they resemble, so the first one found counts."""
SAFARI: Final = "Safari/"
"""Also in the header of Safari itself; older browsers of other makers say `Version/` without it."""
SYSTEMS: Final = (
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Android", "Android"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def name_browser(user_agent: str) -> str:
    """Firefox, Chrome, Safari …; "" for one that is not known."""
    name = _first(BROWSERS, user_agent)
    return "" if name == "Safari" and SAFARI not in user_agent else name


def name_system(user_agent: str) -> str:
    """Windows, macOS, Android …; "" for one that is not known."""
    return _first(SYSTEMS, user_agent)


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for part, name in names if part in user_agent), "")
