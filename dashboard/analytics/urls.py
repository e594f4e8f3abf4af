"""Addresses of analytics. Every state is in the query string; files stand beside the pages under the panel's name."""

from django.urls import path, register_converter

from dashboard.analytics import lessons, traffic_why, views, why


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
    path("lessons/", lessons.lessons, name="lessons"),
    path("lessons/progress/", lessons.lessons_progress, name="lessons_progress"),
    path("lessons.csv", lessons.lessons_file, name="lessons_file"),
    path("why/", why.why_first, name="why_first"),
    path("why/traffic/", traffic_why.traffic_why_first, name="traffic_why_first"),
    path("why/traffic/<slug:split>/", traffic_why.traffic_why, name="traffic_why"),
    path("why/traffic/<slug:split>.csv", traffic_why.traffic_why_file, name="traffic_why_file"),
    path("why/rate/<slug:split>/", why.rate_why, name="rate_why"),
    path("why/rate/<slug:split>.csv", why.rate_why_file, name="rate_why_file"),
    path("why/<slug:split>/", why.why, name="why"),
    path("why/<slug:split>.csv", why.why_file, name="why_file"),
    path("spark/<uuid:video_id>/", views.spark, name="spark"),
    path("all.zip", views.bundle, name="bundle"),
    path("<slug:name>.<analytics_file:extension>", views.file, name="file"),
]
