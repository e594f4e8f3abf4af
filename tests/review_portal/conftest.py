"""A video, its links and its reviewers, on the embedded platform: every test of the portal goes through pages."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F, QuerySet
from django.test import Client
from django.utils import timezone

from dashboard.accounts import identity
from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from dashboard.shared import vault
from dashboard.writes.models import Write
from review_portal import imports
from review_portal.models import Comment, ReviewLink
from tests.due import run_due
from tests.forgetting import forget
from tests.kept_rows import KeptRows

PART: dict[str, Any] = {"headers": {"Reelroom-Part": "1"}}


@dataclass
class Reviewer:
    """A browser at one link. `post` and the rest send what the room's forms send; with `script`, as our script does."""

    link: uuid.UUID
    name: str = "Ana Prado"
    script: bool = False
    client: Client = field(default_factory=Client)

    @property
    def headers(self) -> dict[str, Any]:
        return PART if self.script else {}

    def open(self, query: str = "") -> Any:
        return self.client.get(f"/{self.link}{query}")

    def poll(self, version: str = "", query: str = "") -> Any:
        return self.client.get(f"/{self.link}/comments?v={version}{query}", **PART)

    def post(self, text: str = "Louder here.", time: str = "0:05", **fields: str) -> Any:
        data = {"key": str(uuid.uuid4()), "user_name": self.name, "text": text, "time": time, **fields}
        return self.client.post(f"/{self.link}/comments", data, **self.headers)

    def change(self, comment: uuid.UUID | str, **fields: str) -> Any:
        return self.client.post(f"/{self.link}/comments/{comment}", fields, **self.headers)

    def act(self, submission: Write, do: str) -> Any:
        return self.client.post(f"/{self.link}/submissions/{submission.key}", {"do": do}, **self.headers)


@dataclass
class World:
    """What the platform holds."""

    organization: platform.Organization
    user: platform.User
    token: platform.Token
    video: platform.Video

    def link(self, **fields: Any) -> uuid.UUID:
        """A link of the video on the platform; Reelroom has not seen it yet."""
        expires_at = fields.pop("expires_at", timezone.now() + timedelta(days=3, hours=4))
        made = platform.ReviewLink.objects.create(
            video=fields.pop("video", self.video), name=fields.pop("name", "Cut 3"), expires_at=expires_at, **fields
        )
        return made.pk

    def comment(self, text: str = "Seen elsewhere.", **fields: Any) -> platform.ReviewComment:
        """A comment that came to the platform past Reelroom."""
        fields = {"video": self.video, "token": uuid.uuid4(), "user_name": "Outsider", "time": 7} | fields
        return platform.ReviewComment.objects.create(text=text, **fields)

    def texts(self) -> list[str]:
        """What the platform holds, by time of writing."""
        return list(theirs().order_by("created_at").values_list("text", flat=True))


@pytest.fixture
def world(db: None, kept_rows: KeptRows) -> World:
    kept_rows.take(make_studio)
    organization = platform.Organization.objects.get(pullzone="vz-7e577e57-000")
    user, video = organization.users.get(), organization.videos.get()
    return World(organization, user, user.tokens.get(), video)


def make_studio() -> None:
    """A studio with one person, a token and a video."""
    organization = platform.Organization.objects.create(name="Estúdio Maré", pullzone="vz-7e577e57-000")
    user = platform.User.objects.create(organization=organization, name="Camila", email="c@example.org")
    platform.Token.objects.create(value="token-of-the-studio", user=user)
    platform.Video.objects.create(organization=organization, user=user, title="Serra Alta, launch film", length=168.4)


@pytest.fixture
def account(world: World, kept_rows: KeptRows) -> Account:
    print_ = identity.fingerprint(world.token.value)
    sealed = vault.seal(world.token.value)
    kept_rows.take(lambda: Account.objects.create(name="Estúdio Maré", sealed_token=sealed, fingerprint=print_))
    return Account.objects.get(fingerprint=print_)


@pytest.fixture
def stranger(world: World) -> Account:
    """Somebody else's account on this installation."""
    organization = platform.Organization.objects.create(name="Other", pullzone="vz-0ther000-000")
    user = platform.User.objects.create(organization=organization, name="O", email="o@example.org")
    platform.Token.objects.create(value="token-of-others", user=user)
    sealed, print_ = vault.seal("token-of-others"), identity.fingerprint("token-of-others")
    return Account.objects.create(name="Other", sealed_token=sealed, fingerprint=print_)


@pytest.fixture
def reviewer(new_link: uuid.UUID) -> Reviewer:
    return Reviewer(new_link)


@pytest.fixture
def new_link(world: World, kept_rows: KeptRows) -> uuid.UUID:
    """A link that Reelroom has not seen yet."""
    known = list(world.video.review_links.values_list("pk", flat=True))
    kept_rows.take(world.link)
    return world.video.review_links.exclude(pk__in=known).get().pk


@pytest.fixture
def opened(reviewer: Reviewer, kept_rows: KeptRows) -> Reviewer:
    """The reviewer, who has opened the room."""
    kept_rows.take(reviewer.open, reviewer.client)
    return reviewer


@pytest.fixture
def later() -> Callable[[], None]:
    """Some seconds later: whatever was read a moment ago may be read again."""

    def pass_by() -> None:
        forget()

    return pass_by


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries of reads do not make tests slow."""
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def pass_by(seconds: float) -> None:
    """Let time pass: what was read is that much older, and may be read again."""
    forget()
    gone = timedelta(seconds=seconds)
    ReviewLink.objects.exclude(merged_at=None).update(merged_at=F("merged_at") - gone)
    Comment.objects.update(written_at=F("written_at") - gone)


def over(seconds: float = 6) -> None:
    """Let time pass, and the worker do what is due then."""
    pass_by(seconds)
    run_due(seconds)


def imported(account: Account, link: uuid.UUID, video: uuid.UUID) -> ReviewLink:
    """A link that the platform confirmed as the account's."""
    taken = imports.import_link(account, link, video)
    assert isinstance(taken, ReviewLink)
    return taken


def theirs() -> QuerySet[platform.ReviewComment]:
    """The platform's comments of this test; another test of the run may have seeded more."""
    return platform.ReviewComment.objects.filter(video__organization__pullzone="vz-7e577e57-000")


def copies(link: uuid.UUID) -> list[str]:
    """The texts that the portal shows, by time of writing."""
    return list(Comment.objects.filter(link_id=link).order_by("created_at").values_list("text", flat=True))


@pytest.fixture
def ana(link: ReviewLink, kept_rows: KeptRows) -> Reviewer:
    """Somebody who wrote a comment through the link."""
    return wrote(kept_rows, link.pk, "The cup needs one more beat.")


def wrote(kept_rows: KeptRows, link: uuid.UUID, text: str, time: str = "0:05") -> Reviewer:
    """Ana, who wrote this through a link."""
    reviewer = Reviewer(link, "Ana Prado")

    def post() -> None:
        assert reviewer.post(text, time).status_code == 302

    kept_rows.take(post, reviewer.client, link, text, time)
    return reviewer


@pytest.fixture
def link(world: World, account: Account, kept_rows: KeptRows) -> ReviewLink:
    """A link of the account, which is known here."""
    known = list(ReviewLink.objects.values_list("pk", flat=True))
    kept_rows.take(lambda: imported(account, world.link(), world.video.pk))
    return ReviewLink.objects.exclude(pk__in=known).get()
