"""Static files for production: style sheets joined and minified, scripts bundled, all hashed and compressed."""

import os
import posixpath
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.utils.functional import cached_property
from whitenoise.storage import CompressedManifestStaticFilesStorage

ENTRY = re.compile(r"css/[^/]+\.css")
"""Style sheets that pages name: what all pages of the dashboard share, what each feature adds, the public room's."""
UNUSED = "django_htmx/ext/"
"""htmx's extensions come with its package and no page loads them; their comments name files that are not there."""
BUNDLER = "esbuild"
"""The program that bundles modules, a package of the system. Without it each module is a request of its own."""
SCRIPT_TAG = re.compile(r"""\{% static "(js/[^"]+\.js)" %\}""")
BUNDLED_ALONE = "js/review_portal/"
"""Public pages load one script each, so each is bundled alone; pages of the dashboard load several that share modules."""
IMPORT = re.compile(r'@import url\("(?P<file>[^"]+)"\) layer\((?P<layer>[a-z]+)\);')
STATIC_IMPORT = re.compile(r'\b(?:from|import)\s*"(\.[^"]+)"')
"""What a bundled module needs before it runs. Not `import("…")`, which loads later."""

TYPE_COMMENT = re.compile(r"^[ \t]*/\*\*(?s:.*?)\*/\n|/\*\* @type .*?\*/ ?", re.MULTILINE)
"""Types of a script. They import modules in circles, which would have no hashed names, and no browser reads them."""


class JoinedManifestStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise is untyped
    """Serves the style sheets of a page kind as one file, and the modules of a page as few.

    Both are minified by parsers of their languages. Without a bundler scripts are served as they were written, without types.
    """

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Join the imports of each entry in their order and shorten what is ours, then hash and compress as usual."""
        umask = os.umask(0o022)  # static files are for everybody, the compressed ones too
        try:
            yield from self._serve_shortened(paths, dry_run, **options)
        finally:
            os.umask(umask)

    def _serve_shortened(self, paths: dict[str, Any], dry_run: bool, **options: Any) -> Iterator[Any]:
        used = {name: path for name, path in paths.items() if not name.startswith(UNUSED)}
        if not dry_run:
            for name, text in self.build_served_files(used).items():
                self.delete(name)
                self.save(name, ContentFile(text.encode()))
                used[name] = (self, name)  # else the file as it was before would be hashed
        yield from super().post_process(used, dry_run, **options)

    def imports_of(self, script: str) -> tuple[str, ...]:
        """The addresses of what a collected script needs before it runs; () where it was not collected.

        Files do not change while the product runs, so each script is looked at once.
        """
        if script not in self._imports:
            self._imports[script] = tuple(map(self.url, self._imported(script)))
        return self._imports[script]

    @cached_property
    def _imports(self) -> dict[str, tuple[str, ...]]:
        return {}

    def _imported(self, script: str) -> list[str]:
        """Names of files, each once, in the order in which they are met."""
        names: list[str] = []
        waiting = [script]
        while waiting:
            name = waiting.pop(0)
            if not self.exists(name):
                continue
            with self.open(name) as file:
                text = file.read().decode()
            for address in STATIC_IMPORT.findall(text):
                imported = posixpath.normpath(posixpath.join(posixpath.dirname(name), address))
                if imported not in names:
                    names.append(imported)
                    waiting.append(imported)
        return names

    @staticmethod
    def build_served_files(names: Iterable[str]) -> dict[str, str]:
        """Text by file name: those of `names` that are not served as they were written, and the files that bundles share."""
        collected = set(names)
        files = {name: _join_style_sheet(name) for name in collected if ENTRY.fullmatch(name)}
        scripts = [name for name in collected if name.startswith("js/") and name.endswith(".js")]
        files |= {name: TYPE_COMMENT.sub("", _read_source(name)) for name in scripts}
        return files | bundle_scripts([name for name in list_page_scripts() if name in collected])


def _join_style_sheet(name: str) -> str:
    """A style sheet with those that it imports, minified. Raises `ValueError` for one that cannot be parsed."""
    from lightningcss import process_stylesheet  # processes that answer pages need no parser

    return process_stylesheet(IMPORT.sub(_layer, _read_source(name)), filename=name)


def list_page_scripts() -> list[str]:
    """The scripts that templates name, sorted."""
    folders = [Path(folder) for engine in settings.TEMPLATES for folder in engine["DIRS"]]
    templates = [path.read_text() for folder in folders for path in folder.rglob("*.html")]
    return sorted({name for text in templates for name in SCRIPT_TAG.findall(text)})


def bundle_scripts(names: list[str]) -> dict[str, str]:
    """Text by file name: each script with what it imports, and the files that scripts share or load later.

    Empty where there is no bundler. Raises `subprocess.CalledProcessError`, with what the bundler says on standard error.
    """
    if not shutil.which(BUNDLER):
        return {}
    groups = [[name] for name in names if name.startswith(BUNDLED_ALONE)]
    groups.append([name for name in names if not name.startswith(BUNDLED_ALONE)])
    return {name: text for group in groups if group for name, text in _run_bundler(group).items()}


def _run_bundler(names: list[str]) -> dict[str, str]:
    base = Path(_find_source(names[0]).removesuffix(names[0]))
    with tempfile.TemporaryDirectory() as folder:
        how = ["--bundle", "--splitting", "--minify", "--format=esm", "--log-level=warning", "--charset=utf8"]
        where = [f"--outdir={folder}", f"--outbase={base}", "--chunk-names=js/shared/[name]-[hash]"]
        subprocess.run([BUNDLER, *map(_find_source, names), *how, *where], check=True)  # noqa: S603  (names of our own files)
        return {str(path.relative_to(folder)): path.read_text() for path in Path(folder).rglob("*.js")}


def _layer(match: re.Match[str]) -> str:
    return f"@layer {match['layer']} {{\n{_read_source('css/' + match['file'])}\n}}"


def _read_source(name: str) -> str:
    """A file as it was written: one that an earlier collecting left behind is joined already, with the parts of then, and
    is not copied anew when only a part has changed."""
    return Path(_find_source(name)).read_text()


def _find_source(name: str) -> str:
    source = finders.find(name)
    if source is None:
        raise FileNotFoundError(name)
    return str(source)
