"""Addresses of what is known of the platform."""

from django.urls import path

from dashboard.upstream import views

app_name = "upstream"
urlpatterns = [path("news/", views.news, name="news")]
