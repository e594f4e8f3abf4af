import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_organization_of_a_sub_account"),
        ("sub_accounts", "0002_creations_become_writes"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("days", models.JSONField(default=dict)),
                ("read_at", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=40)),
                ("refused", models.CharField(blank=True, max_length=64)),
                (
                    "account",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="play_record",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
    ]
