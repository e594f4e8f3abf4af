"""Every form whose press leads to a call of the platform: how somebody comes to it, and what may leave."""

import uuid
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from django.db.models import AutoField, Model
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.sandbox.models import Comparison, Live, Playlist, ReviewComment, Video
from dashboard.sandbox.models import ReviewLink as PlatformLink
from dashboard.writes.models import State, Write
from review_portal import imports, owners, sync
from review_portal.models import Comment, ReviewLink
from tests.forms import Typed
from tests.presses.browser import Browser, Found

M = TypeVar("M", bound=Model)


@dataclass
class World:
    """What every case finds: the owner's browser, the demo's cast, and copies of what is in it."""

    ports: list[int]
    owner: Browser
    cast: dict[str, Any]
    account: Account

    def stranger(self) -> Browser:
        """Somebody without a cookie."""
        return Browser(self.ports)

    def playlist(self) -> Playlist:
        return copy_of(Playlist.objects.get(pk=self.cast["playlists"]["own"]), name=f"Playlist {uuid.uuid4()}")

    def live(self, role: str = "scheduled") -> Live:
        return copy_of(Live.objects.get(pk=self.cast["lives"][role]))

    def comparison(self, role: str) -> Comparison:
        mould = Comparison.objects.get(pk=self.cast["ab_tests"][role])
        made = copy_of(mould, pk=f"636f6d70-{str(uuid.uuid4())[9:]}", name=f"Test {uuid.uuid4()}")
        for variant in mould.variants.all():
            copy_of(variant, comparison=made)
        return made

    def video(self, role: str = "plain") -> Video:
        return copy_of(Video.objects.get(pk=self.cast["videos"][role]), external_id=uuid.uuid4())

    def room(self) -> "Room":
        """A link of a film of its own, which is the owner's."""
        film = self.video()
        made = PlatformLink.objects.create(video=film, name="Cut 3", expires_at=timezone.now() + timedelta(days=3))
        kept = imports.import_link(self.account, made.pk, film.pk)
        assert isinstance(kept, ReviewLink)
        return Room(self, kept, film)


@dataclass
class Room:
    """A review link, its film, and who comes to it."""

    world: World
    link: ReviewLink
    film: Video

    @property
    def path(self) -> str:
        return f"/{self.link.pk}"

    @property
    def desk(self) -> str:
        return f"/dashboard/review-links/{self.link.pk}/"

    def comment(self, text: str = "Seen elsewhere.") -> str:
        """A comment that was written past the product, and is in its copy. Gives its id."""
        made = ReviewComment.objects.create(video=self.film, token=uuid.uuid4(), user_name="Bo", time=7, text=text)
        ReviewLink.objects.filter(pk=self.link.pk).update(merged_at=None)
        sync.merge(owners.get_link(self.world.account, self.link.pk))
        return str(made.pk)

    def reviewer(self) -> tuple[Browser, str]:
        """Somebody who has written here, and the id of what they wrote."""
        browser = self.world.stranger()
        form, button = browser.form(self.path, f"{self.path}/comments")
        answer = browser.post((form, button), {"user_name": "Ana", "text": "Louder here.", "time": "0:05"})
        assert answer.status == 302, answer.text[:500]
        return browser, str(Comment.objects.get(link=self.link, text="Louder here.").comment_id)


def copy_of(mould: M, **changes: Any) -> M:
    """A new row like `mould`."""
    mould = copy(mould)
    numbered = isinstance(mould._meta.pk, AutoField)
    mould.pk, mould._state.adding = None if numbered else uuid.uuid4(), True
    for name, value in changes.items():
        setattr(mould, name, value)
    mould.save(force_insert=True)
    return mould


def undecided(operation: str) -> Write:
    """The newest write of an operation, which is unconfirmed and so old that its author is asked."""
    write = Write.objects.filter(operation=operation).latest("created_at")
    assert write.state == State.UNCONFIRMED, write
    Write.objects.filter(pk=write.pk).update(ended_at=timezone.now() - timedelta(minutes=2))
    return write


@dataclass
class Press:
    """A form, ready to be pressed. `sends`: the calls that may leave, whoever presses how often."""

    browser: Browser
    found: Found
    typed: Typed = field(default_factory=dict)
    sends: tuple[str, ...] = ()
    then: Callable[[], None] = lambda: None
    """What the worker does afterwards."""
    holds: bool = False
    """Whether script asks to hold it for some seconds."""
    lost: str = ""
    """How the answer is lost (`faults.Broken`): a later press finds the write unconfirmed once more."""


Prepare = Callable[[World], Press]


@dataclass(frozen=True)
class Case:
    """`form`: the template that draws it, and which of its forms it is where it draws several."""

    name: str
    form: str
    prepare: Prepare
    script: bool
    alike: bool

    def __str__(self) -> str:
        return f"{self.name}{' by script' if self.script else ''}"


CASES: list[Case] = []


def case(form: str, *, script: bool = False, alike: bool = True) -> Callable[[Prepare], Prepare]:
    """Register a case; with `script`, the form is pressed as script sends it, too, and prepared anew for that.

    Not `alike`: the press that sends nothing is led to another page than the one that sent, which says that all is there.
    """

    def register(prepare: Prepare) -> Prepare:
        CASES.extend(
            Case(prepare.__name__, form, prepare, by_script, alike)
            for by_script in ((False, True) if script else (False,))
        )
        return prepare

    return register
