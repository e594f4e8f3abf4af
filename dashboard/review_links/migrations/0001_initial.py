import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("video_id", models.UUIDField()),
                ("video_title", models.CharField(blank=True, max_length=500)),
                ("payload", models.JSONField()),
                (
                    "progress",
                    models.CharField(
                        choices=[
                            ("sending", "Sending"),
                            ("created", "Created"),
                            ("refused", "Refused"),
                            ("unconfirmed", "Unconfirmed"),
                        ],
                        default="sending",
                        max_length=12,
                    ),
                ),
                ("link_id", models.UUIDField(null=True)),
                ("started_at", models.DateTimeField()),
                ("looked_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["account", "progress"], name="attempts_of_account")],
            },
        ),
    ]
