"""The static files can be collected the way production collects them."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import override_settings

STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "dashboard.static_storage.JoinedManifestStorage"},
}


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=root, STORAGES=STORAGES):
        call_command("collectstatic", "--no-input", verbosity=0)
    return root


def test_collecting_succeeds_and_names_every_file_we_link(collected: Path) -> None:
    manifest = (collected / "staticfiles.json").read_text()
    assert '"css/app.css"' in manifest
    assert '"django_htmx/htmx-2.min.js"' in manifest


def test_joined_style_sheet_imports_nothing(collected: Path) -> None:
    (joined,) = (path for path in (collected / "css").glob("app.*.css"))
    assert "@import" not in joined.read_text()
