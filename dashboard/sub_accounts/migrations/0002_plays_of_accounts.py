"""Plays are of an account that there is."""

from django.db import migrations, models
from django.db.models.deletion import CASCADE

ORPHANS = "DELETE FROM sub_accounts_playrecord WHERE account_id NOT IN (SELECT id FROM accounts_account)"


class Migration(migrations.Migration):
    dependencies = [("sub_accounts", "0001_schema")]

    operations = [
        migrations.RunSQL(ORPHANS, migrations.RunSQL.noop),
        migrations.AlterField(
            "playrecord", "account", models.OneToOneField("accounts.account", CASCADE, related_name="play_record")
        ),
    ]
