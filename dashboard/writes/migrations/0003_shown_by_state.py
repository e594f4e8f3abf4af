"""What a page still shows of an operation is found by its state: the refused ones of years are not walked."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_identity_key"),
        ("activity", "0003_outcomes_are_found"),
        ("writes", "0002_keep_the_request_id"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="write", name="write_shown"),
        migrations.AddIndex(
            model_name="write",
            index=models.Index(fields=["account", "operation", "state"], condition=Q(shown=True), name="write_shown"),
        ),
    ]
