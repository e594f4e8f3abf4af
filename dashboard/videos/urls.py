"""Addresses of the videos."""

from django.urls import path

from dashboard.videos import views

app_name = "videos"
urlpatterns = [
    path("", views.videos, name="videos"),
    path("looked/", views.looked, name="looked"),
    path("languages/", views.languages, name="languages"),
    path("<uuid:video_id>/", views.video, name="video"),
    path("<uuid:video_id>/panels/<slug:name>/", views.panel, name="panel"),
]
