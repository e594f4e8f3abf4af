"""Keeps the embedded platform in its own database, and everything else out of it."""

from typing import Any

from django.db.models import Model


class SandboxRouter:
    """Routes the models of `dashboard.sandbox` to the alias `sandbox`."""

    def _database(self, model: type[Model]) -> str | None:
        return "sandbox" if model._meta.app_label == "sandbox" else None

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        return self._database(model)

    def db_for_write(self, model: type[Model], **hints: Any) -> str | None:
        return self._database(model)

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return (db == "sandbox") == (app_label == "sandbox")
