"""Addresses of AI credits."""

from django.urls import path

from dashboard.credits import views

app_name = "credits"
urlpatterns = [
    path("", views.credits, name="credits"),
    path("credits.csv", views.export, name="export"),
]
