"""The public review portal."""

from django.utils.translation import gettext_noop

from dashboard import feature


class ReviewPortalConfig(feature.Feature):
    """App of the portal."""

    name = "review_portal"
    registers = ("news", "messages", "tasks", "writes")
    operation_names = {
        "public_review.create_comment": gettext_noop("Comment posted"),
        "public_review.update_comment": gettext_noop("Comment changed"),
    }
