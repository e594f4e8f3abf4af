"""Addresses of subtitles."""

from django.urls import path

from dashboard.subtitles import views

app_name = "subtitles"
urlpatterns = [
    path("", views.subtitles, name="subtitles"),
    path("plan/", views.plan, name="plan"),
    path("coverage.csv", views.coverage, name="coverage"),
    path("jobs/", views.jobs, name="jobs"),
    path("history/", views.history, name="history"),
    path("live/", views.live_update, name="live"),
    path("batches/<uuid:batch_id>/", views.batch, name="batch"),
    path("batches/<uuid:batch_id>/send/", views.send, name="send"),
    path("videos/<str:video_id>/jobs/", views.video_jobs, name="video_jobs"),
    path("videos/<str:video_id>/<str:lang>/", views.subtitle, name="subtitle"),
    path("videos/<str:video_id>/<str:lang>/download.<str:kind>", views.download, name="download"),
]
