"""Sub-accounts: creating them and following them as far as it can be known."""

from django.apps import AppConfig


class SubAccountsConfig(AppConfig):
    """App of the sub-accounts."""

    name = "dashboard.sub_accounts"
