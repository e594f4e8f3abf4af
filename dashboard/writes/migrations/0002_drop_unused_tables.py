"""Tables of features whose rows became writes. A new database never had them; nobody reads them any more."""

from django.db import migrations

TABLES = (
    "ab_tests_creation",
    "lives_start",
    "playlists_deletion",
    "review_links_attempt",
    "review_portal_submission",
    "shared_lastgood",
    "sub_accounts_creation",
)


class Migration(migrations.Migration):
    dependencies = [("writes", "0001_schema")]

    operations = [migrations.RunSQL(f"DROP TABLE IF EXISTS {table}", migrations.RunSQL.noop) for table in TABLES]
