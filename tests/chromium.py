"""The system's Chromium, for journeys and for measured visits."""

import shutil

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell without a window is first: it paints the same pages, and a third of the work is not there."""
CHROMIUM = next((found for found in map(shutil.which, BROWSERS) if found), None)
"""Where the first of them is."""
MISSING = "No Chromium was found: install the package `chromium-headless-shell`, or `chromium`."
