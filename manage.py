#!/usr/bin/env python
"""Every command starts here. DEBUG is off unless the environment, or the kind of command, says otherwise."""

import os
import sys

from django.core.management import execute_from_command_line

DEVELOPMENT = frozenset(
    {
        "cast",
        "demo",
        "make_outline",
        "makemigrations",
        "messages",
        "runserver",
        "sandbox",
        "squashmigrations",
        "test",
        "testserver",
    }
)
"""Commands for people who change or try the product: without an environment they run with DEBUG on. Every other command
(migrate, collectstatic, check, doctor …) runs as production does, and so does gunicorn. A DEBUG that is set always wins.
"""

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    if len(sys.argv) > 1 and sys.argv[1] in DEVELOPMENT:
        os.environ.setdefault("DEBUG", "on")
    if sys.argv[1:2] == ["demo"]:  # its terminal shows the addresses and what went wrong
        os.environ.setdefault("LOG_LEVEL", "warning")
    execute_from_command_line(sys.argv)
