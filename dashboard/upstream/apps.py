"""What is known of the platform, as an app: it has a table."""

from dashboard import feature


class UpstreamConfig(feature.Feature):
    """`dashboard.upstream`."""

    name = "dashboard.upstream"
    registers = ("tasks",)
