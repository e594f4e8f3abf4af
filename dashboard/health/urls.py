"""Addresses of the platform's health."""

from django.urls import path

from dashboard.health import views

app_name = "health"
urlpatterns = [
    path("", views.health, name="health"),
    path("banner/", views.banner, name="banner"),
    path("probe/", views.probe, name="probe"),
]
