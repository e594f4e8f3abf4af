"""What was kept of figures is now known as all answers are (`dashboard.upstream`). The release before still writes its table."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("shared", "0001_last_good"),)
    operations = (migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="LastGood")]),)
