"""The sound of the film: slow chords, a plucked line above, and silence at both ends so that the film can repeat."""

import math
from array import array
from typing import Final

RATE: Final = 16_000
"""Samples per second. 1024 of them, one AAC packet, last 64 ms; 1125 packets are 72 s exactly: repeats stay in step."""

_CHORDS: Final = (
    (146.83, 220.0, 277.18, 369.99),
    (123.47, 185.0, 246.94, 369.99),
    (98.0, 196.0, 246.94, 293.66),
    (110.0, 220.0, 277.18, 329.63),
)
_NOTES: Final = (587.33, 739.99, 880.0, 659.26, 554.37, 739.99, 493.88, 659.26)
_CHORD_SECONDS: Final = 9.0


def _swell(t: float, length: float) -> float:
    return math.pow(math.sin(math.pi * min(1.0, max(0.0, t / length))), 0.6)


def _chord(n: int, total: int) -> "array[float]":
    """One chord, two seconds longer than its scene so that it melts into the next."""
    length = int((_CHORD_SECONDS + 2) * RATE)
    out = array("d", bytes(8 * length))
    for place, pitch in enumerate(_CHORDS[n % len(_CHORDS)]):
        for drift in (0.998, 1.002):
            step, volume = 2 * math.pi * pitch * drift / RATE, 0.075 / (1 + place * 0.35)
            for k in range(length):
                out[k] += volume * math.sin(step * k)
    for k in range(length):
        out[k] *= _swell(k / RATE, _CHORD_SECONDS + 2)
    return out[: max(0, total - int(n * _CHORD_SECONDS * RATE))]


def _pluck(pitch: float) -> "array[float]":
    length = int(1.9 * RATE)
    out = array("d", bytes(8 * length))
    for partial, volume in ((1, 0.11), (2, 0.035), (3, 0.012)):
        step = 2 * math.pi * pitch * partial / RATE
        for k in range(length):
            t = k / RATE
            out[k] += volume * math.sin(step * k) * math.exp(-t * (2.2 + partial)) * min(1.0, t / 0.012)
    return out


def samples(seconds: int) -> "array[int]":
    """The whole sound as signed 16-bit mono samples at `RATE`."""
    total = seconds * RATE
    mix = array("d", bytes(8 * total))
    for n in range(math.ceil(seconds / _CHORD_SECONDS)):
        start = int(n * _CHORD_SECONDS * RATE)
        for k, value in enumerate(_chord(n, total)):
            mix[start + k] += value
    plucks = [_pluck(pitch) for pitch in _NOTES]
    for n in range(2, int(seconds / 1.5) - 2):
        if (n * 7) % 5 in (0, 2, 3):
            start = int(n * 1.5 * RATE)
            for k, value in enumerate(plucks[(n * 3) % len(plucks)]):
                mix[start + k] += value
    ends = 0.4 * RATE
    return array("h", (round(v * 28_000 * min(1.0, k / ends, (total - 1 - k) / ends)) for k, v in enumerate(mix)))
