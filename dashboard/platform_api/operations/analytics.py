"""Analytics [4.5, 4.12, 4.15]: dates are sent as YYYY-MM-DD, answers are read tolerantly."""

from datetime import date

from dashboard.platform_api.records.analytics import Analytics
from dashboard.platform_api.request import Auth, Host, Identifier, Query, Request
from dashboard.platform_api.sending import Send


class AnalyticsQueries:
    """Figures of the account and of single videos."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def browser(
        self,
        start: date | None = None,
        end: date | None = None,
        granularity: str | None = None,
        video_id: Identifier | None = None,
    ) -> Analytics:
        """GET {data_url}/browser, or /browser/{video_id} for one video [4.15]."""
        path = ("browser",) if video_id is None else ("browser", video_id)
        return self._ask("analytics.browser", path, [*_range(start, end), ("granularity", granularity)])

    def city(
        self,
        start: date | None = None,
        end: date | None = None,
        granularity: str | None = None,
        country: str | None = None,
        region: str | None = None,
    ) -> Analytics:
        """GET {data_url}/city [4.15]; `region` is required when granularity is day or hour."""
        query = [*_range(start, end), ("granularity", granularity), ("country", country), ("region", region)]
        return self._ask("analytics.city", ("city",), query)

    def referrer(self, start: date | None = None, end: date | None = None, granularity: str | None = None) -> Analytics:
        """GET {data_url}/referrer [4.15]."""
        return self._ask("analytics.referrer", ("referrer",), [*_range(start, end), ("granularity", granularity)])

    def ranking(self, start: date | None = None, end: date | None = None) -> Analytics:
        """GET {data_url}/ranking [4.15]."""
        return self._ask("analytics.ranking", ("ranking",), _range(start, end))

    def traffic(self, video_id: Identifier, start: date, end: date) -> Analytics:
        """GET {traffic_url}/analytics/traffic [4.12]: bandwidth of one video; Bearer, or by `traffic_auth` [5]."""
        request = Request(
            "analytics.traffic",
            "GET",
            ("analytics", "traffic"),
            [("video_id", video_id), *_range(start, end)],
            host=Host.TRAFFIC,
            auth=Auth.TRAFFIC,
        )
        return self._send(request, lambda answer: Analytics.from_json(answer.json()))

    def general(self, video_id: Identifier, start: date | None = None, end: date | None = None) -> Analytics:
        """GET {data_url}/general/{video_id}: variant plays rate [4.5]."""
        return self._ask("analytics.general", ("general", video_id), _range(start, end))

    def retention(self, video_id: Identifier, start: date | None = None, end: date | None = None) -> Analytics:
        """GET {data_url}/retention/{video_id}: variant retention [4.5]."""
        return self._ask("analytics.retention", ("retention", video_id), _range(start, end))

    def member_referrals(self) -> Analytics:
        """GET {data_url}/member-referrals [4.15]: link, pending estimate, total received, balance [2.9]."""
        return self._ask("analytics.member_referrals", ("member-referrals",), [])

    def _ask(self, operation: str, path: tuple[Identifier, ...], query: Query) -> Analytics:
        return self._send(
            Request(operation, "GET", path, query, host=Host.DATA), lambda answer: Analytics.from_json(answer.json())
        )


def _range(start: date | None, end: date | None) -> list[tuple[str, object]]:
    return [
        ("start_date", None if start is None else f"{start:%Y-%m-%d}"),
        ("end_date", None if end is None else f"{end:%Y-%m-%d}"),
    ]
