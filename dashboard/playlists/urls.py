"""Addresses of the playlists."""

from django.urls import path

from dashboard.playlists import views

app_name = "playlists"
urlpatterns = [
    path("", views.playlists, name="playlists"),
    path("deletions/<uuid:deletion_id>/", views.deletion, name="deletion"),
    path("deletions/<uuid:deletion_id>/progress/", views.progress, name="progress"),
    path("deletions/<uuid:deletion_id>/arrived/", views.arrived, name="arrived"),
    path("deletions/<uuid:deletion_id>/again/", views.again, name="again"),
    path("deletions/<uuid:deletion_id>/send/", views.send, name="send"),
    path("deletions/<uuid:deletion_id>/undo/", views.undo, name="undo"),
    path("<str:playlist_id>/", views.playlist, name="playlist"),
    path("<str:playlist_id>/delete/", views.delete, name="delete"),
]
