"""The static files can be collected the way production collects them."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.template import Context, Template
from django.test import Client, override_settings
from lightningcss import process_stylesheet

from dashboard import static_storage
from dashboard.static_storage import JoinedManifestStorage
from tests.house.sources import assert_none

JOINED = ("css/app.css", "css/analytics.css", "css/room.css")
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
    for name in JOINED:
        (joined,) = (collected / "css").glob(f"{Path(name).stem}.*.css")
        assert "@import" not in joined.read_text(), name


def test_style_sheets_joined_by_an_earlier_collecting_are_joined_anew(tmp_path: Path) -> None:
    sources = [settings.BASE_DIR / "static"]
    for name in JOINED:
        root = tmp_path / Path(name).stem
        with override_settings(STATIC_ROOT=root, STORAGES=STORAGES, STATICFILES_DIRS=sources):
            storage = JoinedManifestStorage(location=root)
            storage.save(name, ContentFile(b"joined before"))
            assert all(not isinstance(done, Exception) for _, _, done in storage.post_process({name: (storage, name)}))
            assert "joined before" not in (root / name).read_text(), name


def test_collecting_again_joins_the_parts_as_they_are_now(collected: Path, tmp_path: Path) -> None:
    """The joined files of before are newer than their unchanged sources, so those are not copied again."""
    root = tmp_path / "static"
    shutil.copytree(collected, root)
    before = {name: (root / name).read_text() for name in JOINED}
    for name in JOINED:
        (root / name).write_text("/* joined before a part was changed */")
    sources = [settings.BASE_DIR / "static"]
    without_compression = {
        "WHITENOISE_SKIP_COMPRESS_EXTENSIONS": ("css", "js", "svg", "vtt")
    }  # it was compressed above
    with override_settings(STATIC_ROOT=root, STORAGES=STORAGES, STATICFILES_DIRS=sources, **without_compression):
        call_command("collectstatic", "--no-input", verbosity=0)
    assert {name: (root / name).read_text() for name in JOINED} == before


def test_each_script_of_a_page_is_bundled_with_what_it_imports() -> None:
    if not shutil.which(static_storage.BUNDLER):
        pytest.skip("esbuild is not installed: scripts are served module by module")
    names = static_storage.list_page_scripts()
    assert {"js/app.js", "js/review_portal/room.js", "js/board.js"} <= set(names)
    made = JoinedManifestStorage.build_served_files(names)
    for name in names:
        imported = re.findall(r'import ?(?:\{[^}]*\} ?from ?)?"(\.[^"]+)"', made[name])
        assert all("shared/" in other for other in imported), name
    shared = re.findall(r'"\./(shared/[^"]+)"', made["js/app.js"])
    assert "createPolicy" in "".join(made[name] for name in ["js/app.js", *(f"js/{other}" for other in shared)])


def test_modules_are_served_one_by_one_without_a_bundler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_storage, "BUNDLER", "a-bundler-that-is-not-installed")
    made = JoinedManifestStorage.build_served_files(["js/app.js", "js/trusted.js"])
    assert set(made) == {"js/app.js", "js/trusted.js"}
    assert 'import "./trusted.js";' in made["js/app.js"]


@pytest.mark.skipif(not shutil.which(static_storage.BUNDLER), reason="esbuild reads both programs")
def test_script_without_its_types_is_the_same_program() -> None:
    folder = Path(settings.BASE_DIR) / "static"
    scripts = sorted((folder / "js").rglob("*.js"))
    written = [path.read_text() for path in scripts]
    served = [static_storage.TYPE_COMMENT.sub("", text) for text in written]
    assert len(scripts) > 50 and served != written
    assert_none(
        path.name
        for path, before, after in zip(scripts, written, served, strict=True)
        if _minify(before) != _minify(after)
    )


def _minify(script: str) -> str:
    command = [static_storage.BUNDLER, "--minify-whitespace", "--legal-comments=none"]
    return subprocess.run(command, input=script, capture_output=True, text=True, check=True).stdout


def test_style_sheet_is_the_same_rules_after_it_is_minified() -> None:
    nested = "main { a { color: red; &:hover { color: blue } } } /* a comment */ .b::after { content: '/* kept */'; }"
    served = process_stylesheet(nested)
    assert "kept" in served and "a comment" not in served and "&:hover" in served


def test_style_sheet_that_cannot_be_read_stops_the_collecting(tmp_path: Path) -> None:
    (tmp_path / "css").mkdir()
    (tmp_path / "css" / "room.css").write_text("a } { color: red }")
    with override_settings(STATICFILES_DIRS=[tmp_path]), pytest.raises(ValueError, match="room"):
        JoinedManifestStorage.build_served_files(["css/room.css"])


def test_script_that_cannot_be_read_stops_the_collecting(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if not shutil.which(static_storage.BUNDLER):
        pytest.skip("esbuild is not installed: nothing reads the scripts")
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "app.js").write_text("import './nowhere.js';")
    with override_settings(STATICFILES_DIRS=[tmp_path]), pytest.raises(subprocess.CalledProcessError):
        static_storage.bundle_scripts(["js/app.js"])
    assert "nowhere.js" in capfd.readouterr().err


ROOM = "js/review_portal/room.js"
BUNDLED = pytest.mark.skipif(not shutil.which(static_storage.BUNDLER), reason="modules are bundled where esbuild is")


def _head_links(root: Path, script: str) -> list[str]:
    """The files of `root` that a page with this script names beside it."""
    with override_settings(STATIC_ROOT=root, STORAGES=STORAGES):
        written = Template(f'{{% load modules %}}{{% module_imports "{script}" %}}').render(Context())
    return re.findall(r'<link rel="modulepreload" href="/static/([^"]+)">', written)


@BUNDLED
def test_a_room_names_every_file_that_its_script_needs_before_it_runs(collected: Path) -> None:
    named = _head_links(collected, ROOM)
    assert named and all((collected / name).is_file() for name in named)
    for name in (ROOM, *named):
        text = (collected / name).read_text()
        needed = re.findall(r'(?:from|import)"([^"]+)"', text)
        assert {Path(address).name.split(".")[0] for address in needed} <= {
            Path(one).name.split(".")[0] for one in named
        }


@BUNDLED
def test_what_a_script_loads_later_is_not_named_beside_it(collected: Path) -> None:
    later = re.findall(r'import\("([^"]+)"\)', (collected / ROOM).read_text())
    named = {Path(one).name.split(".")[0] for one in _head_links(collected, ROOM)}
    assert later and not named & {Path(address).name.split(".")[0] for address in later}


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_where_nothing_is_collected_a_page_names_no_file_beside_its_script(owner: Client, cast: dict[str, Any]) -> None:
    page = owner.get(f"/{cast['review_links']['open']}").content.decode()
    assert ROOM in page and "modulepreload" not in page
