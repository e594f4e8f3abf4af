"""Settings of the tests: the defaults of a fresh clone, whatever the environment of the machine says.

`TEST_DATABASE_URL=postgres://…` runs them on that server, in a database of their own that is made and dropped.
"""

import os
import tempfile
from pathlib import Path

from tests.bytecode import keep_bytecode
from tests.missing_variables import INVALID

keep_bytecode()

OURS = (
    "SECRET_KEY SECRET_KEY_FALLBACKS ALLOWED_HOSTS CSRF_TRUSTED_ORIGINS DATABASE_URL CACHE_URL TOKEN_KEYS LOG_LEVEL "
    "PLATFORM_BASE_URL PLATFORM_DATA_URL PLATFORM_TRAFFIC_URL PLATFORM_CONFIG_URL PLATFORM_REVIEW_URL PLATFORM_TRAFFIC_AUTH "
    "PLATFORM_SUBTITLES_URL PLATFORM_LIVE_CONFIG_URL "
    "PLATFORM_REVIEW_READS PLATFORM_PATHS PLATFORM_TIMEOUT PAGE_PATIENCE_MS SANDBOX DEMO WORKER RETENTION_DAYS TRUSTED_PROXIES "
    "LOG_FORMAT METRICS METRICS_TOKEN SENTRY_DSN PLATFORM_CALLS_PER_MINUTE PLATFORM_CALLS_COUNTED_BY "
    "EMAIL_URL EMAIL_FROM"
)
for name in OURS.split():
    os.environ.pop(name, None)
os.environ["DEBUG"] = "on"
if server := os.environ.get("TEST_DATABASE_URL"):
    os.environ["DATABASE_URL"] = server

from dashboard.settings import *  # noqa: E402, F403  (after the environment is clean)

DEBUG = False
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}  # tests run what is due themselves
TEMPLATES[0]["OPTIONS"]["loaders"] = [("django.template.loaders.cached.Loader", TEMPLATE_LOADERS)]  # noqa: F405  (read once)
TEMPLATES[0]["OPTIONS"]["string_if_invalid"] = INVALID  # noqa: F405  (a page names nothing that is not there)
READ_SIDE_BY_SIDE = False  # a thread of its own does not see what a test has not committed
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405  (whitenoise warns about a missing one)

for alias, database in DATABASES.items():  # noqa: F405
    if database["ENGINE"] != SQLITE:  # noqa: F405
        database["TEST"] = {"NAME": f"reelroom_test_{os.getpid()}"}
        continue
    # Files, not memory: a server under test has threads, and threads that share one connection share its transactions.
    database["TEST"] = {"NAME": str(Path(tempfile.gettempdir()) / f"reelroom-{os.getpid()}-{alias}.sqlite3")}
    database["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON;"
