"""Addresses of the activity log."""

from django.urls import path

from dashboard.activity import views

app_name = "activity"
urlpatterns = [
    path("", views.activity, name="activity"),
    path("activity.csv", views.export, name="export"),
    path("writes/<uuid:write_id>/", views.write, name="write"),
    path("<uuid:entry_id>/", views.entry, name="entry"),
    path("<uuid:entry_id>/progress/", views.progress, name="progress"),
    path("<uuid:entry_id>/undo/", views.undo, name="undo"),
]
