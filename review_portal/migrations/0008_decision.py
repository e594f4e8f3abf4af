"""Reviewers decide: approve, approve with changes, or ask for another round."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review_portal", "0007_claims_say_what_is_known")]

    operations = [
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField()),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("approve", "Approved"),
                            ("changes", "Changes"),
                            ("round", "Round"),
                            ("none", "Withdrawn"),
                        ],
                        max_length=10,
                    ),
                ),
                ("note", models.TextField(blank=True)),
                ("name", models.CharField(max_length=100)),
                ("version", models.PositiveBigIntegerField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(null=True)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decisions",
                        to="review_portal.reviewlink",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decisions",
                        to="review_portal.reviewer",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("link", "key"), name="one_decision_per_form")],
            },
        ),
    ]
