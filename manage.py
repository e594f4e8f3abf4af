#!/usr/bin/env python
"""The development door: every command starts here, with DEBUG on unless the environment says otherwise."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    os.environ.setdefault("DEBUG", "on")
    execute_from_command_line(sys.argv)
