"""Which modules are mutated, and which tests may notice."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("dashboard", "review_portal")
NAMES = {"rules", "writes", "outbox", "drafts", "panels", "markup", "statistics"}
"""A module of one of these names, or one in a folder of that name, holds a rule, a write, or a computation."""
NOT_THESE = {"templatetags", "sandbox", "migrations", "management"}
LATE = {"tests/writes/test_history.py"}
"""What takes a minute and more."""
TESTS = {
    "dashboard/ab_tests/rules.py": "ab_tests/test_rules.py ab_tests/test_splits.py ab_tests/test_forecast.py",
    "dashboard/ab_tests/statistics.py": "ab_tests/test_statistics.py ab_tests/test_dispersion.py ab_tests/test_rules.py",
    "dashboard/ai_content/drafts.py": "ai_content/test_autosave.py ai_content/test_editor.py ai_content/test_undo.py "
    "ai_content/test_save.py",
    "dashboard/ai_content/rules": "ai_content/test_alignment_rules.py ai_content/test_merging_rules.py "
    "ai_content/test_mindmap_rules.py ai_content/test_package_rules.py ai_content/test_quiz_rules.py "
    "ai_content/test_quiz_forms.py ai_content/test_limits.py",
    "dashboard/analytics/panels.py": "analytics/test_windows.py analytics/test_pages.py analytics/test_analytics.py",
    "dashboard/analytics/rules.py": "analytics/test_rules.py analytics/test_pages.py",
    "dashboard/custom_fields/rules.py": "custom_fields/test_rules.py",
    "dashboard/folders/rules.py": "folders/test_rules.py",
    "dashboard/funnels/rules.py": "funnels/test_rules.py",
    "dashboard/overview/rules.py": "overview/test_rules.py overview/test_overview.py",
    "dashboard/review_links/rules.py": "review_links/test_rules.py",
    "dashboard/search/rules.py": "search/test_rules.py",
    "dashboard/subtitles/rules.py": "subtitles/test_rules.py subtitles/test_coverage.py subtitles/test_plan.py",
    "dashboard/subtitles/writes.py": "subtitles/test_send.py subtitles/test_worker.py",
    "dashboard/videos/rules.py": "videos/test_rules.py",
    "review_portal/markup.py": "review_portal/test_escaping.py review_portal/test_room.py review_portal/test_mirror.py",
    "review_portal/outbox.py": "review_portal/test_submission.py review_portal/test_unconfirmed_changes.py "
    "review_portal/test_superseded.py",
    "review_portal/rules.py": "review_portal/test_rules.py review_portal/test_list_choice.py",
    "review_portal/writes.py": "review_portal/test_submission.py review_portal/test_unconfirmed_changes.py "
    "review_portal/test_superseded.py review_portal/test_exactly_once.py review_portal/test_change.py",
}
"""Tests by the beginning of a module's path: those that are there for it. Others may notice too, and take longer.

A module that is not listed is judged by all tests of its feature.
"""


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
    """Files or the folder of the tests for a module."""
    for beginning, names in TESTS.items():
        if module.startswith(beginning):
            return [f"tests/{name}" for name in names.split()]
    parts = Path(module).parts
    return [f"tests/{parts[1] if parts[0] == 'dashboard' else parts[0]}"]


def _is_asked(path: str, asked: list[str]) -> bool:
    return not asked or any(path.startswith(name.removesuffix("/")) for name in asked)
