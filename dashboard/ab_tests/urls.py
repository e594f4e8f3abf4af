"""Addresses of A/B tests. Identifiers are strings that start 636f6d70- [2.5]; anything else is no test."""

from django.urls import path, register_converter

from dashboard.ab_tests import views


class ComparisonId:
    """An identifier of the platform; upper case is folded, because links are typed too."""

    regex = r"636[fF]6[dD]70-[0-9A-Za-z-]{1,80}"

    def to_python(self, value: str) -> str:
        return value.lower()

    def to_url(self, value: str) -> str:
        return value


class FileName:
    """The charts of a test."""

    regex = "variants|rates|retention"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(ComparisonId, "comparison")
register_converter(FileName, "test_file")

app_name = "ab_tests"
urlpatterns = [
    path("", views.ab_tests, name="ab_tests"),
    path("tests.csv", views.tests, name="tests"),
    path("create/", views.create, name="create"),
    path("<comparison:comparison_id>/", views.ab_test, name="ab_test"),
    path("<comparison:comparison_id>/result/", views.result, name="result"),
    path("<comparison:comparison_id>/edit/", views.edit, name="edit"),
    path("<comparison:comparison_id>/start/", views.start, name="start"),
    path("<comparison:comparison_id>/finish/", views.finish, name="finish"),
    path("<comparison:comparison_id>/delete/", views.delete, name="delete"),
    path("<comparison:comparison_id>/terms/", views.terms, name="terms"),
    path("<comparison:comparison_id>/plan/", views.plan, name="plan"),
    path("<comparison:comparison_id>/<test_file:name>.<str:extension>", views.file, name="file"),
]
