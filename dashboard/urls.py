"""Addresses. A feature's address is its folder's name: `/dashboard/ab-tests/` is `dashboard/ab_tests/urls.py`."""

from django.conf import settings
from django.urls import include, path, register_converter

from dashboard import views
from dashboard.shared.text import SignedToken

register_converter(SignedToken, "signed")

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
    path("dashboard/ab-tests/", include("dashboard.ab_tests.urls")),
    path("dashboard/activity/", include("dashboard.activity.urls")),
    path("dashboard/ai-content/", include("dashboard.ai_content.urls")),
    path("dashboard/analytics/", include("dashboard.analytics.urls")),
    path("dashboard/assistants/", include("dashboard.assistants.urls")),
    path("dashboard/credits/", include("dashboard.credits.urls")),
    path("dashboard/custom-fields/", include("dashboard.custom_fields.urls")),
    path("dashboard/folders/", include("dashboard.folders.urls")),
    path("dashboard/funnels/", include("dashboard.funnels.urls")),
    path("dashboard/getting-started/", include("dashboard.getting_started.urls")),
    path("dashboard/health/", include("dashboard.health.urls")),
    path("dashboard/lives/", include("dashboard.lives.urls")),
    path("dashboard/notices/", include("dashboard.notices.urls")),
    path("dashboard/playlists/", include("dashboard.playlists.urls")),
    path("dashboard/referrals/", include("dashboard.referrals.urls")),
    path("dashboard/reports/", include("dashboard.reports.urls")),
    path("dashboard/review-links/", include("dashboard.review_links.urls")),
    path("dashboard/runs/", include("dashboard.runs.urls")),
    path("dashboard/search/", include("dashboard.search.urls")),
    path("dashboard/sub-accounts/", include("dashboard.sub_accounts.urls")),
    path("dashboard/subtitles/", include("dashboard.subtitles.urls")),
    path("dashboard/upstream/", include("dashboard.upstream.urls")),
    path("dashboard/videos/", include("dashboard.videos.urls")),
]
if settings.SANDBOX:
    urlpatterns.insert(0, path("sandbox/", include("dashboard.sandbox.urls")))

handler400 = "dashboard.views.bad_request"
handler403 = "dashboard.views.forbidden"
handler404 = "dashboard.views.not_found"
handler500 = "dashboard.views.server_error"
