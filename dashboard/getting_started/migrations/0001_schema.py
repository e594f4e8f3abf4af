"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("getting_started", "0001_initial"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="Setup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("played_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
        ),
    ]
