"""Addresses of analytics. Every state is in the query string; files stand beside the pages under the panel's name."""

from django.urls import path, register_converter

from dashboard.analytics import files, lesson_views, rate_why_views, traffic_why_views, views, why_views


class Extension:
    """The kinds of file a panel has."""

    regex = "csv|svg"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Extension, "analytics_file")

app_name = "analytics"
urlpatterns = [
    path("", views.analytics, name="analytics"),
    path("browsers/", views.browsers, name="browsers"),
    path("cities/", views.cities, name="cities"),
    path("referrers/", views.referrers, name="referrers"),
    path("ranking/", views.ranking, name="ranking"),
    path("traffic/", views.traffic, name="traffic"),
    path("traffic/price/", views.price, name="price"),
    path("traffic/progress/", views.traffic_progress, name="traffic_progress"),
    path("retention/", views.retention, name="retention"),
    path("lessons/", lesson_views.lessons, name="lessons"),
    path("lessons/progress/", lesson_views.lessons_progress, name="lessons_progress"),
    path("lessons.csv", lesson_views.lessons_file, name="lessons_file"),
    path("why/", why_views.why_first, name="why_first"),
    path("why/traffic/", traffic_why_views.traffic_why_first, name="traffic_why_first"),
    path("why/traffic/<slug:split>/", traffic_why_views.traffic_why, name="traffic_why"),
    path("why/traffic/<slug:split>.csv", traffic_why_views.traffic_why_file, name="traffic_why_file"),
    path("why/rate/<slug:split>/", rate_why_views.rate_why, name="rate_why"),
    path("why/rate/<slug:split>.csv", rate_why_views.rate_why_file, name="rate_why_file"),
    path("why/<slug:split>/", why_views.why, name="why"),
    path("why/<slug:split>.csv", why_views.why_file, name="why_file"),
    path("spark/<uuid:video_id>/", views.spark, name="spark"),
    path("all.zip", files.bundle, name="bundle"),
    path("<slug:name>.<analytics_file:extension>", files.file, name="file"),
]
