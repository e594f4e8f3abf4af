"""Secrets of a fresh clone: made once, kept in the git-ignored data folder, readable by their owner only."""

import secrets
from pathlib import Path

from cryptography.fernet import Fernet


def local_secret(folder: Path, name: str) -> str:
    """Return the secret `name` of `folder`, making it first where there is none. Two starts at once agree on one."""
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
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
