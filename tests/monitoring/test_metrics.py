"""/metrics: for whoever has the token, bounded, cheap, and the sum of all processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from django.core.cache import caches
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from dashboard import checks
from dashboard import gunicorn as server
from dashboard.monitoring import metrics
from dashboard.platform_api.circuits import FAILURES
from dashboard.upstream import clients
from dashboard.writes import outbox, schedule, tasks
from dashboard.writes.models import Write
from tests.moments import at_statement
from tests.writes.conftest import Platform, account, intent, platform  # noqa: F401  (fixtures)

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
TOKEN = "0kJx8eYQ2vTq7Zr1LmWc5nUa9PdGh3Bs"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def on(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Metrics are on, and nothing has been counted."""
    settings.METRICS, settings.METRICS_TOKEN = True, TOKEN
    monkeypatch.setattr(metrics, "_process", metrics._Process())


def read(client: Client) -> dict[str, dict[tuple[str, ...], float]]:
    """By sample: the values by their labels, in the order of the labels' names without `process`."""
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            labels = tuple(value for name, value in sorted(sample.labels.items()) if name != "process")
            found.setdefault(sample.name.removeprefix("reelroom_"), {})[labels] = sample.value
    return found


def test_metrics_are_there_only_for_whoever_has_the_token(client: Client, settings: Settings) -> None:
    def status(**headers: str) -> int:
        return client.get("/metrics", headers=headers).status_code

    assert status() == 401
    assert client.get("/metrics").headers["WWW-Authenticate"].startswith("Bearer")
    for wrong in ("Bearer x", f"Basic {TOKEN}", TOKEN, "Bearer ", f"Bearer {TOKEN}x", "Bearer ü"):
        assert status(Authorization=wrong) == 401, wrong
    assert status(Authorization=f"bearer {TOKEN}") == 200
    settings.METRICS_TOKEN = ""
    assert status() == 200, "on for anybody, which the doctor warns of"
    settings.METRICS = False
    assert status() == status(Authorization="Bearer ") == status(Authorization=f"Bearer {TOKEN}") == 404
    assert b"reelroom_" not in client.get("/metrics").content


def test_requests_calls_and_the_cache_are_counted(
    owner: Client, cast: dict[str, Any], faults: ModuleType, settings: Settings
) -> None:
    settings.CACHES = {**settings.CACHES, "default": settings.CACHES["machine"]}
    link = cast["review_links"]["open"]
    visitor = Client()
    assert [visitor.get(f"/{link}").status_code, visitor.get(f"/{link}").status_code] == [200, 200]
    visitor.generic("BREW", "/sign-in/")
    visitor.get(f"/nothing/{link}?q=Zebra")
    faults.set("playlists.list", status=500)
    owner.get("/dashboard/playlists/")
    caches["machine"].set("known", 1)
    caches["machine"].get_many(["known", "unknown"])
    found = read(visitor)
    requests, calls = found["requests_total"], found["platform_calls_total"]
    assert requests["GET", "200", "review_portal:room"] == 2
    assert requests["GET", "404", "none"] == 1
    assert any(labels[0] == "other" for labels in requests)
    assert found["request_seconds_count"]["review_portal:room",] == 2
    assert calls["playlists.list", "PlatformDown"] >= 1 and calls["public_review.read_link", "ok"] >= 1
    assert found["platform_call_seconds_count"]["playlists.list",] >= 1
    assert found["cache_reads_total"]["hit",] >= 1 and found["cache_reads_total"]["miss",] >= 1
    assert found["platform_failures"][()] >= 1 and found["cache_up"][()] == found["database_up"][()] == 1
    text = str(found)
    assert link not in text and "Zebra" not in text and "/" not in text


def test_reads_that_an_open_circuit_kept_back_are_counted_apart(owner: Client, faults: ModuleType) -> None:
    faults.set("playlists.list", status=503)
    owner.get("/dashboard/playlists/")
    assert read(owner)["platform_circuit_open"]["playlists.list",] == 0
    for _visit in range(FAILURES):
        owner.get("/dashboard/playlists/")
    found = read(owner)
    assert found["platform_circuit_open"]["playlists.list",] == 1
    attempts = found["platform_calls_total"]["playlists.list", "PlatformDown"]
    assert found["platform_calls_total"]["playlists.list", "NotSent"] >= 1
    assert found["platform_call_seconds_count"]["playlists.list",] == attempts
    faults.clear()
    clients.circuits().close()
    owner.get("/dashboard/playlists/")
    assert read(owner)["platform_circuit_open"]["playlists.list",] == 0


def test_a_write_that_nobody_can_settle_is_seen_by_the_alert(
    client: Client,
    platform: Platform,  # noqa: F811  (a fixture)
    intent: outbox.Intent,  # noqa: F811
) -> None:
    assert read(client)["writes_oldest_unclear_seconds"][()] == 0
    outbox.begin(intent)
    Write.objects.update(state="unconfirmed", attempt=1, due_at=None, ended_at=timezone.now() - timedelta(hours=2))
    assert read(client)["writes_oldest_unclear_seconds"][()] >= 7200
    Write.objects.update(state="held")
    assert read(client)["writes_oldest_unclear_seconds"][()] == 0
    Write.objects.update(state="unconfirmed")
    outbox.confirm(Write.objects.get())
    assert read(client)["writes_oldest_unclear_seconds"][()] == 0


def test_writes_tasks_and_the_worker_are_read_in_three_queries_through_indexes(
    client: Client,
    settings: Settings,
    platform: Platform,  # noqa: F811  (a fixture)
    intent: outbox.Intent,  # noqa: F811
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    settings.TASKS = {"default": {"BACKEND": "dashboard.writes.task_backend.TracedBackend"}}
    with CaptureQueriesContext(connection) as queries:
        found = read(client)
    asked = [query["sql"] for query in queries]
    assert len(asked) == 3, asked
    assert found["writes_oldest_due_seconds"][()] == 0 and "worker_quiet_seconds" not in found
    write, _new = outbox.begin(intent, hold=timedelta(seconds=30))
    Write.objects.update(due_at=timezone.now() - timedelta(seconds=90))
    tasks.follow_write.enqueue(str(write.pk))
    schedule.take_turn(schedule.RECOVER, schedule.RECOVER_EVERY)
    found = read(client)
    assert found["writes_open"] == {(write.operation, "held"): 1}
    assert 89 < found["writes_oldest_due_seconds"][()] < 120
    assert found["tasks_due"][()] == 1 and 0 <= found["tasks_oldest_due_seconds"][()] < 30
    assert 0 <= found["worker_quiet_seconds"][()] < 10
    with django_capture_on_commit_callbacks(execute=True):
        outbox.deliver(Write.objects.get())
    found = read(client)
    assert "writes_open" not in found
    assert found["writes_settled_total"] == {(write.operation, "done"): 1}
    for table, index in {Write._meta.db_table: "write_open", DBTaskResult._meta.db_table: "ordering_idx"}.items():
        sql = next(sql for sql in asked if f'"{table}"' in sql)
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                plan = str(cursor.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall())
            assert index in plan, plan


def test_metrics_answer_without_the_database(client: Client) -> None:
    def fail() -> None:
        raise DatabaseError

    with at_statement('FROM "writes_write"', fail):
        found = read(client)
    assert found["database_up"][()] == 0 and found["cache_up"][()] == 1


def test_nothing_is_counted_where_metrics_are_off(client: Client, settings: Settings) -> None:
    settings.METRICS = False
    client.get("/sign-in/")
    settings.METRICS = True
    assert "requests_total" not in read(client)


COUNT = """
import os, sys
from pathlib import Path
import django
from django.conf import settings
django.setup()
settings.DATA_DIR, settings.METRICS = Path(sys.argv[1]), True
from dashboard.monitoring import metrics
metrics.share(sys.argv[2])
children = []
for _ in range(int(sys.argv[3])):
    child = os.fork()
    if not child:
        metrics.count_request("front_door", "GET", 200, 0.1)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
    metrics.forget_process(child)
metrics.get_meters().circuit_open.labels("web", "videos.get").set(1)
metrics.count_cache_reads(3, 1)
total = sum(s.value for m in metrics.collect_counted() for s in m.samples if s.name == "reelroom_requests_total")
print(int(total), flush=True)
if len(sys.argv) > 4:
    sys.stdin.read()
"""


def test_processes_are_summed_and_what_none_of_them_counted_is_dropped(tmp_path: Path) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "dashboard.settings", "DEBUG": "on"}

    def begin(*words: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", COUNT, str(tmp_path), *words]
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    with begin("web", "3", "stay") as server:
        assert server.stdout is not None and server.stdout.readline() == "3\n"
        assert begin("worker", "2").communicate()[0] == "5\n", "what web and worker counted"
        assert begin("web", "1").communicate()[0] == "6\n", "another server beside it: nothing is dropped"
        server.send_signal(signal.SIGKILL)
    assert begin("web", "1").communicate()[0] == "3\n", "all servers were gone: theirs begin anew, the worker's stay"


def test_a_token_that_can_be_guessed_or_is_another_secret_is_refused(settings: Settings) -> None:
    def codes() -> list[str | None]:
        return [message.id for message in checks.monitoring_is_safe(None)]

    assert codes() == []
    settings.METRICS_TOKEN = ""
    assert codes() == ["reelroom.W027"]
    settings.METRICS = False
    assert codes() == []
    settings.METRICS = True
    for weak in ("prometheus", "12345678" * 8, settings.SECRET_KEY):
        settings.METRICS_TOKEN = weak
        assert codes() == ["reelroom.E016"]


def test_the_web_server_and_the_worker_share_what_they_count(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stop(Exception):
        pass

    shared: list[str] = []

    def share(kind: str) -> None:
        shared.append(kind)
        raise Stop

    monkeypatch.setattr(metrics, "share", share)
    monkeypatch.setattr("django.core.checks.run_checks", list)
    monkeypatch.setattr("dashboard.installation.problems", list)
    with pytest.raises(Stop):
        server.on_starting(None)
    with pytest.raises(Stop):
        call_command("worker")
    assert shared == ["web", "worker"]
    forgotten: list[int] = []
    monkeypatch.setattr(metrics, "forget_process", forgotten.append)
    server.child_exit(None, SimpleNamespace(pid=7))
    assert forgotten == [7]
