"""Addresses of the folders."""

from django.urls import path

from dashboard.folders import views

app_name = "folders"
urlpatterns = [
    path("", views.folders, name="folders"),
    path("<str:folder_id>/children/", views.children, name="children"),
]
