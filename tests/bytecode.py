"""Where the tests' processes keep compiled modules: every one of them would else compile Django anew, for seconds."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = {"PYTHONPYCACHEPREFIX": str(ROOT / ".pytest_cache" / "bytecode")}
"""For the environment of a process that a test starts. Apart from the sources: whoever wants none there gets none."""


def keep_bytecode() -> None:
    """Keep it from now on, in this process and in those that it starts."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.update(KEPT)
    sys.dont_write_bytecode = False
    sys.pycache_prefix = KEPT["PYTHONPYCACHEPREFIX"]


def forget_copies() -> None:
    """Forget what was kept of copies in temporary folders: the next run makes others."""
    shutil.rmtree(KEPT["PYTHONPYCACHEPREFIX"] + tempfile.gettempdir(), ignore_errors=True)
