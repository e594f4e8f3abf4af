"""Creating a sub-account exactly once (section 4.2): it comes with a billing customer, so twice would cost."""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from dashboard import clients
from dashboard.activity.recorder import ambiguous, recorded
from dashboard.platform_api.errors import PlatformError
from dashboard.shared.http import OwnerRequest
from dashboard.sub_accounts.models import Creation, State


def create(request: OwnerRequest, key: UUID, payload: dict[str, Any]) -> Creation:
    """Send the creation of the form `key`; a form that was sent already gives what came of it.

    A clear refusal leaves nothing behind and is raised; an answer that never came leaves the row unconfirmed, because
    the platform has no documented read that could settle it.
    """
    try:
        with transaction.atomic():
            creation = Creation.objects.create(
                key=key,
                account_id=request.account.pk,
                name=payload["name"],
                administrator=payload["user"]["email"],
            )
    except IntegrityError:
        return Creation.objects.get(key=key, account_id=request.account.pk)
    try:
        with recorded(
            request, "organizations.create_sub_account", target=payload["tax_id"], label=payload["name"], after=payload
        ) as entry:
            created = clients.platform(request).organizations.create_sub_account(payload)
            entry.after = {**payload, "organization_id": created.organization_id, "status": created.status}
    except PlatformError as error:
        if not ambiguous(error):
            creation.delete()
            raise
        creation.state = State.UNCONFIRMED
    else:
        creation.state, creation.organization_id = State.CREATING, created.organization_id
    creation.save()
    return creation
