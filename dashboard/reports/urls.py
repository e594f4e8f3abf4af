"""Addresses of the reports."""

from django.urls import path

from dashboard.reports import sub_account_views, views, weekly_views

app_name = "reports"
urlpatterns = [
    path("", views.report, name="report"),
    path("report.csv", views.file, name="file"),
    path("weekly/", weekly_views.send_weekly, name="send_weekly"),
    path("weekly/<uuid:report_id>/stop/", weekly_views.stop_weekly, name="stop_weekly"),
    path("sub-accounts/", sub_account_views.sub_accounts, name="sub_accounts"),
    path("stop/<signed:token>/", weekly_views.stop, name="stop"),
]
