"""A weekly report is of an account and an address that there are."""

from django.db import migrations, models
from django.db.models.deletion import CASCADE

ORPHANS = """
DELETE FROM reports_weeklyreport WHERE account_id NOT IN (SELECT id FROM accounts_account)
OR subscription_id NOT IN (SELECT id FROM notices_subscription)
"""


class Migration(migrations.Migration):
    dependencies = [("reports", "0001_schema")]

    operations = [
        migrations.RunSQL(ORPHANS, migrations.RunSQL.noop),
        migrations.AlterField(
            "weeklyreport", "account", models.ForeignKey("accounts.account", CASCADE, related_name="+")
        ),
        migrations.AlterField(
            "weeklyreport", "subscription", models.ForeignKey("notices.subscription", CASCADE, related_name="+")
        ),
    ]
