"""The platform's refusals about sub-accounts as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import Refused
from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import Refusal, not_accepted, register

MESSAGES = {
    Message.SUB_ACCOUNT_OF_SUB_ACCOUNT: Refusal(
        gettext_noop("A sub-account cannot create sub-accounts."), gettext_noop("Switch to the parent account.")
    ),
    Message.ORGANIZATION_NOT_ACTIVE: Refusal(
        gettext_noop("This account is not active, so it cannot create sub-accounts."),
        gettext_noop("Activate it on the platform first."),
    ),
    Message.ORGANIZATION_IN_TRIAL: Refusal(
        gettext_noop("Accounts in trial or without an active subscription cannot create sub-accounts."),
        gettext_noop("Start or renew the subscription on the platform."),
    ),
    Message.VERIFY_PERMISSIONS: Refusal(
        gettext_noop(
            "This token may not create sub-accounts: it needs the permissions get-subaccount and put-subaccount."
        ),
        gettext_noop("Ask the administrator of the account for them."),
    ),
}

register(
    messages=MESSAGES,
    conditions=(
        ("organizations.create_sub_account", Refused, "e-?mail", not_accepted("user_email")),
        ("organizations.create_sub_account", Refused, r"user\W?name", not_accepted("user_name")),
        ("organizations.create_sub_account", Refused, "tax.?id|cpf|cnpj", not_accepted("tax_id")),
        ("organizations.create_sub_account", Refused, "phone", not_accepted("phone")),
        ("organizations.create_sub_account", Refused, "currency", not_accepted("currency")),
        ("organizations.create_sub_account", Refused, r"\bname\b", not_accepted("name")),
    ),
)
