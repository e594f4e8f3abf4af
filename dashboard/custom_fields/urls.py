"""Addresses of the custom fields."""

from django.urls import path

from dashboard.custom_fields import views

app_name = "custom_fields"
urlpatterns = [
    path("", views.custom_fields, name="custom_fields"),
    path("read/", views.read_file, name="read"),
    path("export.csv", views.export, name="export"),
    path("videos/<uuid:video_id>/", views.video, name="video"),
    path("videos/<uuid:video_id>/<uuid:field_id>/", views.field, name="field"),
    path("changes/", views.changes, name="changes"),
    path("changes/<uuid:change_id>/", views.change, name="change"),
    path("changes/<uuid:change_id>/progress/", views.progress, name="progress"),
    path("changes/<uuid:change_id>/step/", views.step, name="step"),
    path("changes/<uuid:change_id>/send/", views.send, name="send"),
    path("changes/<uuid:change_id>/undo/", views.undo, name="undo"),
    path("changes/<uuid:change_id>/report.csv", views.report, name="report"),
]
