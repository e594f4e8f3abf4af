"""Sub-accounts [4.2]; what they use is only referred to [4.16]."""

from collections.abc import Mapping
from typing import Any

from dashboard.platform_api.lists import record
from dashboard.platform_api.records.organizations import SubAccount, Usage, usages
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Send


class Organizations:
    """Child organizations of a parent account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def create_sub_account(self, payload: Mapping[str, Any]) -> SubAccount:
        """POST {base_url}/organizations?action=create-sub-account [4.2]; also creates a billing customer [2.2]."""
        return self._send(
            Request(
                "organizations.create_sub_account",
                "POST",
                ("organizations",),
                [("action", "create-sub-account")],
                payload,
            ),
            lambda answer: SubAccount.from_json(record(answer.json(), identified_by="organization_id")),
        )

    def usage(self) -> tuple[Usage, ...]:
        """GET {base_url}/organizations?action=list-sub-accounts-usage (path, query and shape assumed)."""
        return self._send(
            Request("organizations.usage", "GET", ("organizations",), [("action", "list-sub-accounts-usage")]),
            lambda answer: usages(answer.json()),
        )
