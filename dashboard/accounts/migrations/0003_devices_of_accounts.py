"""A device is of an account that there is, and columns that nobody read are gone."""

from django.db import migrations, models
from django.db.models.deletion import CASCADE

ORPHANS = "DELETE FROM accounts_device WHERE account_id NOT IN (SELECT id FROM accounts_account)"


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_hashed_session_keys")]

    operations = [
        migrations.RunSQL(ORPHANS, migrations.RunSQL.noop),
        migrations.AlterField(
            "device", "account", models.ForeignKey("accounts.account", CASCADE, related_name="devices")
        ),
        migrations.RemoveField("account", "used_at"),
        migrations.RemoveField("identitykey", "made_at"),
    ]
