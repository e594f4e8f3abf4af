"""Addresses of the sub-accounts."""

from django.urls import path

from dashboard.sub_accounts import views

app_name = "sub_accounts"
urlpatterns = [
    path("", views.sub_accounts, name="sub_accounts"),
    path("create/", views.create, name="create"),
    path("<uuid:key>/", views.sub_account, name="sub_account"),
]
