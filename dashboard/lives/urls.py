"""Addresses of the lives."""

from django.urls import path

from dashboard.lives import views

app_name = "lives"
urlpatterns = [
    path("", views.lives, name="lives"),
    path("<str:live_id>/", views.live, name="live"),
    path("<str:live_id>/progress/", views.progress, name="progress"),
    path("<str:live_id>/start/", views.start, name="start"),
    path("<str:live_id>/arrived/", views.arrived, name="arrived"),
    path("<str:live_id>/again/", views.again, name="again"),
]
