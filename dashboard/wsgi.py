"""The door of production servers."""

import os

from django.core.wsgi import get_wsgi_application

from dashboard.database_trouble import wait_less_for_locks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
application = get_wsgi_application()
wait_less_for_locks()

from dashboard import running  # noqa: E402  (it needs the product to be loaded)

running.announce()
