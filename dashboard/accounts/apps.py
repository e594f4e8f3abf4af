"""Sign-in with an API token, the encrypted vault, the account switcher."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """App of the accounts."""

    name = "dashboard.accounts"
