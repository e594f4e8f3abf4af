"""Addresses of the videos."""

from django.urls import path

from dashboard.videos import list_views, views

app_name = "videos"
urlpatterns = [
    path("", list_views.videos, name="videos"),
    path("complete/", list_views.complete, name="complete"),
    path("progress/", list_views.reading, name="progress"),
    path("videos.csv", list_views.export, name="export"),
    path("views/", list_views.save_view, name="save_view"),
    path("views/<uuid:view_id>/", list_views.saved_view, name="saved_view"),
    path("views/<uuid:view_id>/delete/", list_views.delete_view, name="delete_view"),
    path("<uuid:video_id>/", views.video, name="video"),
    path("<uuid:video_id>/panels/<slug:name>/", views.panel, name="panel"),
]
