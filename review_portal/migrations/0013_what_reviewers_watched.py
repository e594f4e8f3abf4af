"""Reviewers let the owner see what they watched, and others that they are here."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review_portal", "0012_drawings"),
    ]

    operations = [
        migrations.CreateModel(
            name="Viewing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_seen", models.BooleanField(default=False)),
                ("shares", models.BooleanField(default=True)),
                ("spans", models.JSONField(default=list)),
                (
                    "reviewer",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="viewing", to="review_portal.reviewer"
                    ),
                ),
            ],
        ),
    ]
