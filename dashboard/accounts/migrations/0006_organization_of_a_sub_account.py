from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_zone_of_an_account"),
    ]

    operations = [
        migrations.AddField(
            model_name="account",
            name="organization_id",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
