"""Addresses of the assistants."""

from django.urls import path

from dashboard.assistants import views

app_name = "assistants"
urlpatterns = [
    path("", views.assistants, name="assistants"),
    path("add/", views.add, name="add"),
    path("remove/", views.remove, name="remove"),
    path("switch/", views.switch, name="switch"),
    path("progress/", views.progress, name="progress"),
    path("several/", views.several, name="several"),
]
