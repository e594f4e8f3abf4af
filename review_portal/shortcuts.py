"""Keyboard shortcuts of the room, and of two cuts compared. A test presses every one of them.

`press` is the key as browsers name it; `while_typing` keys work in text fields, all others only outside of them.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop


@dataclass(frozen=True)
class Key:
    """A key, or keys held together: as browsers name it, and as people read it."""

    press: str
    shown: str


@dataclass(frozen=True)
class ShortcutRow:
    """A line of the sheet."""

    keys: tuple[Key, ...]
    does: str
    while_typing: bool = False


Sheet = tuple[tuple[tuple[tuple[str, str], ...], str, bool], ...]

SHEET: Sheet = (
    ((("Space", gettext_noop("Space")),), gettext_noop("Play or pause"), False),
    ((("j", "J"), ("k", "K"), ("l", "L")), gettext_noop("Back, stop, forward; again for faster"), False),
    ((("k+j", "K J"), ("k+l", "K L")), gettext_noop("One frame back or forward: hold K"), False),
    ((("<", "<"), (">", ">"), ("Shift+K", "Shift K")), gettext_noop("Slower, faster, normal speed"), False),
    ((("ArrowLeft", "←"), ("ArrowRight", "→")), gettext_noop("Back or forward 5 seconds"), False),
    (
        (("Shift+ArrowLeft", "Shift ←"), ("Shift+ArrowRight", "Shift →")),
        gettext_noop("Back or forward 1 second"),
        False,
    ),
    (((",", ","), (".", ".")), gettext_noop("One frame back or forward, while paused"), False),
    ((("n", "N"), ("p", "P")), gettext_noop("Next or previous comment"), False),
    ((("c", "C"),), gettext_noop("Comment at this moment"), False),
    ((("d", "D"),), gettext_noop("Draw on this frame"), False),
    ((("g", "G"),), gettext_noop("Transcript, or back to the comments"), False),
    ((("r", "R"),), gettext_noop("Reply to the current comment"), False),
    ((("e", "E"),), gettext_noop("Edit the current comment, if it is yours"), False),
    ((("x", "X"), ("Shift+X", "Shift X")), gettext_noop("Resolve or reopen; resolve and go to the next"), False),
    ((("i", "I"), ("o", "O"), ("u", "U")), gettext_noop("Start a range, end it, clear it"), False),
    ((("m", "M"), ("t", "T"), ("f", "F")), gettext_noop("Sound, captions, full screen"), False),
    ((("0", "0"), ("9", "9")), gettext_noop("Jump to a tenth of the video, 0 to 9"), False),
    (
        (("Home", gettext_noop("Home")), ("End", gettext_noop("End"))),
        gettext_noop("Jump to the start or the end"),
        False,
    ),
    ((("/", "/"),), gettext_noop("Search comments"), False),
    ((("?", "?"),), gettext_noop("Show this list"), False),
    ((("Control+Enter", gettext_noop("Ctrl Enter")),), gettext_noop("Post, while typing"), True),
    ((("Escape", gettext_noop("Esc")),), gettext_noop("Leave the box and keep the draft"), True),
    ((("Alt+k", "Alt K"),), gettext_noop("Play or pause, while typing"), True),
    ((("Alt+j", "Alt J"), ("Alt+l", "Alt L")), gettext_noop("Back or forward 5 seconds, while typing"), True),
)
COMPARE: Sheet = (
    ((("Space", gettext_noop("Space")), ("k", "K")), gettext_noop("Play or pause"), False),
    ((("ArrowLeft", "←"), ("ArrowRight", "→")), gettext_noop("Back or forward 5 seconds"), False),
    (
        (("Shift+ArrowLeft", "Shift ←"), ("Shift+ArrowRight", "Shift →")),
        gettext_noop("Back or forward 1 second"),
        False,
    ),
    (
        (("Home", gettext_noop("Home")), ("End", gettext_noop("End"))),
        gettext_noop("Jump to the start or the end"),
        False,
    ),
    ((("m", "M"), ("f", "F")), gettext_noop("Sound, full screen"), False),
)
COMPARE_FRAMES: Sheet = (
    (((",", ","), (".", ".")), gettext_noop("One frame back or forward"), False),
    ((("[", "["), ("]", "]")), gettext_noop("Shift one cut by a frame, earlier or later"), False),
    ((("w", "W"),), gettext_noop("Side by side, or wipe"), False),
)
"""Where both videos can be set to one frame."""
COMPARE_ANSWERS: Sheet = (
    ((("y", "Y"), ("Shift+Y", "Shift Y")), gettext_noop("Fixed, or not fixed; then the next comment"), False),
)
"""Where comments of the cut before are checked."""
HELP: Sheet = (((("?", "?"),), gettext_noop("Show this list"), False),)


def list_compare_shortcuts(*, is_exact: bool, has_checks: bool) -> tuple[ShortcutRow, ...]:
    """What works while two cuts are compared."""
    return list_shortcuts(
        COMPARE + (COMPARE_FRAMES if is_exact else ()) + (COMPARE_ANSWERS if has_checks else ()) + HELP
    )


def list_check_shortcuts() -> tuple[ShortcutRow, ...]:
    """What works in the list of what was open on the cut before."""
    return list_shortcuts(COMPARE_ANSWERS + HELP)


def list_shortcuts(sheet: Sheet = SHEET) -> tuple[ShortcutRow, ...]:
    """A sheet in the reader's language."""
    return tuple(
        ShortcutRow(tuple(Key(press, _(label) if len(label) > 2 else label) for press, label in keys), _(does), typing)
        for keys, does, typing in sheet
    )
