"""Every write of the product: stored before it is sent, sent exactly once, settled once."""

from dashboard import feature


class WritesConfig(feature.Feature):
    """App of the outbox and of the worker's tasks."""

    name = "dashboard.writes"
    registers = ("tasks",)
