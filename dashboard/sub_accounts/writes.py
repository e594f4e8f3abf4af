"""Creating a sub-account (section 4.2): sent once, because a billing customer comes with it.

No documented read lists sub-accounts, so a person settles an answer that was lost. The request holds no secret: a new
sub-account has no password and no token; names, phone, tax id and e-mail are what Activity keeps as well.
"""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import Refused
from dashboard.platform_api.organizations import SubAccount
from dashboard.platform_api.vocabulary import Message
from dashboard.shared import refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import Refusal, not_accepted
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.operations import Operation, register
from dashboard.writes.requests import form_intent

CREATE = "organizations.create_sub_account"


def create_sub_account(request: OwnerRequest, payload: dict[str, Any]) -> Write:
    """Send the creation; the same form sent twice is one. Raises the `PlatformError` of a refusal."""
    return outbox.perform(
        form_intent(request, CREATE, subject=payload["tax_id"], sends=payload, label=payload["name"], after=payload)
    )


def list_creations(account: Account) -> QuerySet[Write]:
    """Every creation that was sent, newest first; those that were refused too."""
    states = (State.SENDING, State.UNCONFIRMED, State.DONE, State.REFUSED)
    creations = Write.objects.select_related("account").filter(account=account, operation=CREATE, state__in=states)
    return creations.order_by("-created_at")


def send_creation(write: Write) -> SubAccount:
    """Create the sub-account."""
    return clients.platform_for(write.owner).organizations.create_sub_account(write.request)


def keep_creation(write: Write, created: SubAccount) -> None:
    """Keep the id that the platform gave it."""
    write.result = {"organization_id": created.organization_id, "status": created.status}
    write.after = {**write.request, **write.result}


def get_page(write: Write) -> str:
    """Where the creation is shown."""
    return address("sub_accounts:sub_account", write.pk)


register(Operation(CREATE, send=send_creation, keep=keep_creation, page=get_page))


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

refusals.register(
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
