"""The migrations make what the models say, and a database of before 0.2.0 has what the first one of each app makes."""

import uuid
from datetime import date
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from tests.migrated import newest, schema_of

WITHOUT_ACCOUNT: list[tuple[str, str, str, dict[str, Any]]] = [
    ("accounts", "0002_hashed_session_keys", "Device", {"session_key": "a", "seen_at": timezone.now()}),
    ("sub_accounts", "0001_schema", "PlayRecord", {}),
    (
        "reports",
        "0001_schema",
        "WeeklyReport",
        {"id": uuid.uuid4(), "subscription_id": uuid.uuid4(), "week": date(2026, 11, 23)},
    ),
]
"""Rows that an earlier version could leave behind: app, its last migration then, model, fields."""


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_no_model_says_what_no_migration_makes() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=1)


@pytest.mark.django_db
def test_a_database_with_every_earlier_migration_gets_the_newer_ones_alone() -> None:
    recorder = MigrationRecorder(connection)
    first = {(app, name) for app, name in recorder.applied_migrations() if name == "0001_schema"}
    newer = {
        ("accounts", "0002_hashed_session_keys"),
        ("accounts", "0003_devices_of_accounts"),
        ("reports", "0002_reports_of_addresses"),
        ("review_portal", "0002_drop_moment_of_series"),
        ("sub_accounts", "0002_plays_of_accounts"),
        ("writes", "0002_drop_unused_tables"),
    }
    assert len(first) > 15
    for app, name in first | newer:
        recorder.record_unapplied(app, name)
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    assert {(migration.app_label, migration.name) for migration, _backwards in plan} == newer
    assert ("lives", "0002_starts_become_writes") in recorder.applied_migrations(), (
        "as in the manifests of older backups"
    )


@pytest.mark.django_db(transaction=True, databases=["default", "sandbox"])
@pytest.mark.parametrize(("app", "migration", "name", "fields"), WITHOUT_ACCOUNT)
def test_rows_of_an_account_that_is_gone_end_where_they_become_an_accounts(
    app: str, migration: str, name: str, fields: dict[str, Any]
) -> None:
    earlier = schema_of(app, migration)(app, name)
    earlier.objects.create(account_id=uuid.uuid4(), **fields)
    newest(app)
    assert not earlier.objects.exists()
    connection.check_constraints()


@pytest.mark.django_db(transaction=True)
def test_tables_of_features_whose_rows_became_writes_are_dropped_and_no_other() -> None:
    schema_of("writes", "0001_schema")
    tables = set(connection.introspection.table_names())
    unused = ["ab_tests_creation", "lives_start", "playlists_deletion", "review_links_attempt"]
    unused += ["review_portal_submission", "shared_lastgood", "sub_accounts_creation"]
    with connection.cursor() as cursor:
        for table in unused:
            cursor.execute(f"CREATE TABLE {table} (id integer)")
    newest("writes")
    assert set(connection.introspection.table_names()) == tables
