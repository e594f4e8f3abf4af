"""Sign-in with an API token, the encrypted vault, the account switcher."""

from django.utils.translation import gettext_noop

from dashboard import feature


class AccountsConfig(feature.Feature):
    """App of the accounts."""

    name = "dashboard.accounts"
    actions = (
        feature.Action(150, gettext_noop("Connect another account"), "accounts:sign_in", "users", query={"add": "1"}),
        feature.Action(160, gettext_noop("Connected accounts"), "accounts:accounts", "users"),
    )
