"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("assistants", "0001_initial"),
        ("assistants", "0002_unconfirmed_switches_become_writes"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Added",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account_id", models.UUIDField()),
                ("assistant_id", models.CharField(max_length=100)),
                ("name", models.CharField(max_length=200)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["name", "assistant_id"],
                "constraints": [
                    models.UniqueConstraint(fields=("account_id", "assistant_id"), name="an_assistant_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Switch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account_id", models.UUIDField()),
                ("assistant_id", models.CharField(max_length=100)),
                ("video_id", models.CharField(max_length=64)),
                ("visible", models.BooleanField()),
                ("confirmed", models.BooleanField(default=True)),
                ("at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("account_id", "assistant_id", "video_id"), name="one_switch_of_a_chat"
                    )
                ],
            },
        ),
    ]
