"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("referrals", "0001_initial"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="ReferralDay",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("account_id", models.UUIDField()),
                ("day", models.DateField()),
                ("pending", models.DecimalField(decimal_places=2, max_digits=18, null=True)),
                ("received", models.DecimalField(decimal_places=2, max_digits=18, null=True)),
                ("balance", models.DecimalField(decimal_places=2, max_digits=18, null=True)),
                ("currency", models.CharField(blank=True, max_length=3)),
            ],
            options={
                "ordering": ["day"],
                "constraints": [models.UniqueConstraint(fields=("account_id", "day"), name="one_referral_day")],
            },
        ),
    ]
