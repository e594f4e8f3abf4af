"""Creating a sub-account (section 4.2): sent once, because a billing customer comes with it.

No documented read lists sub-accounts, so a person settles an answer that was lost. The request holds no secret: a new
sub-account has no password and no token; names, phone, tax id and e-mail are what Activity keeps as well.
"""

from typing import Any

from django.db.models import QuerySet

from dashboard.accounts.models import Account
from dashboard.platform_api.organizations import SubAccount
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
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
