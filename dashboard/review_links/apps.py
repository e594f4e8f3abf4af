"""Review links of the account's videos."""

from django.apps import AppConfig


class ReviewLinksConfig(AppConfig):
    """App of the owner's desk for review links."""

    name = "dashboard.review_links"
