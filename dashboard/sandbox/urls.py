from django.urls import path, re_path

from dashboard.sandbox import views

app_name = "sandbox"

urlpatterns = [
    path("", views.sandbox, name="sandbox"),
    path("clear/", views.clear, name="clear"),
    path("options/", views.options, name="options"),
    path("token/", views.token, name="token"),
    path("openapi.json", views.document, name="document"),
    path("media/player/embed/", views.player, name="player"),
    re_path(
        r"^(?P<path>(?:api|data|traffic|config|live-config|subtitles|media)/[\s\S]*)$", views.platform, name="platform"
    ),
]
