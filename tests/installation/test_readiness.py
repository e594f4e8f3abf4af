"""What load balancers are told: about our own parts, at once, and never by asking the platform."""

from types import ModuleType
from typing import Any

import pytest
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection, router
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import OperationalError
from django.test import Client
from pytest_django import Settings

from dashboard import installation
from dashboard.installation import missing_migrations, missing_static_files, problems
from tests.conftest import AtPlatform
from tests.counted_calls import count_calls

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
GOOD = {"database": "ok", "migrations": "ok", "static": "ok", "cache": "ok"}


@pytest.fixture(autouse=True)
def looked_anew(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(installation, "_looked", installation._Looked(at=-1e9))
    missing_static_files.cache_clear()
    yield
    missing_static_files.cache_clear()


def codes() -> set[str]:
    return {str(problem.id) for problem in problems()}


def test_readiness_names_our_own_parts(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, GOOD)
    assert codes() == set()


def test_readiness_never_asks_the_platform_and_calls_few_functions(
    client: Client, cast: dict[str, Any], faults: ModuleType, at_platform: AtPlatform
) -> None:
    faults.set("*", broken="hangs")
    asked: list[object] = []
    at_platform.arrives("*", asked.append)
    client.get("/readyz")
    assert count_calls(lambda: client.get("/readyz")) < 3_000
    assert asked == []


def test_a_database_that_does_not_answer_makes_it_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise OperationalError("no route")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "unreachable")
    assert "reelroom.W021" in codes(), "the server starts all the same, and waits for it"


def test_a_migration_that_is_missing_makes_it_not_ready_and_stops_the_start(client: Client) -> None:
    last = missing_last_migration()
    assert missing_migrations("default") == [last]
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["migrations"]) == (503, "missing")
    assert codes() == {"reelroom.E021"}


@pytest.mark.parametrize("alias", ["default", "sandbox"])
def test_migrations_that_are_looked_for_are_those_that_django_loads(
    alias: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda self: {})
    loaded = [node for node in MigrationLoader(None).graph.nodes if router.allow_migrate(alias, node[0])]
    assert missing_migrations(alias) == sorted(f"{app}.{name}" for app, name in loaded)
    assert loaded


def missing_last_migration() -> str:
    row = MigrationRecorder(connection).migration_qs.filter(app="writes", name__startswith="0002").last()
    assert row is not None
    row.delete()
    return f"{row.app}.{row.name}"


def test_static_files_that_were_not_collected_make_it_not_ready_and_stop_the_start(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete = {name: name for name in _static_names()}
    monkeypatch.setattr(staticfiles_storage, "hashed_files", complete, raising=False)
    assert (client.get("/readyz").status_code, codes()) == (200, set())
    missing_static_files.cache_clear()
    del complete["css/app.css"]  # as after an update without collectstatic
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["static"]) == (503, "missing")
    assert codes() == {"reelroom.E020"}


def _static_names() -> list[str]:
    return [name for finder in get_finders() for name, _ in finder.list([])]


def test_debug_stops_the_start_of_the_production_server(settings: Settings) -> None:
    settings.DEBUG = True
    assert codes() == {"reelroom.E012"}
