"""The tables at version 0.2.0. A database that has every earlier migration has them already."""

import uuid

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.db import migrations, models

import dashboard.platform_api.vocabulary
import dashboard.sandbox.models


class Migration(migrations.Migration):
    replaces = [
        ("sandbox", "0001_initial"),
        ("sandbox", "0002_credits"),
        ("sandbox", "0003_ai_resources"),
        ("sandbox", "0004_live_options"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Fault",
            fields=[
                ("operation", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("latency_ms", models.PositiveIntegerField(default=0)),
                ("jitter_ms", models.PositiveIntegerField(default=0)),
                ("status", models.PositiveIntegerField(blank=True, null=True)),
                ("retry_after", models.PositiveIntegerField(blank=True, null=True)),
                ("broken", models.CharField(blank=True, max_length=10)),
                ("remaining", models.PositiveIntegerField(blank=True, null=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Option",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("value", models.FloatField()),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("name", models.CharField(max_length=255)),
                ("email", models.CharField(max_length=255)),
                ("permissions", models.JSONField(default=list)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Folder",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("name", models.CharField(max_length=255)),
                ("active", models.BooleanField(default=True)),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="children",
                        to="sandbox.folder",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Organization",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("name", models.CharField(max_length=255)),
                ("plan", models.CharField(default="active", max_length=20)),
                ("active", models.BooleanField(default=True)),
                ("pullzone", models.CharField(max_length=20)),
                ("library_id", models.UUIDField(default=uuid.uuid4)),
                ("ready_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("currency", models.CharField(default="brl", max_length=3)),
                ("phone", models.CharField(blank=True, max_length=40)),
                ("tax_id", models.CharField(blank=True, max_length=20)),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="children",
                        to="sandbox.organization",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Live",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("title", models.CharField(max_length=255)),
                (
                    "status",
                    models.CharField(default=dashboard.platform_api.vocabulary.LiveStatus["OFFLINE"], max_length=20),
                ),
                ("scheduled_at", models.DateTimeField(blank=True, null=True)),
                ("online_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("ingest_broken", models.BooleanField(default=False)),
                ("options", models.JSONField(null=True)),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lives", to="sandbox.organization"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Funnel",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("name", models.CharField(max_length=255)),
                (
                    "folder",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="funnels",
                        to="sandbox.folder",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="funnels", to="sandbox.organization"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="folder",
            name="organization",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="folders", to="sandbox.organization"
            ),
        ),
        migrations.CreateModel(
            name="Comparison",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=dashboard.sandbox.models.comparison_id,
                        editable=False,
                        max_length=36,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                ("description", models.TextField(blank=True)),
                (
                    "status",
                    models.CharField(default=dashboard.platform_api.vocabulary.TestStatus["DRAFT"], max_length=20),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comparisons",
                        to="sandbox.organization",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Assistant",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("name", models.CharField(max_length=255)),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assistants",
                        to="sandbox.organization",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Referral",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="referral",
                        serialize=False,
                        to="sandbox.user",
                    ),
                ),
                ("link", models.CharField(max_length=300)),
                ("currency", models.CharField(default="brl", max_length=3)),
                ("pending_estimate", models.PositiveBigIntegerField(default=0)),
                ("total_received", models.PositiveBigIntegerField(default=0)),
                ("balance", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="user",
            name="organization",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="users",
                to="sandbox.organization",
            ),
        ),
        migrations.CreateModel(
            name="Playlist",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("name", models.CharField(max_length=255)),
                ("description", models.CharField(blank=True, max_length=1000)),
                ("access_type", models.CharField(default="public", max_length=30)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="playlists", to="sandbox.user"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="folder",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="folders", to="sandbox.user"
            ),
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("value", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("note", models.CharField(blank=True, max_length=80)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to="sandbox.user"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Video",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("external_id", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("title", models.CharField(max_length=255)),
                ("description", models.TextField(blank=True)),
                (
                    "status",
                    models.CharField(default=dashboard.platform_api.vocabulary.VideoStatus["CONVERTED"], max_length=20),
                ),
                ("length", models.FloatField(default=0)),
                ("width", models.PositiveIntegerField(default=640)),
                ("height", models.PositiveIntegerField(default=360)),
                ("storage_size", models.PositiveBigIntegerField(default=0)),
                ("playable", models.BooleanField(default=True)),
                ("converted_at", models.DateTimeField(blank=True, null=True)),
                ("spoken_lang", models.CharField(default="pt-BR", max_length=8)),
                (
                    "audio",
                    models.CharField(
                        choices=[
                            ("speech", "speech: FINISHED"),
                            ("silent", "silent: SKIPPED"),
                            ("broken", "broken: ERROR"),
                        ],
                        default="speech",
                        max_length=8,
                    ),
                ),
                (
                    "folder",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="videos",
                        to="sandbox.folder",
                    ),
                ),
                (
                    "live",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="videos",
                        to="sandbox.live",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="videos", to="sandbox.organization"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="videos", to="sandbox.user"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Subtitle",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("lang", models.CharField(max_length=8)),
                ("label", models.CharField(max_length=80)),
                ("source", models.CharField(default="uploaded", max_length=8)),
                ("vtt", models.TextField()),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="subtitles", to="sandbox.video"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReviewLink",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("name", models.CharField(max_length=255)),
                (
                    "status",
                    models.CharField(default=dashboard.platform_api.vocabulary.LinkStatus["ACTIVE"], max_length=20),
                ),
                ("expires_at", models.DateTimeField()),
                ("allow_comment", models.BooleanField(default=True)),
                ("allow_status_edit", models.BooleanField(default=True)),
                ("show_resolved", models.BooleanField(default=True)),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="review_links", to="sandbox.video"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ReviewComment",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("token", models.UUIDField()),
                ("user_name", models.CharField(max_length=100)),
                ("text", models.CharField(max_length=500)),
                (
                    "status",
                    models.CharField(default=dashboard.platform_api.vocabulary.CommentStatus["OPEN"], max_length=20),
                ),
                ("time", models.PositiveIntegerField()),
                (
                    "reply_to",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replies",
                        to="sandbox.reviewcomment",
                    ),
                ),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="sandbox.video"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PlaylistVideo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField(default=0)),
                (
                    "playlist",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="links", to="sandbox.playlist"
                    ),
                ),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="playlists", to="sandbox.video"
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("type", models.CharField(max_length=20)),
                ("from_lang", models.CharField(max_length=8)),
                ("to_lang", models.CharField(blank=True, max_length=8)),
                ("additional_langs", models.JSONField(default=list)),
                ("resources", models.JSONField(default=list)),
                ("created_at", models.DateTimeField()),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                (
                    "outcome",
                    models.CharField(default=dashboard.platform_api.vocabulary.JobStatus["FINISHED"], max_length=10),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("settled", models.BooleanField(default=False)),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="jobs", to="sandbox.video"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="FunnelVideo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("x", models.FloatField()),
                ("y", models.FloatField()),
                ("is_first", models.BooleanField(default=False)),
                (
                    "funnel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="placed", to="sandbox.funnel"
                    ),
                ),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="funnels", to="sandbox.video"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CustomField",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("key", models.CharField(max_length=200)),
                ("value", models.CharField(max_length=500)),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="custom_fields", to="sandbox.video"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CreditEntry",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("type", models.CharField(max_length=8)),
                (
                    "status",
                    models.CharField(
                        default=dashboard.platform_api.vocabulary.CreditStatus["COMPLETED"], max_length=12
                    ),
                ),
                ("amount", models.PositiveIntegerField()),
                ("description", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField()),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="credit_entries",
                        to="sandbox.organization",
                    ),
                ),
                (
                    "video",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="credit_entries",
                        to="sandbox.video",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ComparisonVideo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField(default=0)),
                ("play_rate", models.FloatField(default=0.4)),
                (
                    "comparison",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="variants", to="sandbox.comparison"
                    ),
                ),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="compared_in", to="sandbox.video"
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.AddField(
            model_name="comparison",
            name="winner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="won",
                to="sandbox.video",
            ),
        ),
        migrations.CreateModel(
            name="ChatVisibility",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("visible", models.BooleanField()),
                (
                    "assistant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chats", to="sandbox.assistant"
                    ),
                ),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chats", to="sandbox.video"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AiFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lang", models.CharField(blank=True, max_length=8)),
                ("content", models.JSONField()),
                ("written_at", models.DateTimeField()),
                ("published_at", models.DateTimeField()),
                (
                    "video",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ai_files", to="sandbox.video"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="video",
            index=models.Index(fields=["organization", "-created_at"], name="sandbox_vid_organiz_10cceb_idx"),
        ),
        migrations.AddConstraint(
            model_name="subtitle",
            constraint=models.UniqueConstraint(
                models.F("video"), django.db.models.functions.text.Lower("lang"), name="one_subtitle_per_language"
            ),
        ),
        migrations.AddIndex(
            model_name="reviewcomment",
            index=models.Index(fields=["video", "created_at"], name="sandbox_rev_video_i_60d53b_idx"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["settled", "ends_at"], name="sandbox_job_settled_a9f44c_idx"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["video", "settled"], name="sandbox_job_video_i_a8103c_idx"),
        ),
        migrations.AddConstraint(
            model_name="funnelvideo",
            constraint=models.UniqueConstraint(models.F("funnel"), models.F("video"), name="one_place_per_video"),
        ),
        migrations.AddConstraint(
            model_name="customfield",
            constraint=models.UniqueConstraint(models.F("video"), models.F("key"), name="one_value_per_key"),
        ),
        migrations.AddConstraint(
            model_name="comparisonvideo",
            constraint=models.UniqueConstraint(models.F("comparison"), models.F("video"), name="one_variant_per_video"),
        ),
        migrations.AddConstraint(
            model_name="chatvisibility",
            constraint=models.UniqueConstraint(
                models.F("assistant"), models.F("video"), name="one_visibility_per_video"
            ),
        ),
        migrations.AddIndex(
            model_name="aifile",
            index=models.Index(fields=["video", "lang", "-id"], name="sandbox_aif_video_i_24b79d_idx"),
        ),
    ]
