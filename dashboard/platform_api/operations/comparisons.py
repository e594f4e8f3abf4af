"""A/B tests [4.5]. Payloads and answers are not shown: see `assumptions`."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.errors import CallError, PlatformDown
from dashboard.platform_api.lists import record
from dashboard.platform_api.records.comparisons import Comparison
from dashboard.platform_api.records.comparisons import Comparisons as ComparisonList
from dashboard.platform_api.request import Body, Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import Unreadable, mapping, optional_text
from dashboard.platform_api.vocabulary import ComparisonAction


class Comparisons:
    """The tests of the account."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self) -> ComparisonList:
        """GET {base_url}/comparison: the tests and the caller's CDN zone name [2.5, 4.5]."""
        return self._send(
            Request("comparisons.list", "GET", ("comparison",)), lambda answer: ComparisonList.from_json(answer.json())
        )

    def get(self, comparison_id: Identifier) -> Comparison:
        """GET {base_url}/comparison/{id} [4.5]."""
        return self._send(
            Request("comparisons.get", "GET", ("comparison", comparison_id)),
            partial(_comparison, requested_id=comparison_id),
        )

    def create(self, payload: Mapping[str, Any]) -> Comparison:
        """POST {base_url}/comparison [4.5]; `payload`: name, description, video_ids, as update takes (assumed)."""
        return self._send(Request("comparisons.create", "POST", ("comparison",), body=payload), _comparison)

    def start(self, comparison_id: Identifier) -> Comparison:
        """PUT {base_url}/comparison/{id}?type=start [4.5]: DRAFT to IN_PROGRESS [3]."""
        return self._change("comparisons.start", comparison_id, ComparisonAction.START)

    def update(self, comparison_id: Identifier, changes: Mapping[str, Any]) -> Comparison:
        """PUT {base_url}/comparison/{id}?type=update [4.5]: name, description; video_ids only while DRAFT [3]."""
        return self._change("comparisons.update", comparison_id, ComparisonAction.UPDATE, changes)

    def finish(self, comparison_id: Identifier, payload: Mapping[str, Any]) -> Comparison:
        """PUT {base_url}/comparison/{id}?type=finish [4.5]: IN_PROGRESS to COMPLETED, terminal [3]."""
        return self._change("comparisons.finish", comparison_id, ComparisonAction.FINISH, payload)

    def delete(self, comparison_id: Identifier) -> None:
        """DELETE {base_url}/comparison [4.5]; the id travels in the body as {"id": …} (assumed)."""
        self._send(
            Request("comparisons.delete", "DELETE", ("comparison",), body={"id": str(comparison_id)}),
            lambda answer: None,
        )

    def _change(
        self, operation: str, comparison_id: Identifier, action: ComparisonAction, body: Body | None = None
    ) -> Comparison:
        """The test after the change, read again where the answer is not the test itself (it is not shown).

        Raises `PlatformDown` with status 200 where it was changed and cannot be read: nothing says that it was not received.
        """
        request = Request(operation, "PUT", ("comparison", comparison_id), [("type", action.value)], body)
        changed = self._send(request, partial(_comparison_or_none, comparison_id))
        if changed is not None:
            return changed
        try:
            return self.get(comparison_id)
        except CallError as error:
            raise PlatformDown(operation, 200) from error


def _comparison(answer: Answer, requested_id: Identifier | None = None) -> Comparison:
    value = answer.json()
    source = record(value, "comparison", requested_id=requested_id)
    return Comparison.from_json(source, optional_text(mapping(value).get("pullzone")))


def _comparison_or_none(requested_id: Identifier, answer: Answer) -> Comparison | None:
    try:
        return _comparison(answer, requested_id)
    except Unreadable:
        return None
