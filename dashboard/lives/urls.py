"""Addresses of the lives."""

from django.urls import path

from dashboard.lives import creation_views, key_views, views
from dashboard.lives.writes import FINISH

app_name = "lives"
urlpatterns = [
    path("", views.lives, name="lives"),
    path("create/", creation_views.create, name="create"),
    path("<str:live_id>/", views.live, name="live"),
    path("<str:live_id>/progress/", views.progress, name="progress"),
    path("<str:live_id>/start/", views.start, name="start"),
    path("<str:live_id>/arrived/", views.arrived, name="arrived"),
    path("<str:live_id>/again/", views.again, name="again"),
    path("<str:live_id>/finish/", views.finish, name="finish"),
    path("<str:live_id>/finish/arrived/", views.arrived, {"operation": FINISH}, name="finish_arrived"),
    path("<str:live_id>/finish/again/", views.again, {"operation": FINISH}, name="finish_again"),
    path("<str:live_id>/key/", key_views.key, name="key"),
]
