"""Addresses of the sub-accounts."""

from django.urls import path

from dashboard.sub_accounts import views

app_name = "sub_accounts"
urlpatterns = [
    path("", views.sub_accounts, name="sub_accounts"),
    path("export.csv", views.export, name="export"),
    path("report/", views.report, name="report"),
    path("create/", views.create, name="create"),
    path("<uuid:key>/", views.sub_account, name="sub_account"),
    path("<uuid:key>/progress/", views.progress, name="progress"),
    path("<uuid:key>/arrived/", views.arrived, name="arrived"),
    path("<uuid:key>/again/", views.again, name="again"),
]
