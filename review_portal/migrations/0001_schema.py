"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("review_portal", "0001_initial"),
        ("review_portal", "0002_passage"),
        ("review_portal", "0003_claims"),
        ("review_portal", "0004_submissions_become_writes"),
        ("review_portal", "0005_complete_activity_of_comments"),
        ("review_portal", "0006_reviewlink_allow_preview"),
        ("review_portal", "0007_claims_say_what_is_known"),
        ("review_portal", "0008_decision"),
        ("review_portal", "0009_cuts"),
        ("review_portal", "0010_decisions_as_comments"),
        ("review_portal", "0011_comment_frame"),
        ("review_portal", "0012_drawings"),
        ("review_portal", "0013_what_reviewers_watched"),
        ("review_portal", "0014_notices_of_news"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_schema"),
    ]

    operations = [
        migrations.CreateModel(
            name="CutSeries",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("declared_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Reviewer",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("sealed_token", models.TextField()),
                ("name", models.CharField(blank=True, max_length=100)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Passage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "reviewer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passages",
                        to="review_portal.reviewer",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("comment_id", models.UUIDField()),
                ("user_name", models.CharField(max_length=255)),
                ("text", models.TextField()),
                ("status", models.CharField(default="open", max_length=20)),
                ("time", models.PositiveIntegerField()),
                ("reply_to", models.UUIDField(null=True)),
                ("created_at", models.DateTimeField(null=True)),
                ("updated_at", models.DateTimeField(null=True)),
                ("born", models.PositiveBigIntegerField()),
                ("version", models.PositiveBigIntegerField()),
                ("written_at", models.DateTimeField()),
                (
                    "reviewer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="comments",
                        to="review_portal.reviewer",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReviewLink",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("video_id", models.UUIDField(db_index=True)),
                ("name", models.CharField(max_length=255)),
                ("status", models.CharField(default="active", max_length=40)),
                ("expires_at", models.DateTimeField(null=True)),
                ("allow_comment", models.BooleanField(default=True)),
                ("allow_status_edit", models.BooleanField(default=True)),
                ("show_resolved", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(null=True)),
                ("updated_at", models.DateTimeField(null=True)),
                ("video", models.JSONField(default=dict)),
                ("video_read_at", models.DateTimeField(null=True)),
                ("known_since", models.DateTimeField(auto_now_add=True)),
                ("read_at", models.DateTimeField(null=True)),
                ("merged_at", models.DateTimeField(null=True)),
                ("merged_digest", models.CharField(blank=True, max_length=64)),
                ("version", models.PositiveBigIntegerField(default=1)),
                ("confirmed", models.BooleanField(db_default=True, default=True)),
                ("noticed_version", models.PositiveBigIntegerField(db_default=0, default=0)),
                ("allow_preview", models.BooleanField(db_default=False, default=False)),
                ("send_decisions", models.BooleanField(db_default=False, default=False)),
                ("address_drawings", models.BooleanField(db_default=True, default=True)),
                ("accounts", models.ManyToManyField(blank=True, related_name="review_links", to="accounts.account")),
            ],
        ),
        migrations.AddField(
            model_name="reviewer",
            name="link",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="reviewers", to="review_portal.reviewlink"
            ),
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField()),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("approve", "Approved"),
                            ("changes", "Changes"),
                            ("round", "Round"),
                            ("none", "Withdrawn"),
                        ],
                        max_length=10,
                    ),
                ),
                ("note", models.TextField(blank=True)),
                ("name", models.CharField(max_length=100)),
                ("version", models.PositiveBigIntegerField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(null=True)),
                (
                    "reviewer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decisions",
                        to="review_portal.reviewer",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decisions",
                        to="review_portal.reviewlink",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CutCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fixed", models.BooleanField()),
                ("name", models.CharField(max_length=100)),
                ("checked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("key", models.UUIDField(db_index=True, null=True)),
                ("opening", models.TextField(blank=True)),
                ("added_id", models.UUIDField(null=True)),
                (
                    "comment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="checks", to="review_portal.comment"
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="checks",
                        to="review_portal.reviewer",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="checks",
                        to="review_portal.reviewlink",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Cut",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField()),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cuts", to="review_portal.cutseries"
                    ),
                ),
                (
                    "link",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cut", to="review_portal.reviewlink"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CommentFrame",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("comment_id", models.UUIDField(unique=True)),
                ("microseconds", models.PositiveBigIntegerField()),
                ("rate", models.CharField(blank=True, max_length=8)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="review_portal.reviewlink"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CommentDrawing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("comment_id", models.UUIDField(null=True, unique=True)),
                ("short", models.CharField(max_length=16)),
                ("sketch", models.JSONField()),
                ("name", models.CharField(max_length=100)),
                ("time", models.PositiveIntegerField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="review_portal.reviewlink"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="comment",
            name="link",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="review_portal.reviewlink"
            ),
        ),
        migrations.CreateModel(
            name="Viewing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_seen", models.BooleanField(default=False)),
                ("shares", models.BooleanField(default=True)),
                ("spans", models.JSONField(default=list)),
                (
                    "reviewer",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="viewing", to="review_portal.reviewer"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link_id", models.UUIDField(db_index=True)),
                ("video_id", models.UUIDField()),
                ("video", models.JSONField(default=dict)),
                ("claimed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("name", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("expires_at", models.DateTimeField(null=True)),
                ("allow_comment", models.BooleanField(null=True)),
                ("allow_status_edit", models.BooleanField(null=True)),
                ("show_resolved", models.BooleanField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.account"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "link_id"), name="one_claim_per_account")],
            },
        ),
        migrations.AddConstraint(
            model_name="reviewer",
            constraint=models.UniqueConstraint(fields=("link", "account"), name="one_owner_per_account"),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(fields=("link", "key"), name="one_decision_per_form"),
        ),
        migrations.AddConstraint(
            model_name="cutcheck",
            constraint=models.UniqueConstraint(fields=("link", "comment"), name="one_check_per_cut"),
        ),
        migrations.AddConstraint(
            model_name="commentdrawing",
            constraint=models.UniqueConstraint(fields=("link", "short"), name="one_drawing_per_address"),
        ),
        migrations.AddIndex(
            model_name="comment",
            index=models.Index(fields=["comment_id"], name="review_port_comment_6ed671_idx"),
        ),
        migrations.AddConstraint(
            model_name="comment",
            constraint=models.UniqueConstraint(fields=("link", "comment_id"), name="one_copy_per_link"),
        ),
    ]
