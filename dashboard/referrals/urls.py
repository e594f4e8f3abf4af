"""Addresses of referrals."""

from django.urls import path

from dashboard.referrals import views

app_name = "referrals"
urlpatterns = [
    path("", views.referrals, name="referrals"),
    path("referrals.<str:extension>", views.file, name="file"),
]
