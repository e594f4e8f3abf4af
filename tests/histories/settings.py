"""The product's own settings, with its data in the folder of one history."""

import os
from pathlib import Path

from dashboard.settings import *  # noqa: F403

DATA_DIR = Path(os.environ["HISTORY"]) / ".data"
DATA_DIR.mkdir(exist_ok=True)
STATIC_ROOT = DATA_DIR / "static"
for name, database in DATABASES.items():  # noqa: F405
    if "sqlite3" in database["ENGINE"]:
        database["NAME"] = DATA_DIR / f"{name}.sqlite3"
