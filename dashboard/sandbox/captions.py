"""The subtitles that the embedded platform's AI writes: deterministic, and plainly demo text."""

import re
from typing import Final

from babel import Locale, UnknownLocaleError

_SECONDS: Final = 4
_LINES: Final = {
    "en": (
        "Welcome to “{title}”.",
        "This subtitle was made by the demo platform.",
        "It follows the clock, not the speech.",
        "Every line lasts four seconds.",
        "A real platform would write what is said.",
    ),
    "pt": (
        "Boas-vindas a “{title}”.",
        "Esta legenda foi criada pela plataforma de demonstração.",
        "Ela segue o relógio, não a fala.",
        "Cada linha dura quatro segundos.",
        "Uma plataforma real escreveria o que é dito.",
    ),
    "es": (
        "Te damos la bienvenida a «{title}».",
        "Este subtítulo lo creó la plataforma de demostración.",
        "Sigue el reloj, no la voz.",
        "Cada línea dura cuatro segundos.",
        "Una plataforma real escribiría lo que se dice.",
    ),
}
_TIMING: Final = re.compile(r"^(?:\d+:)?\d\d:\d\d\.\d\d\d --> ")


def language_name(lang: str) -> str:
    """Return a language's own name for itself, or its code where that is not known."""
    try:
        name = Locale.parse(lang.replace("en-UK", "en-GB"), sep="-").get_display_name()
    except (ValueError, UnknownLocaleError):
        name = None
    return name[:1].upper() + name[1:] if name else lang


def transcript(title: str, length: float, lang: str) -> str:
    """Return WebVTT for a video of `length` seconds: one line every four seconds, to the end."""
    base = lang.split("-")[0].lower()
    lines = _LINES.get(base, _LINES["en"])
    mark = "" if base in _LINES else f"[{lang}] "
    heading = title.replace("-->", "→").replace("\n", " ")
    cues = []
    for number, start in enumerate(range(0, max(int(length), 1), _SECONDS)):
        end = min(start + _SECONDS, max(length, 1))
        text = lines[number % len(lines)].format(title=heading)
        cues.append(f"{number + 1}\n{_stamp(start)} --> {_stamp(end)}\n{mark}{text}\n")
    return "WEBVTT\n\n" + "\n".join(cues)


def translation(vtt: str, lang: str) -> str:
    """Return the same cues, each marked with the language it stands for."""
    out, in_cue = [], False
    for line in vtt.splitlines():
        out.append(f"[{lang}] {line}" if in_cue and line.strip() else line)
        in_cue = bool(_TIMING.match(line)) or (in_cue and bool(line.strip()))
    return "\n".join(out) + "\n"


def _stamp(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours:02d}:{minutes:02d}:{rest:06.3f}"
