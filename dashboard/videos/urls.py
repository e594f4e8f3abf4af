"""Addresses of the videos."""

from django.urls import path

from dashboard.videos import views

app_name = "videos"
urlpatterns = [
    path("", views.videos, name="videos"),
    path("complete/", views.complete, name="complete"),
    path("progress/", views.reading, name="progress"),
    path("videos.csv", views.export, name="export"),
    path("views/", views.save_view, name="save_view"),
    path("views/<uuid:view_id>/", views.saved_view, name="saved_view"),
    path("views/<uuid:view_id>/delete/", views.delete_view, name="delete_view"),
    path("<uuid:video_id>/", views.video, name="video"),
    path("<uuid:video_id>/panels/<slug:name>/", views.panel, name="panel"),
]
