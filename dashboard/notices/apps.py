"""What happened and whom it is told: notices, e-mails and webhooks."""

from dashboard import feature


class NoticesConfig(feature.Feature):
    """App of the notices."""

    name = "dashboard.notices"
    registers = ("mailing", "tasks", "webhooks")
