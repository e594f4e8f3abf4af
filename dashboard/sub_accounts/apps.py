"""Sub-accounts: creating them and following them as far as it can be known."""

from django.utils.translation import gettext_noop

from dashboard import feature


class SubAccountsConfig(feature.Feature):
    """App of the sub-accounts."""

    name = "dashboard.sub_accounts"
    registers = ("queries", "writes")
    places = (feature.Place("library", 50, "sub_accounts:sub_accounts", gettext_noop("Sub-accounts"), icon="users"),)
    actions = (feature.Action(50, gettext_noop("Create sub-account"), "sub_accounts:create", "users"),)
    operation_names = {
        "organizations.create_sub_account": gettext_noop("Sub-account created"),
    }
