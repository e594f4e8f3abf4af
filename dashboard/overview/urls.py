"""Addresses of the overview and of its parts, which are fetched alone when they were late."""

from django.urls import path

from dashboard.overview import views

app_name = "overview"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("waiting/", views.waiting, name="waiting"),
    path("figures/", views.figures, name="figures"),
    path("most-watched/", views.most_watched, name="most_watched"),
]
