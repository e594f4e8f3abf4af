"""The log: one object a line, found by the request's id, and nothing in it that is nobody's business."""

import logging
import sys
import uuid
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.db import DataError, IntegrityError
from django.http import HttpRequest
from django.test import Client
from django_tasks_db.models import DBTaskResult
from gunicorn.config import Config
from pytest_django import Settings

from dashboard import gunicorn as server
from dashboard.monitoring.context import RequestContext, get_context, get_request_id, use_context
from dashboard.monitoring.logs import JsonFormatter, TextFormatter, build_logging, clean_text, make_formatter
from dashboard.sandbox.models import ReviewLink as PlatformLink
from dashboard.writes import tasks
from dashboard.writes.models import Write
from dashboard.writes.task_backend import TracedWorker
from review_portal.models import Reviewer
from tests.monitoring.conftest import Log

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

WORDS = "Zebrawords typed by somebody"
VIEW = "front_door"


FrontDoor = Callable[[Callable[..., Any]], None]


def raising(error: Exception) -> Any:
    def view(request: HttpRequest) -> None:
        secret = WORDS  # noqa: F841  (a local of the frame that fails)
        raise error from ValueError(WORDS)

    return view


def broken_page(client: Client, front_door: FrontDoor, error: Exception, **how: Any) -> None:
    """Open a page whose view raises `error`."""
    front_door(raising(error))
    client.raise_request_exception = False
    assert client.get("/", **how).status_code == 500


def test_a_request_is_one_object_with_id_method_view_status_time_and_account(owner: Client, log: Log) -> None:
    answer = owner.get("/dashboard/videos/?search=Zebra")
    (line,) = log.of("dashboard.requests")
    assert line.pop("milliseconds") >= 0 and line.pop("time").endswith("+00:00")
    assert line.pop("message").startswith("GET videos:videos 200 ")
    assert line == {
        "level": "info",
        "logger": "dashboard.requests",
        "request_id": answer.headers["X-Request-ID"],
        "method": "GET",
        "view": "videos:videos",
        "account": owner.session["account"],
        "status": 200,
    }


def test_calls_of_the_platform_carry_the_id_of_their_request(owner: Client, log: Log) -> None:
    answer = owner.get("/dashboard/playlists/")
    calls = log.of("dashboard.platform_api.sending")
    assert calls and {line["request_id"] for line in calls} == {answer.headers["X-Request-ID"]}
    assert all({"operation", "status", "milliseconds", "view"} <= set(line) for line in calls)


def test_an_id_is_believed_only_from_a_proxy_of_ours_and_only_in_shape(client: Client, settings: Settings) -> None:
    given = "edge-0123456789abcdef"

    def answered(said: str) -> str:
        return client.get("/healthz", headers={"X-Request-ID": said}).headers["X-Request-ID"]

    assert answered(given) != given
    settings.TRUSTED_PROXIES = 1
    assert answered(given) == given
    for odd in ("short", "with space in it", "x" * 65, "emoji-🦓-in-it", ""):
        made = answered(odd) if odd.isascii() else given[:8]
        assert made != odd and len(made) in (8, 32)


def test_nothing_private_is_in_any_line(
    owner: Client, cast: dict[str, Any], faults: ModuleType, log: Log, front_door: Callable[[Callable[..., Any]], None]
) -> None:
    link, closed = cast["review_links"]["open"], cast["review_links"]["expired"]
    visitor = Client(raise_request_exception=False, enforce_csrf_checks=False)
    form = {"text": WORDS, "user_name": "Zebraname", "time": "0:01", "key": str(uuid.uuid4())}
    visitor.get(f"/{link}?from=Zebraquery")
    visitor.post(f"/{link}/comments", form)
    faults.set("public_review.create_comment", status=500)
    visitor.post(f"/{link}/comments", form | {"key": str(uuid.uuid4())})
    for path in ("", "/comments", "/finish", "/print", "/export.csv", "/device", "/nothing-here", f"/comments/{link}"):
        visitor.get(f"/{link}{path}?q=Zebraquery")
        visitor.get(f"/{closed}{path}".upper())
    Client(enforce_csrf_checks=True).post(f"/{link}/comments", form, headers={"Referer": f"https://x.example/{link}"})
    visitor.get(f"/{link}", headers={"Host": "zebrahost.example"})
    visitor.post("/sign-in/", {"token": "Zebratoken0123456789", "person": "Zebraname"})
    owner.raise_request_exception = False
    faults.set("*", status=500)
    owner.get("/dashboard/videos/?search=Zebraquery")
    owner.post("/dashboard/review-links/create/?video=Zebraquery", {"name": WORDS})
    for error in (KeyError(WORDS), IntegrityError(f"Key (text)=({WORDS})"), DataError(WORDS), UnicodeError(WORDS)):
        broken_page(visitor, front_door, error, headers={"Cookie": "zebra=Zebracookie"})
    reviewers = [value for one in Reviewer.objects.all() for value in (one.pk, one.token)]
    sessions = [client.cookies["sessionid"].value for client in (owner, visitor) if "sessionid" in client.cookies]
    secret = [
        cast["tokens"]["owner"],
        link,
        closed,
        *PlatformLink.objects.values_list("pk", flat=True),
        *reviewers,
        *sessions,
    ]
    assert len(secret) > 8 and len(log.lines) > 40
    text = log.text.lower()
    for marked in ("zebra", *map(str, secret)):
        for spelling in (marked, marked.replace("-", "")):
            assert spelling.lower() not in text, next(
                line for line in log.lines if spelling.lower() in str(line).lower()
            )
    assert "?" not in "".join(line["message"] for line in log.lines)
    views_seen = {line["view"] for line in log.of("dashboard.requests")}
    assert {"review_portal:room", "review_portal:comments", "review_portal:export", VIEW, "none"} <= views_seen


def test_an_exception_is_one_field_with_classes_and_places(
    client: Client, log: Log, front_door: Callable[[Callable[..., Any]], None]
) -> None:
    broken_page(client, front_door, KeyError("Zebra"))
    (line,) = log.of("django.request")
    assert line["message"] == f"Internal Server Error: GET {VIEW}" and line["level"] == "error"
    assert "test_logs.py" in line["exception"] and "builtins.KeyError\nfrom\nbuiltins.ValueError" in line["exception"]
    assert line["request_id"] == log.of("dashboard.requests")[0]["request_id"]
    assert log.of("dashboard.requests")[0]["level"] == "warning"


def test_texts_of_others_lose_addresses_queries_and_what_follows_the_word_for_a_secret() -> None:
    link = "0d3c7f0e-9a55-4c3f-8a3e-5a8a1f7f2b11"
    for text, cleaned in {
        f"cannot read /{link}/comments?since=3": "cannot read /…",
        f"at https://review.example/{link}": "at https://review.example",
        "redis://:hunter2@cache:6379/0 timed out": "redis://cache:6379 timed out",
        "GET /dashboard/?next=/x failed": "GET /dashboard/?… failed",
        "Authorization: Bearer abcdef": "Authorization: Bearer …",
        "{'token': 'abc', 'page': 2}": "{'token': '…', 'page': 2}",
        f"write {link} of lives.start cannot be followed": f"write {link} of lives.start cannot be followed",
        "The database is locked": "The database is locked",
    }.items():
        assert clean_text(text) == cleaned


def test_the_web_servers_own_lines_keep_to_it_and_its_access_log_stays_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "off")
    config = Config()
    for name in ("accesslog", "errorlog", "logger_class"):
        config.set(name, getattr(server, name))
    logger = config.logger_class(config)
    assert not logger.access_log_enabled
    (handler,) = logger.error_log.handlers
    form = handler.formatter
    assert isinstance(form, JsonFormatter), "this is how production starts"
    link = "0d3c7f0e-9a55-4c3f-8a3e-5a8a1f7f2b11"

    def said(message: str, *args: object) -> str:
        record = logging.LogRecord("gunicorn.error", logging.ERROR, "", 1, message, args, sys.exc_info())
        return form.format(record)

    assert link not in said("Error handling request %s %s", "GET", f"/{link}?x=Zebra")
    assert "Zebra" not in said("Error handling request %s", "/x?y=Zebra")
    assert "Zebra" not in said("Invalid request from ip=1.2.3.4: Invalid HTTP header: 'Zebra'")
    assert "Listening at: http://127.0.0.1:8000 (12)" in said("Listening at: %s (%s)", "http://127.0.0.1:8000", 12)


def test_production_logs_json_and_development_text_with_the_whole_exception() -> None:
    assert isinstance(make_formatter("json"), JsonFormatter)
    try:
        raise ValueError(WORDS)
    except ValueError:
        record = logging.LogRecord("x", logging.INFO, "", 1, "hello", (), sys.exc_info())
    with use_context(RequestContext("0123")):
        assert TextFormatter().format(record).splitlines()[0].endswith(" INFO x hello [0123]")
    assert WORDS not in TextFormatter().format(record)
    assert WORDS in TextFormatter(private=True).format(record)
    loggers = build_logging("INFO", "json")["loggers"]
    assert loggers["httpx"]["level"] == "WARNING" and not any("handlers" in one for one in loggers.values())


def test_tasks_and_writes_carry_the_id_of_the_request_that_queued_them(
    owner: Client, cast: dict[str, Any], settings: Settings, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.TASKS = {"default": {"BACKEND": "dashboard.writes.task_backend.TracedBackend"}}
    link = cast["review_links"]["open"]
    visitor = Client()
    visitor.get(f"/{link}")
    answer = visitor.post(
        f"/{link}/comments", {"key": str(uuid.uuid4()), "text": "Held.", "user_name": "Ana", "time": "0:05"}
    )
    write, request_id = Write.objects.get(), answer.headers["X-Request-ID"]
    assert write.request_id == request_id
    seen: list[str] = []
    monkeypatch.setattr("dashboard.writes.recovery.follow", lambda write: seen.append(get_request_id()))
    tasks.enqueue(write)  # as a worker does, outside of any request
    rows = list(DBTaskResult.objects.filter(task_path=tasks.follow_write.module_path).order_by("enqueued_at"))
    for row in rows:
        DBTaskResult.objects.filter(pk=row.pk).update(status="RUNNING")
        TracedWorker(
            queue_names=["*"], interval=1, batch=True, backend_name="default", startup_delay=False, max_tasks=None,
            worker_id="w", excluded_queue_names=[],
        ).run_task(row)  # fmt: skip
    assert rows and set(seen) == {request_id} and get_context().request_id == ""


def test_activity_shows_the_id_by_which_the_log_is_searched(owner: Client, cast: dict[str, Any]) -> None:
    made = owner.post(f"/dashboard/lives/{cast['lives']['scheduled']}/start/")
    write = Write.objects.get()
    assert write.request_id == made.headers["X-Request-ID"] and write.entry is not None
    page = owner.get(f"/dashboard/activity/{write.entry.pk}/").content.decode()
    assert f"<dt>Request ID</dt><dd>{write.request_id}</dd>" in page
    Write.objects.update(request_id="")  # from a version that did not know it
    assert "Request ID" not in owner.get(f"/dashboard/activity/{write.entry.pk}/").content.decode()


def test_debug_is_for_our_own_lines_and_a_quieter_level_for_all() -> None:
    def effective(level: str) -> dict[str, str]:
        config = build_logging(level, "json")
        loggers = config["loggers"]
        names = ("dashboard.requests", "review_portal", "django.db", "asyncio")
        root = config["root"]["level"]
        return {name: loggers.get(name.partition(".")[0], {"level": root})["level"] for name in names}

    assert effective("DEBUG") == {
        "dashboard.requests": "DEBUG", "review_portal": "DEBUG", "django.db": "INFO", "asyncio": "INFO",
    }  # fmt: skip
    assert set(effective("ERROR").values()) == {"ERROR"} and set(effective("INFO").values()) == {"INFO"}
