"""AI credits: publicly documented, not named by the specification (assumed path)."""

from datetime import date

from dashboard.platform_api.records.credits import Credits as CreditsRecord
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Send


class Credits:
    """The credits of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def history(self, start: date, end: date) -> CreditsRecord:
        """GET {base_url}/credits?type=general&start_date=&end_date= (assumed path): the balance, and what changed it."""
        days = [("start_date", start.isoformat()), ("end_date", end.isoformat())]
        return self._send(
            Request("credits.history", "GET", ("credits",), [("type", "general"), *days]),
            lambda answer: CreditsRecord.from_json(answer.json()),
        )
