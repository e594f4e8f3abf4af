"""The git-ignored data folder, its owner's alone, and the secrets of a fresh clone that are made in it once."""

import contextlib
import secrets
from pathlib import Path
from typing import Final

from cryptography.fernet import Fernet

OTHERS: Final = 0o077
"""Of the mode of a file: what the group and all other users of the machine may do."""


def make_private(folder: Path) -> list[Path]:
    """Make `folder` and its files readable by their owner alone. Returns what others could read until now, or still can."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    paths = [folder]
    with contextlib.suppress(OSError):  # somebody else's: what needs it fails, and says so
        paths += [path for path in folder.iterdir() if path.is_file()]
    readable = [path for path in paths if is_readable_by_others(path)]
    for path in paths:
        with contextlib.suppress(OSError):  # the same, or gone meanwhile
            if (mode := path.stat().st_mode) & OTHERS:
                path.chmod(mode & 0o700)
    return readable


def is_readable_by_others(path: Path) -> bool:
    """Whether other users of this machine reach and read a file."""
    try:
        reach = all(parent.stat().st_mode & 0o011 for parent in path.resolve().parents)
        return reach and bool(path.stat().st_mode & OTHERS)
    except OSError:
        return False


def local_secret(folder: Path, name: str) -> str:
    """Return the secret `name` of `folder`, making it first where there is none. Two starts at once agree on one."""
    path = folder / name
    if not path.exists():
        fresh = Fernet.generate_key().decode() if name == "token-key" else secrets.token_urlsafe(50)
        draft = folder / f".{name}-{secrets.token_hex(4)}"
        draft.touch(mode=0o600)
        draft.write_text(fresh)
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass  # another process was first: its secret is the one
        finally:
            draft.unlink()
    return path.read_text()
