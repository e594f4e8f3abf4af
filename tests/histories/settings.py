"""The product's own settings, with its data in the folder of one history."""

import os
from pathlib import Path

from dashboard.settings import *  # noqa: F403

DATA_DIR = Path(os.environ["HISTORY"]) / ".data"
DATA_DIR.mkdir(exist_ok=True)
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)  # empty: nobody in a history looks at colors, and hashing them takes seconds
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
for name, database in DATABASES.items():  # noqa: F405
    if database["ENGINE"] == SQLITE:  # noqa: F405
        database["NAME"] = DATA_DIR / f"{name}.sqlite3"
CACHES["machine"]["LOCATION"] = DATA_DIR / "cache.sqlite3"  # noqa: F405
