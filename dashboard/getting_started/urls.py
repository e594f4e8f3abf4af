"""Addresses of getting started."""

from django.urls import path

from dashboard.getting_started import views

app_name = "getting_started"
urlpatterns = [
    path("", views.getting_started, name="getting_started"),
    path("works/", views.works, name="works"),
    path("played/", views.played, name="played"),
    path("finish/", views.finish, name="finish"),
]
