"""The key of identities. Where accounts are known already it is the SECRET_KEY that knows them, so nobody is lost."""

import secrets
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import migrations, models

from dashboard.accounts import identity


def make_key(apps: Any, schema_editor: Any) -> None:
    """Adopt the key of before where there are accounts, also for processes of the release before that still run.

    A new installation without settings makes its key when it is first used.
    """
    is_new = not apps.get_model("accounts", "Account").objects.exists()
    secret = secrets.token_urlsafe(50) if is_new else identity.secret_of_before()
    try:
        identity.make(apps.get_model("accounts", "IdentityKey"), secret, number=1)
    except ValueError as error:  # no TOKEN_KEYS, or none that are keys
        if not is_new:
            raise ImproperlyConfigured("Run migrate with the SECRET_KEY and TOKEN_KEYS of the server.") from error


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_disconnections"),
    ]

    operations = [
        migrations.CreateModel(
            name="IdentityKey",
            fields=[
                ("number", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("sealed_key", models.TextField()),
                ("spare", models.TextField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ("number",)},
        ),
        migrations.RunPython(make_key, migrations.RunPython.noop),
    ]
