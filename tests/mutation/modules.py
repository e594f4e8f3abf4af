"""Which modules are mutated, and which tests may notice."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("dashboard", "review_portal")
NAMES = {"rules", "writes", "outbox", "drafts", "panels", "markup", "statistics"}
"""A module of one of these names, or one in a folder of that name, holds a rule, a write, or a computation."""
NOT_THESE = {"templatetags", "sandbox", "migrations", "management"}
ALSO: dict[str, list[str]] = {
    "dashboard/writes": ["tests/lives", "tests/playlists", "tests/ab_tests/test_two_tabs.py"],
    "dashboard/ai_content/resources": ["tests/ai_content"],
    "dashboard/analytics": ["tests/shared", "tests/videos/test_video.py"],
    "dashboard/accounts": ["tests/accounts"],
    "dashboard/funnels": ["tests/search"],
}
"""Tests beside those of the feature that say something about its modules, by the beginning of the path."""
LATE = {
    "tests/writes/test_history.py",
    "tests/review_portal/test_interleavings.py",
    "tests/review_portal/test_weight.py",
    "tests/ai_content/test_large_maps.py",
    "tests/ai_content/test_slow_shapes.py",
}
"""Tests of long histories and large pages: they take a minute and more, and say what shorter ones say as well."""


def list_modules(asked: list[str]) -> list[str]:
    """The paths of the modules whose path begins with one of those asked for; all of them without any."""
    paths = sorted(
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if NAMES & {path.stem, *path.parent.parts[len(ROOT.parts) :]} and not NOT_THESE & set(path.parts)
    )
    return [path for path in paths if (ROOT / path).read_text().strip() and _is_asked(path, asked)]


def list_tests(module: str) -> list[str]:
    """Files and folders of tests for a module."""
    parts = Path(module).parts
    own = f"tests/{parts[1] if parts[0] == 'dashboard' else parts[0]}"
    more = [path for beginning, paths in ALSO.items() if module.startswith(beginning) for path in paths]
    return [path for path in dict.fromkeys([own, *more]) if (ROOT / path).exists()]


def _is_asked(path: str, asked: list[str]) -> bool:
    return not asked or any(path.startswith(name.removesuffix("/")) for name in asked)
