"""Links are owned by proof: imports that the platform never confirmed become claims of the accounts that made them.

Such an import is told by what the platform always answers about a link and nobody typed: a link without name and dates was
never answered. One that an account created here is excepted, however little the answer said. The copy of the link stays,
with its comments and its reviewers, and is shown to nobody until an owner proves it. (A link that was imported unseen and
read since has name and dates; the next read of it compares its video and settles whose it is.)
"""

import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def turn_unconfirmed_imports_into_claims(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    links, claims = apps.get_model("review_portal", "ReviewLink"), apps.get_model("review_portal", "Claim")
    attempts = apps.get_model("review_links", "Attempt")
    created = attempts.objects.filter(progress="created", link_id__isnull=False).values("link_id")
    unseen = links.objects.filter(name="", created_at=None, updated_at=None, expires_at=None).exclude(pk__in=created)
    for link in unseen.iterator():
        said = {"video_id": link.video_id, "video": link.video, "claimed_at": link.known_since}
        claims.objects.bulk_create(
            claims(account_id=account, link_id=link.pk, **said)
            for account in link.accounts.values_list("pk", flat=True)
        )
        link.accounts.clear()
        links.objects.filter(pk=link.pk).update(confirmed=False)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("review_links", "0001_initial"),
        ("review_portal", "0002_passage"),
    ]

    operations = [
        migrations.AddField(
            model_name="reviewlink",
            name="confirmed",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link_id", models.UUIDField(db_index=True)),
                ("video_id", models.UUIDField()),
                ("video", models.JSONField(default=dict)),
                ("claimed_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("account", "link_id"), name="one_claim_per_account"),
                ],
            },
        ),
        migrations.RunPython(turn_unconfirmed_imports_into_claims, migrations.RunPython.noop, elidable=True),
    ]
