"""Overview items of sub-accounts: those created in the last days and not connected yet. Activity lists unconfirmed ones."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.overview.registry import Moving, provides
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.sub_accounts import writes
from dashboard.writes.models import State

DAYS = 3
MOST = 3


@provides("sub_accounts", asks_platform=False)
def sub_accounts(request: OwnerRequest) -> Iterator[Moving]:
    """Nobody knows when a sub-account is ready (section 3): it leaves the list when it is connected, or after days."""
    connected = set(Account.objects.connected().filter(parent=request.account).values_list("name", flat=True))
    since = timezone.now() - timedelta(days=DAYS)
    recent = writes.list_creations(request.account).filter(state=State.DONE, created_at__gte=since)
    for creation in recent.exclude(label__in=connected)[:MOST]:
        here = address("sub_accounts:sub_account", creation.pk)
        sentence = _("Creating, %(when)s. The platform does not say when it is ready.")
        when = {"when": formats.ago(creation.created_at)}
        yield Moving(_("Sub-account %(name)s") % {"name": creation.label}, here, sentence % when, 1, 2)
