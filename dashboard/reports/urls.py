"""Addresses of the reports."""

from django.urls import path

from dashboard.reports import views

app_name = "reports"
urlpatterns = [
    path("", views.report, name="report"),
    path("report.csv", views.file, name="file"),
    path("weekly/", views.send_weekly, name="send_weekly"),
    path("weekly/<uuid:report_id>/stop/", views.stop_weekly, name="stop_weekly"),
    path("sub-accounts/", views.sub_accounts, name="sub_accounts"),
    path("stop/<signed:token>/", views.stop, name="stop"),
]
