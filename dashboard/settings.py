"""Settings, all from the environment. A fresh clone runs with none of them; a wrong one is named by `checks.py`."""

import os
from pathlib import Path
from typing import Any

import dj_database_url
from django.utils.translation import gettext_lazy as _

from dashboard.environment import Environment, MailServer, local_secret, make_private, parse_email_url
from dashboard.monitoring.logs import FORMATS, build_logging

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = BASE_DIR / ".data"
os.umask(0o077)  # of every command, the server and the worker: what they write is for their user alone
WAS_READABLE = make_private(DATA_DIR)
"""What other users of this machine could read in it until this process began, or still can."""
ENVIRONMENT = environment = Environment()

DEBUG = environment.flag("DEBUG", default=False)
DEMO = environment.flag("DEMO", default=False)
"""Set by `manage.py demo`: everything as in production, but over plain http on this machine."""
LOCAL = DEBUG or DEMO
WEB_CONCURRENCY = int(environment.number("WEB_CONCURRENCY", 2, least=1, most=64))
LOG_LEVEL = environment.choice("LOG_LEVEL", "info", ("debug", "info", "warning", "error")).upper()
LOG_FORMAT = environment.choice("LOG_FORMAT", "text" if LOCAL else "json", FORMATS)

METRICS_TOKEN = environment.text("METRICS_TOKEN")
"""What whoever reads /metrics says as a bearer token."""
METRICS = environment.flag("METRICS", default=bool(METRICS_TOKEN))
"""Without it nothing is counted and there is no /metrics."""
SENTRY_DSN = environment.text("SENTRY_DSN")

# Production has no defaults for secrets: empty ones are refused by checks.E002 and E003.
SECRET_KEY = environment.text("SECRET_KEY") or (local_secret(DATA_DIR, "secret-key") if LOCAL else "missing")
SECRET_KEY_FALLBACKS = environment.words("SECRET_KEY_FALLBACKS")
"""Earlier SECRET_KEYs: what they signed is still accepted, nothing new is signed with them."""
TOKEN_KEYS = environment.words("TOKEN_KEYS") or ([local_secret(DATA_DIR, "token-key")] if LOCAL else [])
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS") or (["localhost", "127.0.0.1", "[::1]"] if LOCAL else [])
CSRF_TRUSTED_ORIGINS = environment.words("CSRF_TRUSTED_ORIGINS")
TRUSTED_PROXIES = int(environment.number("TRUSTED_PROXIES", 0, least=0, most=9))
"""How many proxies stand in front: so many hops of X-Forwarded-For, and with any, X-Forwarded-Proto, are believed."""

# The platform. No address means the embedded one.
PLATFORM_BASE_URL = environment.text("PLATFORM_BASE_URL")
PLATFORM_EMBEDDED = not PLATFORM_BASE_URL
PLATFORM_DATA_URL = environment.text("PLATFORM_DATA_URL")
PLATFORM_TRAFFIC_URL = environment.text("PLATFORM_TRAFFIC_URL")
PLATFORM_CONFIG_URL = environment.text("PLATFORM_CONFIG_URL")
PLATFORM_SUBTITLES_URL = environment.text("PLATFORM_SUBTITLES_URL")
PLATFORM_LIVE_CONFIG_URL = environment.text("PLATFORM_LIVE_CONFIG_URL")
PLATFORM_REVIEW_URL = environment.text("PLATFORM_REVIEW_URL")
PLATFORM_TRAFFIC_AUTH = environment.choice("PLATFORM_TRAFFIC_AUTH", "bearer", ("bearer", "raw"))
PLATFORM_REVIEW_READS = environment.flag("PLATFORM_REVIEW_READS", default=PLATFORM_EMBEDDED)
PLATFORM_PATHS = environment.pairs("PLATFORM_PATHS")
"""Where reads live that the specification only assumes, by operation: see `platform_api.config`."""
PLATFORM_TIMEOUT = environment.number("PLATFORM_TIMEOUT", 15.0, least=0.1, most=50)
"""Seconds that one call may take: less than a minute, after which a job that nobody sees counts as never made."""
PLATFORM_CALLS_PER_MINUTE = int(
    environment.number("PLATFORM_CALLS_PER_MINUTE", 0 if PLATFORM_EMBEDDED else 180, least=0, most=100_000)
)
"""How many calls the platform takes: background reading makes six tenths of them; 0 for no limit, and no pause after a 429."""
PLATFORM_CALLS_COUNTED_BY = environment.choice("PLATFORM_CALLS_COUNTED_BY", "address", ("address", "token"))
"""Whether the platform counts the calls of this installation's address together, or those of each token apart."""
READ_SIDE_BY_SIDE = True
PAGE_PATIENCE_MS = environment.number("PAGE_PATIENCE_MS", 800, least=0, most=60_000)

# The embedded platform: on in a fresh clone, off in production unless set on purpose (checks.E006).
SANDBOX = environment.flag("SANDBOX", default=DEBUG and PLATFORM_EMBEDDED)
SANDBOX_TRANSPORT = "dashboard.sandbox.transport.SandboxTransport"
SANDBOX_CAST = "dashboard.sandbox.seed.demo.cast"
SANDBOX_PUBLIC_URL = ""
"""Put before the media addresses of the embedded platform when another process shows them (`manage.py sandbox`)."""

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "dashboard",
    "dashboard.ab_tests",
    "dashboard.accounts",
    "dashboard.activity",
    "dashboard.ai_content",
    "dashboard.analytics",
    "dashboard.assistants",
    "dashboard.credits",
    "dashboard.custom_fields",
    "dashboard.folders",
    "dashboard.funnels",
    "dashboard.getting_started",
    "dashboard.health",
    "dashboard.lives",
    "dashboard.notices",
    "dashboard.overview",
    "dashboard.playlists",
    "dashboard.referrals",
    "dashboard.reports",
    "dashboard.review_links",
    "dashboard.runs",
    "dashboard.search",
    "dashboard.shared",
    "dashboard.sub_accounts",
    "dashboard.subtitles",
    "dashboard.upstream",
    "dashboard.videos",
    "dashboard.writes",
    "review_portal",
]
"""A feature is deleted with its folder, its templates, styles and tests, and its lines here and in `urls.py`."""
if SANDBOX:
    INSTALLED_APPS.append("dashboard.sandbox")

MIDDLEWARE = [
    "dashboard.monitoring.middleware.RequestMiddleware",
    "dashboard.shared.callers.settle_address",
    "dashboard.middleware.keep_calls_in_one_block",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "dashboard.middleware.content_security_policy",
    "dashboard.middleware.keep_pages_private",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "dashboard.middleware.activate_time_zone",
    "dashboard.accounts.access.AccountRequiredMiddleware",
    "dashboard.middleware.lead_from_posted_addresses",
    "dashboard.middleware.lead_from_pasted_addresses",
    "dashboard.upstream.page_sources.note_what_is_known",
    "dashboard.navigation.prepare_frame",
    "dashboard.middleware.refuse_nul_in_addresses",
    "dashboard.middleware.PlatformTroubleMiddleware",
    "dashboard.databases.DatabaseTroubleMiddleware",
]

PUBLIC_APPS = frozenset({"review_portal", "sandbox"})
"""Apps without accounts: reviewers come with a link, the embedded platform checks its own tokens."""

ROOT_URLCONF = "dashboard.urls"
WSGI_APPLICATION = "dashboard.wsgi.application"
APPEND_SLASH = True

TEMPLATE_LOADERS = ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "NAME": "django",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csrf",
                "django.template.context_processors.i18n",
                "django.contrib.messages.context_processors.messages",
                "dashboard.navigation.frame",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "dashboard.templatetags.words",
                "dashboard.templatetags.writes",
            ],
            "loaders": TEMPLATE_LOADERS if DEBUG else [("django.template.loaders.cached.Loader", TEMPLATE_LOADERS)],
        },
    }
]


SQLITE = "django.db.backends.sqlite3"


def _sqlite(file: str) -> dict[str, Any]:
    """SQLite as it should be run: a write-ahead log, writers that queue, and durable commits."""
    return {
        "ENGINE": SQLITE,
        "NAME": DATA_DIR / file,
        "CONN_MAX_AGE": 60,  # opening the file anew costs more than a poll
        "OPTIONS": {
            "timeout": 20,  # of commands and the worker; pages wait less, see databases.PATIENCE
            "transaction_mode": "IMMEDIATE",
            # Some fifty connections of a process: with 128 statements each, the default, they would hold much more memory.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; "
            "PRAGMA cache_size=-256;",
            "cached_statements": 16,
        },
    }


def _database(address: str) -> dict[str, Any]:
    """The database at DATABASE_URL, or a file of this machine; SQLite is run in the same way wherever its file is."""
    database: dict[str, Any] = {}
    try:
        if address:
            database.update(dj_database_url.parse(address, conn_max_age=60, conn_health_checks=True))
    except ValueError:
        environment.problems["DATABASE_URL"] = (
            "Write postgres://name:password@host/database or sqlite:////path/to/file."
        )
        database = {}
    if not database:
        return _sqlite("reelroom.sqlite3")
    patience = {"connect_timeout": 5}  # of PostgreSQL, where a lost host would hold pages for minutes
    options = _sqlite("")["OPTIONS"] if database["ENGINE"] == SQLITE else patience
    return {**database, "OPTIONS": {**options, **database.get("OPTIONS", {})}}


DATABASES: dict[str, Any] = {"default": _database(environment.text("DATABASE_URL"))}
if SANDBOX:
    DATABASES["sandbox"] = _sqlite("sandbox.sqlite3")
    DATABASES["sandbox"]["CONN_MAX_AGE"] = None  # opening the file anew costs more than most of its answers
    # The embedded platform promises that nothing it acknowledged is lost, even when the machine stops.
    DATABASES["sandbox"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
    )
DATABASE_ROUTERS = ["dashboard.databases.SandboxRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# What processes share. Without CACHE_URL it is a file, for those of one machine; with DEBUG there is one process.
CACHE_URL = environment.text("CACHE_URL")
CACHES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 20_000}},
    "machine": {
        "BACKEND": "dashboard.file_cache.FileCache",
        "LOCATION": DATA_DIR / "cache.sqlite3",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
}
if CACHE_URL:
    CACHES["default"] = {"BACKEND": "dashboard.redis_cache.RedisCache", "LOCATION": CACHE_URL}
elif not DEBUG:
    CACHES["default"] = CACHES["machine"]
CACHE_VERSION = 3
"""Raised when a class that the cache holds moves or changes: a version that runs beside this one cannot read it."""
for _cache in CACHES.values():
    _cache["VERSION"] = CACHE_VERSION

# Work outside of requests: a queue in the database, run by `manage.py worker`.
TASKS = {"default": {"BACKEND": "dashboard.writes.task_backend.TracedBackend"}}
WORKER = environment.flag("WORKER", default=True)
"""Whether the web server starts a worker beside its processes; off where workers run elsewhere."""
RETENTION_DAYS = int(environment.number("RETENTION_DAYS", 400, least=1, most=36_500))
"""How long settled writes, finished runs and Activity are kept."""

# E-mail. Without EMAIL_URL none is offered; the demo keeps what it would send (dashboard/notices).
EMAIL_URL = environment.text("EMAIL_URL")
EMAIL_FROM = environment.text("EMAIL_FROM")
"""The sender, such as `"Reelroom <reelroom@example.com>"`."""


def _mail_server(address: str) -> MailServer:
    try:
        return parse_email_url(address)
    except ValueError:
        environment.problems["EMAIL_URL"] = "Write smtps://name:password@host, submission://… or smtp://…"
        return MailServer()


MAIL_SERVER = _mail_server(EMAIL_URL)
EMAIL_HOST, EMAIL_PORT = MAIL_SERVER.host, MAIL_SERVER.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL_SERVER.user, MAIL_SERVER.password
EMAIL_USE_SSL, EMAIL_USE_TLS = MAIL_SERVER.tls, MAIL_SERVER.starttls
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = EMAIL_FROM

WEBHOOKS_TO_THIS_NETWORK = False
"""Tests post to a server of their own; nothing else may switch it on."""

SESSION_ENGINE = "dashboard.accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
SESSION_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("pt-br", _("Portuguese (Brazil)")), ("es", _("Spanish"))]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static" if DEMO else BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o755  # static files may be served by another user than who collects them
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "dashboard.static_storage.JoinedManifestStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG

SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"  # the platform's CDN may check Referer
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
if not LOCAL:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = environment.flag("HSTS_PRELOAD", default=False)
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

SILENCED_SYSTEM_CHECKS = ["security.W021"]  # HSTS preload binds a whole domain for years: its owner decides

CSRF_FAILURE_VIEW = "dashboard.views.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024  # an AI package of 2 MB text, form-encoded
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

LOGGING = build_logging(LOG_LEVEL, LOG_FORMAT, private=DEBUG)
