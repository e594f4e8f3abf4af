"""The door of production servers."""

import os

from django.core.wsgi import get_wsgi_application

from dashboard.databases import wait_less_for_locks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
application = get_wsgi_application()
wait_less_for_locks()

from dashboard import installation  # noqa: E402  (it needs the product to be loaded)

installation.announce()
