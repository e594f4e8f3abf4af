"""The project package as an app: compiles the catalogues of messages and registers the system checks.

Catalogues are written as .po, one per feature. Compiled files are not committed (they would only repeat the .po), so a fresh
clone makes them with Babel when it starts.
"""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings

log = logging.getLogger(__name__)


def list_catalogues() -> Iterator[Path]:
    """Every .po file of the project."""
    for package in ("dashboard", "review_portal"):
        yield from sorted((settings.BASE_DIR / package).glob("**/locale/*/LC_MESSAGES/django.po"))


def compile_stale() -> None:
    """Compile each catalogue whose .mo is missing or older than its .po.

    A read-only installation keeps what it has; where it has nothing, pages are in English and the log says why.
    """
    for po in list_catalogues():
        mo = po.with_suffix(".mo")
        if mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime:
            continue
        try:
            _compile(po, mo)
        except OSError as error:
            log.warning("The messages of %s could not be compiled: %s", po.relative_to(settings.BASE_DIR), error)


def _compile(po: Path, mo: Path) -> None:
    """Write beside, then rename, so that two processes starting at once never read half a file."""
    from babel.messages.mofile import write_mo  # most processes find everything compiled
    from babel.messages.pofile import read_po

    with po.open("rb") as source:
        catalogue = read_po(source)
    with tempfile.NamedTemporaryFile(dir=mo.parent, delete=False) as draft:
        write_mo(draft, catalogue)
    Path(draft.name).chmod(0o644)
    Path(draft.name).replace(mo)


class DashboardConfig(AppConfig):
    """Runs once per process, before anything is served."""

    name = "dashboard"

    def ready(self) -> None:
        from dashboard import checks  # noqa: F401  (checks register themselves)
        from dashboard.monitoring import error_reports
        from dashboard.shared import callers  # noqa: F401  (its check registers itself)

        compile_stale()
        error_reports.start()
