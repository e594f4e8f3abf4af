"""Address of the search."""

from django.urls import path

from dashboard.search import views

app_name = "search"
urlpatterns = [path("", views.search, name="search")]
