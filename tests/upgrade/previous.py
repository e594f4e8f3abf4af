"""The version before: which it is, and its code."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / ".ci" / "previous"
"""The commit that counts as the version before while there is no tag."""


def choose_ref(asked: str = "", root: Path = ROOT) -> str:
    """What was asked for, else the newest tag, else the recorded commit."""
    if asked:
        return asked
    tag = _git(root, "describe", "--tags", "--abbrev=0")
    return tag.stdout.decode().strip() if tag.returncode == 0 else RECORDED.read_text().strip()


def find_commit(ref: str, root: Path = ROOT) -> str:
    """The commit's full name, or "" where this clone does not have it, such as a shallow one."""
    found = _git(root, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    commit = found.stdout.decode().strip()
    whole = found.returncode == 0 and _git(root, "ls-tree", "-r", commit).returncode == 0
    return commit if whole else ""


def extract(commit: str, target: Path) -> Path:
    """The code of a commit, in a folder of its own."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(target, filter="data")
    return target


def _git(root: Path, *words: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(["git", *words], cwd=root, capture_output=True)
