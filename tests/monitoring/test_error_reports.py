"""Reports of errors leave only where they are asked for, and hold nothing of the request, of people or of this machine."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sentry_sdk
from django.test import Client
from pytest_django import Settings
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from dashboard import checks
from dashboard.monitoring import error_reports

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
LINK = "0d3c7f0e-9a55-4c3f-8a3e-5a8a1f7f2b11"


class Kept(Transport):
    """Sends nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        event = envelope.get_event()
        assert event is not None
        self.sent.append(json.loads(json.dumps(event)))


@pytest.fixture
def kept(settings: Settings) -> Iterator[Kept]:
    settings.SENTRY_DSN = "https://key@errors.example/7"
    transport = Kept()
    assert error_reports.start(transport)
    assert not sentry_sdk.get_client().should_send_default_pii()
    yield transport
    sentry_sdk.get_global_scope().set_client(None)


def test_a_report_has_the_place_and_the_request_id_and_nothing_that_was_typed(
    client: Client, kept: Kept, front_door: Callable[[Callable[..., Any]], None]
) -> None:
    def view(request: Any) -> None:
        zebra = {"local": "Zebralocal", "token": request.POST["text"]}
        try:
            raise KeyError(zebra["token"])
        except KeyError as error:
            raise ValueError(f"cannot read /{LINK} of {zebra}") from error

    front_door(view)
    client.raise_request_exception = False
    headers = {"Cookie": "sessionid=Zebracookie", "X-Api-Key": "Zebraheader", "Authorization": "Zebratoken"}
    answer = client.post(f"/?next=Zebraquery&link={LINK}", {"text": "Zebrawords"}, headers=headers)
    assert answer.status_code == 500
    (report,) = kept.sent
    text = json.dumps(report)
    # The lines of this test's own source are in the report, as the lines of every frame are: they are no data.
    for error in report["exception"]["values"]:
        assert {frame.pop("vars", None) for frame in error["stacktrace"]["frames"]} <= {None}
        assert set(error) == {"type", "module", "stacktrace"}
        for frame in error["stacktrace"]["frames"]:
            for name in ("pre_context", "context_line", "post_context"):
                frame.pop(name, None)
    for secret in ("Zebra", LINK, LINK.replace("-", ""), "errors.example"):
        assert secret not in json.dumps(report)
    assert not {"request", "user", "contexts", "breadcrumbs", "extra", "server_name", "modules", "transaction"} & set(
        report
    )
    assert [error["type"] for error in report["exception"]["values"]] == ["KeyError", "ValueError"]
    assert report["tags"] == {"request_id": answer.headers["X-Request-ID"], "method": "POST", "view": "front_door"}
    assert (
        report["logentry"] == {"message": "Internal Server Error: POST front_door"} and "test_error_reports.py" in text
    )


def test_what_is_no_error_is_not_reported(kept: Kept) -> None:
    logging.getLogger("dashboard").warning("Redis does not answer")
    assert kept.sent == []
    logging.getLogger("dashboard").error("cannot open https://review.example/%s?token=Zebra", LINK)
    assert kept.sent[0]["logentry"] == {"message": "cannot open https://review.example"}


def test_reports_need_a_dsn_and_the_package(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def codes() -> list[str | None]:
        return [message.id for message in checks.monitoring_is_safe(None)]

    settings.SENTRY_DSN = ""
    assert not error_reports.start() and codes() == []
    for wrong in (
        "errors.example/7",
        "https://errors.example/7",
        "http://key@errors.example/7",
        "https://key@errors.example",
    ):
        settings.SENTRY_DSN = wrong
        assert not error_reports.start() and codes() == ["reelroom.E017"]
    settings.SENTRY_DSN = "https://key@errors.example/7"
    assert codes() == []
    monkeypatch.setattr(error_reports, "is_installed", lambda: False)
    assert not error_reports.start() and codes() == ["reelroom.W026"]
