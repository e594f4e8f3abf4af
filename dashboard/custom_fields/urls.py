"""Addresses of the custom fields."""

from django.urls import path

from dashboard.custom_fields import change_views, views

app_name = "custom_fields"
urlpatterns = [
    path("", views.custom_fields, name="custom_fields"),
    path("read/", views.read_file, name="read"),
    path("export.csv", views.export, name="export"),
    path("videos/<uuid:video_id>/", views.video, name="video"),
    path("videos/<uuid:video_id>/<uuid:field_id>/", views.field, name="field"),
    path("changes/", change_views.changes, name="changes"),
    path("changes/<uuid:change_id>/", change_views.change, name="change"),
    path("changes/<uuid:change_id>/progress/", change_views.progress, name="progress"),
    path("changes/<uuid:change_id>/step/", change_views.step, name="step"),
    path("changes/<uuid:change_id>/send/", change_views.send, name="send"),
    path("changes/<uuid:change_id>/undo/", change_views.undo, name="undo"),
    path("changes/<uuid:change_id>/report.csv", change_views.report, name="report"),
]
