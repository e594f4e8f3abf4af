"""The totals of an inbox are kept and its lists read from the index alone. A version before this one leaves them out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_organization_of_a_sub_account"),
        ("review_links", "0004_an_inbox_over_all_links"),
        ("review_portal", "0014_notices_of_news"),
    ]

    operations = [
        migrations.RemoveIndex("inboxitem", "inbox_state_video"),
        migrations.RemoveIndex("inboxitem", "inbox_state_newest"),
        migrations.RemoveIndex("inboxitem", "inbox_until"),
        migrations.AddField("inboxindex", "closes", models.DateTimeField(null=True)),
        migrations.AddField(
            "inboxindex", "counted", models.CharField(blank=True, db_default="", default="", max_length=120)
        ),
        migrations.AddField("inboxindex", "totals", models.JSONField(null=True)),
        migrations.AddField("inboxindex", "waiting", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AddField(
            "inboxreader", "counted", models.CharField(blank=True, db_default="", default="", max_length=120)
        ),
        migrations.AddField("inboxreader", "marks", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AddField("inboxreader", "unread", models.PositiveIntegerField(null=True)),
        migrations.AddIndex(
            "inboxitem",
            models.Index(
                fields=["account", "state", "title", "video_id", "time", "item_id", "until"], name="inbox_waiting_video"
            ),
        ),
        migrations.AddIndex(
            "inboxitem",
            models.Index(fields=["account", "state", "-created_at", "item_id", "until"], name="inbox_waiting_newest"),
        ),
    ]
