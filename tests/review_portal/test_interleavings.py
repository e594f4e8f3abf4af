"""Whatever happens in whatever order, the portal ends equal to the platform, and no word is posted twice or lost.

Two reviewers of one link, an outsider who uses the platform directly, polls, slow reads of another process, processes that
die half way and faults of the platform, interleaved at random.
"""

import random
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from unittest.mock import patch

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dashboard.platform_api.reviews import Comment as CommentRecord
from dashboard.platform_api.reviews import PublicReview
from dashboard.sandbox import faults
from dashboard.sandbox import models as platform
from dashboard.upstream import clients
from dashboard.writes import operations
from dashboard.writes.models import State, Write
from review_portal import sync
from review_portal.models import Comment, ReviewLink
from review_portal.writes import CREATE
from tests.due import run_due
from tests.forgetting import forget
from tests.review_portal.conftest import Reviewer, World, pass_by, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

FAULTS: tuple[dict[str, object], ...] = (
    {}, {}, {}, {}, {"broken": "refused"}, {"broken": "dropped"}, {"broken": "lost"}, {"broken": "lost"}, {"broken": "hangs"},
    {"broken": "stalls"}, {"status": 400}, {"status": 403}, {"status": 429}, {"status": 500}, {"status": 503},
)  # fmt: skip
NEVER = (State.REFUSED, State.CANCELLED)
WAITING = (State.HELD, State.SENDING, State.UNCONFIRMED)


def public() -> PublicReview:
    return clients.reviewer_platform().public_review


@contextmanager
def trouble(operation: str, dice: random.Random) -> Iterator[None]:
    """The platform, as it happens to be for this one call."""
    fault = dice.choice(FAULTS)
    if fault:
        faults.set(operation, **fault)  # type: ignore[arg-type]  # keywords of a fault
    yield
    faults.clear()


class Died(BaseException):
    """The process ends here: nothing catches it, nothing is tidied up."""


class Story:
    """The world, everybody in it, and what can happen; every choice comes from the dice."""

    def __init__(self, show_resolved: bool) -> None:
        organization = platform.Organization.objects.create(name="S", pullzone="vz-7e577e57-000")
        user = platform.User.objects.create(organization=organization, name="C", email="c@example.org")
        token = platform.Token.objects.create(value=uuid.uuid4().hex, user=user)
        video = platform.Video.objects.create(organization=organization, user=user, title="Film", length=168)
        self.world = World(organization, user, token, video)
        link = self.world.link(show_resolved=show_resolved)
        self.people = [Reviewer(link, "Ana", script=True), Reviewer(link, "Bruno", script=True)]
        self.people[0].open()
        self.written = 0
        self.read: tuple[tuple[CommentRecord, ...], datetime] | None = None

    def text(self) -> str:
        self.written += 1
        return f"Text {self.written}"

    def post(self, dice: random.Random) -> None:
        fields = {"key": str(uuid.uuid4()), "text": self.text(), "time": f"0:{dice.randrange(60):02}"}
        known = list(Comment.objects.filter(reply_to=None).order_by("pk"))
        if known and dice.random() < 0.4:
            fields["reply_to"] = str(dice.choice(known).comment_id)
        fields["hold"] = dice.choice(["", "1"])
        with trouble("public_review.create_comment", dice):
            who = dice.choice(self.people)
            for _ in range(dice.choice([1, 1, 2])):
                who.post(**fields)

    def resolve(self, dice: random.Random) -> None:
        every = list(theirs().order_by("created_at", "pk"))
        if every:
            with trouble("public_review.update_comment", dice):
                status = dice.choice(["open", "resolved"])
                dice.choice(self.people).change(dice.choice(every).pk, status=status)

    def edit(self, dice: random.Random) -> None:
        who = dice.choice(self.people)
        mine = list(Comment.objects.filter(reviewer__name=who.name).order_by("pk"))
        if mine:
            words = {"text": self.text(), "time": f"0:{dice.randrange(60):02}"}
            with trouble("public_review.update_comment", dice):
                who.change(dice.choice(mine).comment_id, **dice.choice([words, words, {"withdraw": "1"}]))

    def act(self, dice: random.Random) -> None:
        who = dice.choice(self.people)
        waiting = list(Write.objects.filter(operation=CREATE, actor=who.name, shown=True).order_by("created_at", "pk"))
        if not waiting:
            return
        chosen, do = dice.choice(waiting), dice.choice(["send", "send", "undo", "again"])
        if do == "again" and chosen.state == State.UNCONFIRMED:
            return  # whoever says "it is not there" while it is gets what they asked for
        with trouble("public_review.create_comment", dice):
            who.act(chosen, do)

    def watch(self, dice: random.Random) -> None:
        operation = dice.choice(["public_review.comments", "public_review.create_comment", "*"])
        with trouble(operation, dice):
            dice.choice(self.people).poll()

    def outsider_posts(self, dice: random.Random) -> None:
        tops = list(theirs().filter(reply_to=None).order_by("pk"))
        parent = dice.choice(tops) if tops and dice.random() < 0.5 else None
        place = {"reply_to": str(parent.pk)} if parent else {"time": dice.randrange(168)}
        words = {"text": self.text(), "user_name": "Outsider", **place}
        public().create_comment(self.people[0].link, uuid.uuid4(), words)

    def outsider_resolves(self, dice: random.Random) -> None:
        every = list(theirs().order_by("created_at", "pk"))
        if every:
            found, status = dice.choice(every), dice.choice(["open", "resolved"])
            public().update_comment(self.people[0].link, found.pk, uuid.uuid4(), {"status": status})

    def a_slow_read_leaves(self, dice: random.Random) -> None:
        self.read = (public().comments(self.people[0].link, uuid.uuid4()), timezone.now())

    def a_slow_read_arrives(self, dice: random.Random) -> None:
        if self.read:
            sync.merge_comments(ReviewLink.objects.get(), *self.read)
            self.read = None

    def a_process_dies_while_sending(self, dice: random.Random) -> None:
        """Before the call or after it, of something held or of something new; what it had in memory is gone."""
        arrived, operation = dice.random() < 0.5, operations.registered(CREATE)

        def dying(write: Write) -> CommentRecord:
            if arrived:
                operation.send(write)
            raise Died

        who = dice.choice(self.people)
        held = Write.objects.filter(operation=CREATE, state=State.HELD, actor=who.name).order_by("created_at").first()
        with patch.dict(operations._registered, {CREATE: replace(operation, send=dying)}), suppress(Died):
            if held and dice.random() < 0.5:
                who.act(held, "send")
            else:
                who.post(key=str(uuid.uuid4()), text=self.text(), time=f"0:{dice.randrange(60):02}")
        forget()

    def time_passes(self, dice: random.Random) -> None:
        self.pass_by(dice.choice([1, 6, 30, 200]))

    def pass_by(self, seconds: int) -> None:
        pass_by(seconds)
        run_due(seconds)

    def end(self) -> None:
        """The platform is well again and time passes: everything that waits comes to its end."""
        self.a_slow_read_arrives(random.Random(0))
        for _ in range(4):
            self.pass_by(400)
            self.people[0].poll()

    def check(self) -> None:
        link = ReviewLink.objects.get()
        everything = list(theirs())
        there = {(c.pk, c.text, c.status, c.time, c.reply_to_id, c.user_name) for c in everything}
        here = {(c.comment_id, c.text, c.status, c.time, c.reply_to, c.user_name) for c in Comment.objects.all()}
        if not link.show_resolved:
            resolved = {c.pk for c in everything if c.status == "resolved" and c.reply_to_id is None}
            hidden = {
                c.pk for c in everything if c.pk in resolved or c.reply_to_id in resolved or c.status == "resolved"
            }
            assert {row[0] for row in here if row[2] == "open" and row[4] is None} & resolved == set()
            there, here = ({row for row in side if row[0] not in hidden} for side in (there, here))
        assert here == there
        texts = [c.text for c in everything if c.text.startswith("Text")]
        assert len(texts) == len(set(texts)), "something was posted twice"
        undecided = Write.objects.filter(operation=CREATE, state__in=WAITING)
        assert not (undecided.exists() if link.show_resolved else undecided.exclude(state=State.UNCONFIRMED).exists())
        created = Write.objects.filter(operation=CREATE)
        sent_again = created.exclude(state__in=NEVER).values("label")  # as another write, after the first was refused
        never = created.filter(state__in=NEVER).exclude(label__in=sent_again)
        assert not set(texts) & set(never.values_list("label", flat=True))
        done = Write.objects.filter(operation=CREATE, state=State.DONE).values_list("result", flat=True)
        assert {uuid.UUID(result["comment_id"]) for result in done if result} <= {c.pk for c in everything}
        tokens = {c.pk: str(c.token) for c in everything}
        for mine in Comment.objects.exclude(reviewer=None).select_related("reviewer"):
            assert mine.reviewer is not None
            assert tokens[mine.comment_id] == mine.reviewer.token


HAPPENINGS = [  # as often as they stand here
    "post", "post", "post", "resolve", "edit", "act", "act", "watch", "outsider_posts", "outsider_resolves",
    "a_slow_read_leaves", "a_slow_read_arrives", "a_process_dies_while_sending", "time_passes", "time_passes",
]  # fmt: skip


@settings(
    max_examples=14 if settings().derandomize else 500, deadline=None, report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(
    steps=st.lists(st.tuples(st.sampled_from(HAPPENINGS), st.integers(0, 2**20)), min_size=10, max_size=24),
    show_resolved=st.booleans(),
)
@example(
    steps=[("a_process_dies_while_sending", 0)], show_resolved=True
)  # it dies before the call, and nothing else happens
@example(steps=[("a_process_dies_while_sending", 1)], show_resolved=True)  # it dies after it
@example(
    steps=[
        ("post", 16),
        ("post", 255),
        ("post", 361),
        ("post", 15138),
        ("outsider_posts", 0),
        ("a_slow_read_leaves", 0),
        ("a_slow_read_arrives", 0),
        ("post", 0),
        ("act", 16),
        ("post", 0),
    ],
    show_resolved=False,
)  # one was refused, and sent again as another write
def test_the_portal_ends_equal_to_the_platform(
    db: None, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, int]], show_resolved: bool
) -> None:
    monkeypatch.setattr("review_portal.rules.POSTS_PER_REVIEWER", (10_000, 60))
    monkeypatch.setattr("review_portal.rules.POSTS_PER_NETWORK", (10_000, 60))
    forget()
    with transaction.atomic(), transaction.atomic(using="sandbox"):
        story = Story(show_resolved)
        for name, number in steps:
            getattr(story, name)(random.Random(number))
        story.end()
        story.check()
        transaction.set_rollback(True)
        transaction.set_rollback(True, using="sandbox")
