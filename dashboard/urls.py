"""Addresses. A feature's address is its folder's name: `/dashboard/ab-tests/` is `dashboard/ab_tests/urls.py`."""

from importlib.util import find_spec

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from dashboard import views

APART = {"accounts", "overview"}  # the two whose address is not their name


def _features() -> list[URLPattern | URLResolver]:
    """`/dashboard/<word>/` for every feature folder that has addresses."""
    names = [app.removeprefix("dashboard.") for app in settings.INSTALLED_APPS if app.startswith("dashboard.")]
    return [
        path(f"dashboard/{name.replace('_', '-')}/", include(f"dashboard.{name}.urls"))
        for name in names
        if name not in APART | {"sandbox"} and find_spec(f"dashboard.{name}.urls")
    ]


urlpatterns = [
    path("", include("review_portal.urls")),  # first, because its polls are the most frequent of all requests
    path("", views.front_door, name="front_door"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
    path("language/", views.language, name="language"),
    path("theme/", views.theme, name="theme"),
    path("", include("dashboard.accounts.urls")),
    path("dashboard/", include("dashboard.overview.urls")),
    *_features(),
]
if settings.SANDBOX:
    urlpatterns.insert(0, path("sandbox/", include("dashboard.sandbox.urls")))

handler400 = "dashboard.views.bad_request"
handler403 = "dashboard.views.forbidden"
handler404 = "dashboard.views.not_found"
handler500 = "dashboard.views.server_error"
