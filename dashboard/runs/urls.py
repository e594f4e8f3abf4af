"""Addresses of the runs."""

from django.urls import path

from dashboard.runs import views

app_name = "runs"
urlpatterns = [
    path("", views.runs, name="runs"),
    path("check/", views.check, name="check"),
    path("<uuid:run_id>/", views.run, name="run"),
    path("<uuid:run_id>/progress/", views.progress, name="progress"),
    path("<uuid:run_id>/start/", views.start, name="start"),
    path("<uuid:run_id>/pause/", views.pause, name="pause"),
    path("<uuid:run_id>/continue/", views.resume, name="continue"),
    path("<uuid:run_id>/retry/", views.retry, name="retry"),
    path("<uuid:run_id>/dismiss/", views.dismiss, name="dismiss"),
    path("<uuid:run_id>/restore/", views.restore, name="restore"),
    path("<uuid:run_id>/check-again/", views.check_again, name="check_again"),
    path("<uuid:run_id>/results.csv", views.results, name="results"),
]
