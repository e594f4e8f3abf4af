"""A database of an earlier schema, for tests of migrations that carry rows over."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

Models = Callable[[str, str], Any]


def schema_of(app: str, migration: str) -> Models:
    """Bring the database to `migration` of `app`; returns the lookup of its models, `models("ab_tests", "Creation")`."""
    executor = MigrationExecutor(connection)
    executor.migrate([(app, migration)])
    executor = MigrationExecutor(connection)
    found: Models = executor.loader.project_state(
        [(app, migration), *executor.loader.graph.leaf_nodes("writes")]
    ).apps.get_model
    return found


def newest(app: str) -> None:
    """Bring `app` to its newest migration, and then whatever depends on it."""
    for nodes in (app, None):
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes(nodes))
