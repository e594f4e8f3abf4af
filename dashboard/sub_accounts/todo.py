"""What sub-accounts say to the owner: creations of the last days that were never confirmed, or are still on their way."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.shared import words
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.todo import Moving, Rank, Todo, provides
from dashboard.sub_accounts.models import Creation, State

DAYS = 3
SETTLING = timedelta(minutes=2)
MOST = 3


@provides("sub_accounts")
def sub_accounts(request: OwnerRequest) -> Iterator[Todo | Moving]:
    """Nobody knows when a sub-account is ready (section 3): it leaves the list when it is connected, or after days."""
    now = timezone.now()
    connected = set(Account.objects.connected().filter(parent=request.account).values_list("name", flat=True))
    since = now - timedelta(days=DAYS)
    for creation in Creation.objects.filter(account_id=request.account.pk, at__gte=since)[:MOST]:
        here = address("sub_accounts:sub_account", creation.pk)
        name = {"name": creation.name}
        if creation.state == State.CREATING and creation.name not in connected:
            since_when = _("Creating, %(when)s. The platform does not say when it is ready.")
            yield Moving(_("Sub-account %(name)s") % name, here, since_when % {"when": words.ago(creation.at)}, 1, 2)
        elif creation.state != State.CREATING and now - creation.at > SETTLING:
            title = _("Whether the sub-account %(name)s was created is not known") % name
            why = _("The platform did not answer.")
            yield Todo(Rank.BROKEN, "unknown", _("Not confirmed"), title, here, why, _("Look"), here, creation.at)
