"""A feature's folders carry its name; and what no file of the project may contain. Each rule lists who breaks it."""

import re
import subprocess

from django.conf import settings

from tests.house.sources import ROOT, assert_none, list_project_files, read_text, relative_name

FEATURES = sorted(
    app.removeprefix("dashboard.")
    for app in settings.INSTALLED_APPS
    if app.startswith("dashboard.")
    and app not in {"dashboard.shared", "dashboard.management", "dashboard.templatetags", "dashboard.sandbox"}
)
TEXT_SUFFIXES = {".py", ".html", ".css", ".js", ".toml", ".md", ".svg", ".po", ".json", ".vtt", ""}
REGISTRIES = re.compile(
    r"pypi\.org|pythonhosted|npmjs|registry\.[a-z]+\.[a-z]|unpkg|jsdelivr|cdnjs|//cdn[.-]|esm\.sh|googleapis|deb\.debian",
    re.IGNORECASE,
)
VENDOR = re.compile("panda" + r"[ -]?video|panda" + r"player", re.IGNORECASE)


def test_every_feature_has_its_folder_of_views_templates_and_tests() -> None:
    offenders = []
    for feature in FEATURES:
        folder = ROOT / "dashboard" / feature
        has_urls, has_views = (folder / "urls.py").exists(), (folder / "views.py").exists()
        if has_urls != has_views:
            offenders.append(f"{feature}: urls.py and views.py belong together")
        if has_urls and not (ROOT / "templates" / feature).is_dir():
            offenders.append(f"{feature}: no templates/{feature}/")
        if has_urls and not any((ROOT / "tests" / feature).glob("test_*.py")):
            offenders.append(f"{feature}: no tests in tests/{feature}/")
    assert len(FEATURES) > 10
    assert_none(offenders)


def test_every_feature_names_its_addresses_after_itself() -> None:
    urls = {feature: ROOT / "dashboard" / feature / "urls.py" for feature in FEATURES}
    assert_none(
        [
            relative_name(path)
            for feature, path in urls.items()
            if path.exists() and f'app_name = "{feature}"' not in read_text(path)
        ]
    )


def test_style_sheets_of_features_are_named_after_a_feature() -> None:
    """One sheet, or a folder of sheets."""
    names = {path.stem for path in (ROOT / "static" / "css" / "features").iterdir()}
    folders = {path.name for path in (ROOT / "templates").iterdir() if path.is_dir()} | {"review", "sign_in"}
    assert_none(sorted(names - folders))


def test_every_style_sheet_is_imported() -> None:
    folder = ROOT / "static" / "css"
    entries = "\n".join(read_text(path) for path in folder.glob("*.css"))
    names = [str(path.relative_to(folder)) for path in folder.rglob("*/*.css")]
    assert_none([name for name in names if f'url("{name}")' not in entries])


def test_every_script_is_used() -> None:
    sources = "\n".join(read_text(path) for path in list_project_files() if path.suffix in {".html", ".js", ".py"})
    scripts = sorted((ROOT / "static" / "js").rglob("*.js"))
    assert_none([relative_name(path) for path in scripts if path.name not in sources])


def test_no_file_names_a_package_registry_or_a_vendor() -> None:
    offenders = []
    for path in list_project_files():
        if path.suffix not in TEXT_SUFFIXES or path.is_relative_to(ROOT / "tests" / "house"):  # the patterns above
            continue
        for pattern in (REGISTRIES, VENDOR):
            for match in pattern.finditer(read_text(path)):
                line = read_text(path).count("\n", 0, match.start()) + 1
                offenders.append(f"{relative_name(path)}:{line}: {match[0]}")
    assert_none(offenders)


def test_nothing_that_tools_make_is_tracked() -> None:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert_none(
        [name for name in names if name == "uv.lock" or "node_modules" in name or name.endswith((".mo", ".pyc"))]
    )
