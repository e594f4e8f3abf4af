"""What is known of the platform, as an app: it has a table."""

from django.core.signals import request_finished

from dashboard import feature


class UpstreamConfig(feature.Feature):
    """`dashboard.upstream`."""

    name = "dashboard.upstream"

    def ready(self) -> None:
        """Do what pages have left when their answers have gone."""
        super().ready()
        from dashboard.upstream import parallel

        request_finished.connect(parallel.end_visit, dispatch_uid="visit")
