"""Parts of a language as files of other programs: quiz as CSV, eBook as Markdown, mind map as OPML, both ways.

Each reader raises `UnusableFile` with a code and, where there is one, the line it stumbled over. A file that comes back as
it left changes nothing: what a format cannot hold is left out of the file and kept where the file says the same as before.
"""

from dataclasses import dataclass
from typing import Final

from dashboard.ai_content.rules.quiz import normalize_line_ends

FILE_MOST: Final = 5_000_000
"""Bytes of an uploaded file, characters of a pasted one."""


class UnusableFile(ValueError):
    """A file that cannot be imported: `code` says why, `line` where (0: nowhere in particular)."""

    def __init__(self, code: str, line: int = 0, detail: str = "") -> None:
        super().__init__(code, line, detail)
        self.code = code
        self.line = line
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a file was exported: video id and language as in addresses. Empty: unknown."""

    video: str = ""
    language: str = ""

    def is_elsewhere(self, here: "Origin") -> bool:
        """Whether the file says that it comes from another place than `here`."""
        return self.video not in ("", here.video) or self.language not in ("", here.language)


def normalize_portable(text: str) -> str:
    """Text as it comes back from a file: UTF-8, line ends as \\n, without NUL."""
    return normalize_line_ends(text).encode("utf-8", "replace").decode().replace("\0", "\ufffd")
