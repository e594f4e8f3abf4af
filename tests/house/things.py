"""One of everything that an address of the product can name, and the addresses with it."""

import re
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.ai_content.models import Version
from dashboard.custom_fields.models import Change
from dashboard.notices.models import Mail, Subscription
from dashboard.platform_api.reviews import ReviewLink
from dashboard.reports.models import WeeklyReport
from dashboard.runs.models import Run
from dashboard.subtitles.models import Batch
from dashboard.videos.models import SavedView
from dashboard.writes.models import Write
from review_portal import imports, sync
from review_portal.models import Claim
from tests.house.addresses import ALL, another_session

LINKS = {"name": "Round 1", "days": 7, "allow_comment": True, "allow_status_edit": True, "show_resolved": True}
"""Options of a run."""


def make_things(owner: Client, cast: dict[str, Any]) -> dict[str, Any]:
    """One of everything that an address can name, all the owner's. By argument, or by address and argument."""
    account = Account.objects.get()
    now = timezone.now()
    video = cast["videos"]["with_subtitles"]
    entry = Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="comparisons.update", outcome=Outcome.DONE,
        target=cast["ab_tests"]["in_progress"], before={"description": "before"}, after={"description": "after"},
    )  # fmt: skip
    deletion = Write.objects.create(account=account, scope=str(account.pk), key=uuid4(), operation="playlists.delete",
        subject="p", request={"playlist_id": "p"}, before={"name": "Old", "videos": []},
    )  # fmt: skip
    change = Change.objects.create(account_id=account.pk, name="fields.csv")
    creation = Write.objects.create(account=account, scope=str(account.pk), key=uuid4(), state="done", label="Escola",
        operation="organizations.create_sub_account", request={"name": "Escola", "user": {"email": "ana@example.com"}},
    )  # fmt: skip
    for operation in ("lives.start", "lives.finish"):
        Write.objects.create(scope=str(account.pk), key=uuid4(), operation=operation, account=account, state="refused",
            subject=cast["lives"]["scheduled"], label="Launch", request={"live_id": cast["lives"]["scheduled"]},
        )  # fmt: skip
    batch = Batch.objects.create(
        account=account, actor="Ana", sent_at=now, label="Launch", type="TRANSLATION", tier="pro", from_lang="en"
    )
    link_write = Write.objects.create(
        scope=str(account.pk), key=uuid4(), operation="review_links.create", account=account, subject=video,
        label="Cut 3", request={"video_id": video, "payload": {"link_name": "Cut 3"}}, state="refused", settled_at=now,
    )  # fmt: skip
    link = imports.save_link(
        account,
        ReviewLink.from_json(
            {
                "id": cast["review_links"]["open"],
                "video_id": cast["videos"]["reviewed"],
                "name": "Cut 3",
                "status": "active",
                "expires_at": (now + timedelta(days=9)).isoformat(),
            }
        ),
    )
    sync.merge(link)
    comment = link.comments.filter(reply_to=None).first()
    assert comment is not None
    answer = Write.objects.create(
        scope=str(link.pk), key=uuid4(), operation="public_review.create_comment", account=account, state="unconfirmed",
        attempt=1, label="Yes", request={"text": "Yes", "user_name": "Ana", "time": 0, "reply_to": None},
    )  # fmt: skip
    lesson = cast["videos"]["with_ai_content"]
    quiz = owner.get(f"/dashboard/ai-content/{lesson}/pt-BR/quiz/").content.decode()
    handle = re.search(r"quiz/questions/([a-z0-9]{6,40})/", quiz)
    version = Version.objects.filter(document__account_id=account.pk).first()
    assert handle and version
    address = Subscription.objects.create(
        account=account, fingerprint=uuid4().hex, origin="http://testserver", language="en", zone="UTC"
    )
    mail = Mail.objects.create(pk=uuid4(), subscription=address, kind="test")
    report = WeeklyReport.objects.create(
        pk=uuid4(), account=account, subscription=address, name="Launch", week=now.date()
    )
    return {
        "report_id": report.pk,
        "notices:subscription_id": address.pk,
        "notices:mail_id": mail.pk,
        "ai_content:video_id": lesson,
        "ai_content:handle": handle[1],
        "ai_content:pk": version.pk,
        "ai_content:kind": "json",
        "account_id": account.pk,
        "item_id": comment.comment_id,
        "device_id": account.devices.create(session_key=another_session(), seen_at=now).pk,
        "entry_id": entry.pk,
        "write_id": Write.objects.create(scope="s", key=uuid4(), operation="comparisons.update", account=account).pk,
        "deletion_id": deletion.pk,
        "view_id": SavedView.objects.get_or_create(account=account, person=account.name, name="French")[0].pk,
        "change_id": change.pk,
        "batch_id": batch.pk,
        "run_id": Run.objects.create(
            account=account, action="review_links", options=LINKS, title="Links", state="paused"
        ).pk,
        "sub_accounts:key": creation.pk,
        "review_links:key": link_write.key,
        "review_links:settle:key": answer.key,
        "video_id": video,
        "review_links:video_id": cast["videos"]["reviewed"],
        "custom_fields:video_id": cast["videos"]["plain"],
        "field_id": cast["custom_fields"]["color"],
        "link_id": link.pk,
        "claim_id": Claim.objects.create(account=account, link_id=uuid4(), video_id=UUID(video)).pk,
        "comment_id": comment.comment_id,
        "comparison_id": cast["ab_tests"]["in_progress"],
        "folder_id": cast["folders"]["root"],
        "funnel_id": cast["funnels"]["main"],
        "live_id": cast["lives"]["scheduled"],
        "playlist_id": cast["playlists"]["own"],
        "assistant_id": cast["assistants"]["main"],
        "lang": "pt-BR",
        "kind": "vtt",
        "review_links:kind": "svg",
        "extension": "csv",
        "analytics:name": "browsers",
        "split": "browsers",
        "analytics:traffic_why:split": "causes",
        "analytics:traffic_why_file:split": "causes",
        "short": "drawn",
        "token": "signed",
        "ab_tests:name": "variants",
        "videos:name": "subtitles",
    }


def address(name: str, things: dict[str, Any]) -> str:
    """The address `name` with the owner's things in it."""
    app = name.partition(":")[0]
    values = {}
    for argument in ALL[name]:
        known = [key for key in (f"{name}:{argument}", f"{app}:{argument}", argument) if key in things]
        assert known, f"{name} names something new: say in `things` what `{argument}` is, or excuse it"
        values[argument] = things[known[0]]
    return reverse(name, kwargs=values)
