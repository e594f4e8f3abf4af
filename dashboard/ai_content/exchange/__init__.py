"""Parts of a language as files of other programs: quiz as CSV, eBook as Markdown, mind map as OPML, both ways.

Each reader raises `Unusable` with a code and, where there is one, the line it stumbled over.
"""


class Unusable(ValueError):
    """A file that cannot be imported: `code` says why, `line` where (0: nowhere in particular)."""

    def __init__(self, code: str, line: int = 0, detail: str = "") -> None:
        super().__init__(code, line, detail)
        self.code = code
        self.line = line
        self.detail = detail
