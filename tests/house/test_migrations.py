"""The migrations make what the models say, and a database of before 0.2.0 has what the first one of each app makes."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_no_model_says_what_no_migration_makes() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=1)


@pytest.mark.django_db
def test_a_database_with_every_earlier_migration_gets_the_newer_ones_alone() -> None:
    recorder = MigrationRecorder(connection)
    first = {(app, name) for app, name in recorder.applied_migrations() if name == "0001_schema"}
    newer = {("accounts", "0002_hashed_session_keys"), ("writes", "0002_drop_unused_tables")}
    assert len(first) > 15
    for app, name in first | newer:
        recorder.record_unapplied(app, name)
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    assert {(migration.app_label, migration.name) for migration, _backwards in plan} == newer
    assert ("lives", "0002_starts_become_writes") in recorder.applied_migrations(), (
        "as in the manifests of older backups"
    )
