"""Which version is upgraded from; and that a clone without its code is told, not failed."""

import subprocess
import sys
from pathlib import Path

from tests.upgrade.previous import RECORDED, ROOT, choose_ref, extract, find_commit


def git(folder: Path, *words: str) -> str:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    ran = subprocess.run(["git", *author, *words], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_the_version_before_is_what_is_asked_for_else_the_newest_tag_else_the_recorded_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "One")
    assert choose_ref(root=tmp_path) == RECORDED.read_text().strip()
    assert len(choose_ref(root=tmp_path)) == 40
    git(tmp_path, "tag", "v1")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Two")
    assert (choose_ref(root=tmp_path), choose_ref("main~3", tmp_path)) == ("v1", "main~3")
    assert find_commit("v1", tmp_path) == git(tmp_path, "rev-parse", "v1")
    assert find_commit(RECORDED.read_text().strip(), tmp_path) == "", "another clone does not have it"


def test_a_clone_without_the_version_before_says_what_was_not_checked_and_goes_on() -> None:
    command = [sys.executable, "-m", "tests.upgrade", "no-such-version"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("no-such-version is not in this clone. Not checked:")


def test_the_recorded_version_has_the_outbox_and_an_older_schema(tmp_path: Path) -> None:
    commit = find_commit(RECORDED.read_text().strip())
    if not commit:
        return  # a shallow clone: the step of CI says so
    before = extract(commit, tmp_path)
    migrations = {path.relative_to(before) for path in before.glob("*/**/migrations/0*.py")}
    assert Path("dashboard/writes/migrations/0001_writes.py") in migrations
    ours = {
        path.relative_to(ROOT)
        for folder in ("dashboard", "review_portal")
        for path in (ROOT / folder).glob("**/migrations/0*.py")
    }
    assert migrations < ours


def test_ci_upgrades_on_both_databases() -> None:
    ci = (ROOT / ".ci" / "run").read_text()
    assert "python -m tests.upgrade\n" in ci and "python -m tests.upgrade --servers\n" in ci
