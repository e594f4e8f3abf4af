"""What the tests of subtitles start from: the seeded embedded platform, and somebody signed in."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Job, Video
from dashboard.subtitles.models import Batch, PlannedCell
from tests.forgetting import forget
from tests.kept_rows import KeptRows
from tests.pages import page_of

PLANNER = "/dashboard/subtitles/"
PLAN = "/dashboard/subtitles/plan/"

SignIn = Callable[..., Client]


@pytest.fixture
def sign_in(cast: dict[str, Any], db: None) -> SignIn:
    """A browser signed in as a role of the cast; `parent` names the role its account is a sub-account of."""

    def signed(role: str = "owner", parent: str = "", person: str = "Ana") -> Client:
        client = Client()
        response = client.post(
            "/sign-in/", {"token": cast["tokens"][role], "name": f"Account {role}", "person": person}
        )
        assert response.status_code == 302, response.content.decode()
        if parent:
            above = Account(name=f"Account {parent}")
            above.keep_token(cast["tokens"][parent])
            above.save()
            Account.objects.filter(name=f"Account {role}").update(parent=above)
        return client

    return signed


@pytest.fixture
def owner(sign_in: SignIn, kept_rows: KeptRows) -> Client:
    """The owner's browser."""
    client = Client()
    kept_rows.take(lambda: client.cookies.update(sign_in().cookies), client)
    return client


class Answer(Protocol):
    """What a test client gets, whichever of its classes that is."""

    status_code: int

    @property
    def content(self) -> bytes: ...

    def __getitem__(self, header: str) -> str: ...


@dataclass
class Library:
    """Videos of the demo by the part they play here, and what they have and lack (see the seed's library)."""

    cast: dict[str, Any]

    def id(self, title: str) -> str:
        """The id of the video with this title."""
        return str(Video.objects.get(title=title).pk)

    @property
    def source_only(self) -> str:
        """Has pt-BR, lacks everything else."""
        return self.id("Meet Joaquim")

    @property
    def second(self) -> str:
        """Has pt-BR as well, lacks everything else."""
        return self.id("Aula 10. O primeiro estalo")

    @property
    def bare(self) -> str:
        """Has nothing at all."""
        return str(self.cast["videos"]["plain"])

    @property
    def rich(self) -> str:
        """Has pt-BR, es and de; en-US was skipped once."""
        return str(self.cast["videos"]["with_subtitles"])

    @property
    def foreign(self) -> str:
        """Belongs to another account."""
        return str(self.cast["videos"]["other_account"])


@pytest.fixture
def library(cast: dict[str, Any], db: None) -> Library:
    """The demo's videos by the part they play."""
    return Library(cast)


def translation(*videos: str, to: tuple[str, ...] = ("fr", "it"), **more: Any) -> dict[str, Any]:
    """What the planner's form sends for a translation."""
    order = {"type": "TRANSLATION", "tier": "pro", "from_lang": "pt-BR", "to_lang": list(to), "video": list(videos)}
    return {**order, "check": "1", **more}


def transcription(*videos: str, extra: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """What the planner's form sends for a transcription."""
    return translation(*videos, **{"type": "TRANSCRIPTION", "to_lang": list(extra), **more})


def planned(client: Client, form: dict[str, Any]) -> Batch:
    """The batch that checking this form makes."""
    response = client.post(PLAN, form)
    assert response.status_code == 302, page_of(response)
    return Batch.objects.get(pk=response["Location"].rstrip("/").rsplit("/", 1)[-1])


def address(batch: Batch) -> str:
    """The batch's page."""
    return f"/dashboard/subtitles/batches/{batch.pk}/"


def send(client: Client, batch: Batch) -> Answer:
    """Press the button that sends."""
    return client.post(f"{address(batch)}send/")


def statuses(batch: Batch) -> dict[tuple[str, str], str]:
    """How each cell of a batch stands, by title and language."""
    return {(cell.title, cell.lang): cell.status for cell in PlannedCell.objects.filter(batch=batch)}


def upstream(video: str) -> list[tuple[str, str, str]]:
    """The subtitle jobs that the platform has for a video: type, source, target."""
    return [(job.type, job.from_lang, job.to_lang) for job in Job.objects.filter(video_id=video).order_by("created_at")]


def list_checked(page: str, name: str) -> list[str]:
    """The values of this name that are ticked or picked in a page's form."""
    return re.findall(rf'name="{name}" value="([^"]+)"[^>]* checked', page)


def later(clock: Frozen, seconds: float) -> None:
    """Time passes on the platform, and what was read of it before is old."""
    clock.travel(seconds)
    forget()


def failed_job(video: str, language: str, now: datetime) -> str:
    """A translation of an hour ago that failed; its id."""
    hour_ago = now - timedelta(hours=1)
    job = Job.objects.create(
        video_id=video,
        type="TRANSLATION",
        from_lang="pt-BR",
        to_lang=language,
        created_at=hour_ago,
        starts_at=hour_ago,
        ends_at=hour_ago + timedelta(minutes=2),
        outcome="ERROR",
        settled=True,
    )
    return str(job.pk)
