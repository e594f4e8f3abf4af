"""Static files for production: joined, without comments and indentation, hashed and compressed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

ENTRIES = ("css/app.css", "css/room.css")
"""The dashboard's style sheet, and the smaller one of the public room."""
UNUSED = "django_htmx/ext/"
"""htmx's extensions come with its package and no page loads them; their comments name files that are not there."""
IMPORT = re.compile(r'@import url\("(?P<file>[^"]+)"\) layer\((?P<layer>[a-z]+)\);')
SCRIPT_COMMENT = re.compile(r"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE)
STYLE_COMMENT = re.compile(r"/\*.*?\*/|^[ \t]+|(?<=[{};,])\n\s*", re.DOTALL | re.MULTILINE)


class JoinedManifestStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise is untyped
    """Forty small style sheets are pleasant to edit and slow to fetch: one request carries them all.

    Comments that stand on lines of their own, indentation, and the line breaks of style sheets stay behind: they are a
    sixth of what would be sent.
    """

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Join the imports of each entry in their order and shorten what is ours, then hash and compress as usual."""
        used = {name: found for name, found in paths.items() if not name.startswith(UNUSED)}
        if not dry_run:
            for name in used:
                shortened = self._shortened(name)
                if shortened is not None:
                    self.delete(name)
                    self.save(name, ContentFile(shortened.encode()))
                    used[name] = (self, name)  # else the file as it was before would be hashed
        yield from super().post_process(used, dry_run, **options)

    def _shortened(self, name: str) -> str | None:
        """The file as it is served, or None for one that is served as it is."""
        if name in ENTRIES:
            return STYLE_COMMENT.sub("", IMPORT.sub(_layer, _source(name)))
        if name.startswith("js/") and name.endswith(".js"):
            return SCRIPT_COMMENT.sub("", self._text(name))
        return None

    def _text(self, name: str) -> str:
        with self.open(name) as file:
            text: str = file.read().decode()
        return text


def _layer(match: re.Match[str]) -> str:
    return f"@layer {match['layer']} {{\n{_source('css/' + match['file'])}\n}}"


def _source(name: str) -> str:
    """A file as it was written: one that an earlier collecting left behind is joined already, with the parts of then, and
    is not copied anew when only a part has changed."""
    found = finders.find(name)
    if found is None:
        raise FileNotFoundError(name)
    return Path(found).read_text()
