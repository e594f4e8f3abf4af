"""manage.py init_env: the variables of a new installation, with strong secrets, as a file that is never overwritten."""

import os
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet
from django.core.management.base import BaseCommand, CommandError

from dashboard.platform_api.config import derive_public_hosts

TEMPLATE = """\
# Made by manage.py init_env. Every setting: docs/operations.md. After a change: manage.py doctor, then restart.

# Secrets. Whoever has them and the database has every API token. Keep a copy: without TOKEN_KEYS tokens cannot be read.
SECRET_KEY={secret_key}
TOKEN_KEYS={token_key}

# The names this installation is reached by, separated by commas.
ALLOWED_HOSTS={host}

# The platform: main address, analytics, public files of videos, subtitles and lives. The last two may stay empty.
# (SANDBOX=on instead of these runs on demo data.)
PLATFORM_BASE_URL={platform}
PLATFORM_DATA_URL={data}
PLATFORM_CONFIG_URL={config}
PLATFORM_SUBTITLES_URL={subtitles}
PLATFORM_LIVE_CONFIG_URL={live_config}

# Where the server listens, behind a proxy that speaks https; how many processes.
BIND=127.0.0.1:8000
WEB_CONCURRENCY=2

# How many proxies stand in front: their word on the visitor's address and on https is believed, nobody else's.
TRUSTED_PROXIES=1

# More than one machine needs both; one machine needs neither.
#DATABASE_URL=postgres://reelroom:password@localhost/reelroom
#CACHE_URL=redis://localhost:6379/0
"""
COMPOSE = """
# The servers of docs/deploy/compose.yaml, which nobody else reaches.
POSTGRES_PASSWORD={password}
DATABASE_URL=postgres://reelroom:{password}@database/reelroom
CACHE_URL=redis://cache:6379/0
"""


class Command(BaseCommand):
    """Writes the file readable by its owner only, or prints it."""

    help = "Write the variables of a new installation, with strong secrets, into FILE (default .env)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default=".env", help="Where to write; - prints it instead.")
        parser.add_argument("--host", default="", help="The name this installation is reached by.")
        parser.add_argument("--platform", default="", help="Main address of the platform.")
        parser.add_argument("--data", default="", help="Its analytics host.")
        parser.add_argument(
            "--config", default="", help="Its host of public files of videos, AI content and A/B tests."
        )
        parser.add_argument("--subtitles", default="", help="Its host of public subtitle files.")
        parser.add_argument("--live-config", default="", help="Its host of public files of lives.")
        parser.add_argument(
            "--player", default="", help="The player's address of one video: names the last three hosts."
        )
        parser.add_argument("--compose", action="store_true", help="Add what docs/deploy/compose.yaml needs.")

    def handle(self, *args: Any, **options: Any) -> None:
        derived = derive_public_hosts(options["player"])
        if options["player"] and not derived:
            self.stderr.write("This address of a player does not tell where the public files are: name their hosts.")
        named = {name: options[name] for name in ("host", "platform", "data", "config", "subtitles", "live_config")}
        text = TEMPLATE.format(
            secret_key=secrets.token_urlsafe(50),
            token_key=Fernet.generate_key().decode(),
            **{name: value or derived.get(f"{name}_url", "") for name, value in named.items()},
        )
        if options["compose"]:
            text += COMPOSE.format(password=secrets.token_hex(24))
        if options["file"] == "-":
            self.stdout.write(text)
            return
        path = Path(options["file"])
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise CommandError(
                f"{path} is there already, and its secrets may be in use. Nothing was written."
            ) from None
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        self.stdout.write(f"Wrote {path}. Fill in what is empty, then run manage.py doctor with these variables.")
