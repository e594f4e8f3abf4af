"""manage.py doctor: is this installation safe and whole, and what to write where it is not."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, run_checks
from django.core.management.base import BaseCommand
from django.db import DatabaseError

from dashboard import installation
from dashboard.accounts import rotation
from dashboard.accounts.models import Account
from dashboard.platform_api.config import derive_public_hosts
from dashboard.upstream import clients, library
from dashboard.writes import schedule

WORKER_SECONDS: Final = 60
CLOCK_SECONDS: Final = 60
"""A clock that differs by more from the platform's makes expiry times and codes wrong."""

OPTIONAL_HOSTS: Final = {
    "PLATFORM_SUBTITLES_URL": "subtitles are read through the API only",
    "PLATFORM_LIVE_CONFIG_URL": "the state of lives is read through the API only",
}
"""Hosts of public files that pages can do without, and what is so without them. None is needed for thumbnails."""


class Level(StrEnum):
    """How bad it is. Anything `broken` makes the doctor exit with 1."""

    OK = "ok"
    WARNING = "warning"
    BROKEN = "broken"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor."""

    level: Level
    text: str
    code: str = ""
    hint: str = ""

    def __str__(self) -> str:
        code = f" ({self.code})" if self.code else ""
        hint = f"\n         {self.hint}" if self.hint else ""
        return f"{self.level:<8} {self.text}{code}{hint}"


def examine() -> Iterator[Finding]:
    """Every finding, in the order in which one would repair them."""
    for look in LOOKS:
        yield from look()


def _from(messages: Sequence[CheckMessage], fine: str) -> Iterator[Finding]:
    """The findings of checks, or the sentence that says that there are none."""
    for message in messages:
        level = Level.BROKEN if message.is_serious() else Level.WARNING
        yield Finding(level, str(message.msg), str(message.id or ""), str(message.hint or ""))
    if not messages:
        yield Finding(Level.OK, fine)


def _settings() -> Iterator[Finding]:
    """Each group of settings: what is wrong with it, or what it is."""
    messages = [message for message in run_checks() if not message.is_silenced()]
    keys = len(settings.TOKEN_KEYS)
    fine = {
        ("E001",): "Every variable was understood.",
        ("E002",): "SECRET_KEY is strong.",
        ("E015",): f"SECRET_KEY_FALLBACKS: {len(settings.SECRET_KEY_FALLBACKS) or 'none'}.",
        ("E003",): f"TOKEN_KEYS: {keys} strong {'key' if keys == 1 else 'keys'}.",
        ("E004", "E010"): f"Answers for {', '.join(settings.ALLOWED_HOSTS) or 'no host'}.",
        ("W029",): "No other user of this machine reads data or secrets.",
        ("E005", "E008"): "The platform's addresses are whole and encrypted.",
        ("E006", "E007", "E009", "E011"): "DEMO and the embedded platform are as they should be.",
        ("E016", "E017", "W026"): _monitoring(),
        ("E025", "W028"): _mail(),
        ("E013", "E014", "W001", "W030"): f"Database: {settings.DATABASES['default']['ENGINE'].rpartition('.')[2]}.",
    }
    for codes, sentence in fine.items():
        ids = {f"reelroom.{code}" for code in codes}
        yield from _from([message for message in messages if message.id in ids], sentence)
        messages = [message for message in messages if message.id not in ids]
    yield from (finding for message in messages for finding in _from([message], ""))


def _mail() -> str:
    """Who sends e-mails."""
    if settings.PLATFORM_EMBEDDED:
        return "E-mail: kept in the demo's mailbox, never sent."
    if not settings.MAIL_SERVER.host:
        return "E-mail: off. Pages offer none; EMAIL_URL and EMAIL_FROM turn it on."
    return f"E-mail: through {settings.MAIL_SERVER.host}, from {settings.EMAIL_FROM}."


def _monitoring() -> str:
    """What operators get."""
    readers = "whoever has METRICS_TOKEN" if settings.METRICS_TOKEN else "anybody"
    metrics = f"for {readers}" if settings.METRICS else "off"
    reports = "on" if settings.SENTRY_DSN else "off"
    return f"Logs: {settings.LOG_FORMAT}. /metrics: {metrics}. Reports of errors: {reports}."


def _manner() -> Iterator[Finding]:
    """Whether this is run the way production is."""
    yield from _from(installation.debug_problems(), "DEBUG is off.")
    if settings.DEMO:
        hint = "Leave DEMO unset. manage.py demo sets it itself."
        yield Finding(Level.WARNING, "DEMO is on: pages are served over plain http.", "reelroom.W010", hint)
    if settings.SANDBOX:
        hint = "Fine for a demonstration. Set SANDBOX=off and PLATFORM_BASE_URL for a real platform."
        yield Finding(Level.WARNING, "The embedded platform is on: demo data, for anybody.", "reelroom.W011", hint)


def _parts() -> Iterator[Finding]:
    """What pages need: static files, migrations, sessions and a cache that all processes share."""
    yield from _from(installation.static_problems(), "The static files are collected.")
    database = [*installation.migration_problems(), *installation.restore_problems()]
    yield from _from(database, "Every migration is applied.")
    processes = settings.WEB_CONCURRENCY
    if installation.cache_state() != installation.OK:
        hint = "Pages work, and use a cache of this machine until Redis answers. Check CACHE_URL and the server."
        yield Finding(Level.WARNING, "Redis does not answer.", "reelroom.W022", hint)
    else:
        where = "Redis" if settings.CACHE_URL else "a file of this machine"
        yield Finding(Level.OK, f"{processes} processes share sessions in the database and a cache in {where}.")


def _sealed() -> Iterator[Finding]:
    """Whether TOKEN_KEYS opens what is stored, and whether its older keys are still needed."""
    try:
        total = rotation.tally_all()
    except (DatabaseError, ValueError):
        return  # said already: the database (W021, E021), or the keys themselves (E003)
    if total.lost:
        text = f"{total.lost} stored secrets cannot be opened: a key was removed from TOKEN_KEYS too early."
        hint = "Put it back behind the newest key, restart, run manage.py rotate_keys. If it is lost: rotate_keys --forget-lost."
        yield Finding(Level.BROKEN, text, "reelroom.E023", hint)
    if total.older:
        text = f"{total.older} stored secrets are sealed with an older key of TOKEN_KEYS: keep it."
        yield Finding(Level.WARNING, text, "reelroom.W025", "Run manage.py rotate_keys, which says when it can go.")
    if not total.lost and not total.older:
        yield Finding(Level.OK, f"The newest of TOKEN_KEYS opens every stored secret: {total.newest}.")


def _platform() -> Iterator[Finding]:
    """Every configured host of the platform, and our clock against its."""
    for name, lost in OPTIONAL_HOSTS.items():
        if not settings.PLATFORM_EMBEDDED and not getattr(settings, name):
            yield Finding(Level.WARNING, f"{name} is not set: {lost}.", "reelroom.W031", _hint_of_host(name))
    for name, address in clients.hosts().items():
        answer = clients.ask_host(address)
        if answer.error:
            hint = "Check the address, the name server and the firewall. What is known is still shown meanwhile."
            yield Finding(Level.BROKEN, f"{name} does not answer: {answer.error}", "reelroom.E022", hint)
            continue
        yield Finding(Level.OK, f"{name} answers.")
        if answer.ahead is not None and abs(answer.ahead) > CLOCK_SECONDS:
            text = (
                f"This machine's clock is {abs(answer.ahead):.0f} s {'ahead of' if answer.ahead > 0 else 'behind'} it."
            )
            yield Finding(Level.WARNING, text, "reelroom.W023", "Synchronise the clock, for example with NTP.")


def _hint_of_host(name: str) -> str:
    """What to write for a public host: the address that goes with a video that is known, or how to find it."""
    try:
        players = [library.find_player(account.pk) for account in Account.objects.connected()]
    except DatabaseError:
        players = []
    field = name.removeprefix("PLATFORM_").lower()
    address = next((hosts[field] for player in players if (hosts := derive_public_hosts(player))), "")
    return (
        f"Set {name}={address}" if address else "Set it, or leave it: manage.py init_env - --player ADDRESS shows it."
    )


def _worker() -> Iterator[Finding]:
    """Whether any worker looked after the queue in the last minute. It may not be started yet: never `broken`."""
    quiet = schedule.quiet_seconds()
    if quiet is not None and quiet < WORKER_SECONDS:
        yield Finding(Level.OK, "A worker is running.")
        return
    hint = "The web server starts one unless WORKER=off; then run manage.py worker. What waits is sent when it runs."
    yield Finding(Level.WARNING, "No worker has run in the last minute.", "reelroom.W024", hint)


LOOKS: Final[tuple[Callable[[], Iterator[Finding]], ...]] = (_settings, _manner, _parts, _sealed, _worker, _platform)
"""In this order."""


class Command(BaseCommand):
    """Prints a line per finding; exits with 1 when something is unsafe or broken."""

    help = "Check every setting and the running installation, and say what to write instead."
    requires_system_checks = []  # it runs them itself, and goes on after what they find

    def handle(self, *args: Any, **options: Any) -> None:
        problems = []
        for finding in examine():
            self.stdout.write(str(finding))
            problems.append(finding.level)
        broken, warnings = problems.count(Level.BROKEN), problems.count(Level.WARNING)
        self.stdout.write(f"{broken} broken, {warnings} {'warning' if warnings == 1 else 'warnings'}.")
        if broken:
            sys.exit(1)
