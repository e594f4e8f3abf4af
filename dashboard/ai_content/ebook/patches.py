"""Apply a patch of a long text, sent instead of the whole text: see static/js/ai_content/patch.js."""

import zlib
from collections.abc import Mapping

from dashboard.ai_content.rules.quiz import normalize_line_ends


class Mismatch(Exception):
    """The patch does not fit the stored text: the client sends the whole text."""


def apply_patch(before: str, fields: Mapping[str, str]) -> str:
    """The text after a patch: its first `patch_from` and last `patch_to` UTF-16 units with `patch_text` between them.

    `patch_check` is the CRC-32 of the outcome as UTF-16. Raises `Mismatch` when it is not that.
    """
    units = _encode_units(before)
    start, end = _parse_number(fields.get("patch_from", "")), _parse_number(fields.get("patch_to", ""))
    if 2 * (start + end) > len(units):
        raise Mismatch
    outcome = units[: 2 * start] + _encode_units(fields.get("patch_text", "")) + units[len(units) - 2 * end :]
    if f"{zlib.crc32(outcome):x}" != fields.get("patch_check"):
        raise Mismatch
    return outcome.decode("utf-16-le", "surrogatepass")


def _encode_units(text: str) -> bytes:
    """Text as scripts count it: line ends as \\n, two bytes a unit."""
    return normalize_line_ends(text).encode("utf-16-le", "surrogatepass")


def _parse_number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Mismatch
    return int(text)
