"""The project package as an app: compiles the catalogues of messages and registers the system checks."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Runs once per process, before anything is served."""

    name = "dashboard"

    def ready(self) -> None:
        from dashboard import catalogues, checks  # noqa: F401  (checks register themselves)
        from dashboard.monitoring import error_reports
        from dashboard.shared import proxies  # noqa: F401  (its check registers itself)

        catalogues.compile_stale()
        error_reports.start()
