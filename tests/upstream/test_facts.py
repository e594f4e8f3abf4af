"""A fact of many subjects is made of the known answers once, and anew of those that changed."""

from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.platform_api import Operations
from dashboard.sandbox.models import Subtitle, Video
from dashboard.upstream import facts
from dashboard.upstream.facts import Fact
from dashboard.upstream.models import KnownAnswer
from dashboard.upstream.reads import Query, Reads
from tests.forgetting import make_old

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


class Made:
    """How often the fact of a video was made of an answer."""

    def __init__(self) -> None:
        self.times = 0
        self.fact = Fact("languages_of_a_test", "videos.subtitles", self.query)

    def query(self, video: str) -> Query[tuple[str, ...]]:
        def call(platform: Operations) -> tuple[str, ...]:
            found = tuple(one.lang for one in platform.videos.subtitles(video))
            self.times += 1
            return found

        return Query(call, shape=f"test {id(self)}")


@pytest.fixture
def made() -> Made:
    return Made()


@pytest.fixture
def reader(owner: Client) -> Reads:
    return Reads(Account.objects.get(), seconds=0.0)


def ids(count: int) -> list[str]:
    return [
        str(pk) for pk in Video.objects.filter(subtitles__isnull=False).distinct().values_list("pk", flat=True)[:count]
    ]


def read(reader: Reads, *videos: str) -> None:
    """The platform is asked for the subtitles of these videos."""
    for video in videos:
        reader.get(lambda platform, video=video: platform.videos.subtitles(video))  # type: ignore[misc]


def test_what_was_made_is_held_until_an_answer_changes(reader: Reads, made: Made) -> None:
    first, second = ids(2)
    read(reader, first, second)
    found = facts.known(reader, made.fact)
    assert set(found) == {first, second}
    begun = made.times
    assert facts.known(reader, made.fact) is found
    Subtitle.objects.filter(video_id=first).delete()
    read(reader, first)
    again = facts.known(reader, made.fact)
    assert again[first] == ()
    assert again[second] == found[second]
    assert made.times == begun + 1, "only the changed one is made anew"


def test_a_subject_that_is_read_for_the_first_time_is_there_at_once(reader: Reads, made: Made) -> None:
    first, second = ids(2)
    read(reader, first)
    assert set(facts.known(reader, made.fact)) == {first}
    read(reader, second)
    assert set(facts.known(reader, made.fact)) == {first, second}


def test_what_is_older_than_a_day_is_not_known_any_more(reader: Reads, made: Made) -> None:
    (first,) = ids(1)
    read(reader, first)
    assert facts.known(reader, made.fact)
    make_old(facts.SECONDS + 60)
    assert not facts.known(reader, made.fact)


def test_another_process_makes_it_of_what_this_one_kept(reader: Reads, made: Made) -> None:
    read(reader, *ids(2))
    facts.known(reader, made.fact)
    begun = made.times
    facts._held.clear()
    assert len(facts.known(reader, made.fact)) == 2
    assert made.times == begun


def test_a_process_holds_so_many_facts_and_no_more(reader: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "MOST_HELD", 2)
    facts._held.clear()
    for number in range(4):
        facts.known(reader, Fact(f"fact_{number}", "videos.subtitles", Made().query))
    assert [name for _account, name in facts._held] == ["fact_2", "fact_3"]


def test_two_answers_of_one_moment_are_told_apart_after_a_minute(
    reader: Reads, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = ids(2)
    read(reader, first, second)
    facts.known(reader, made.fact)
    newest: Any = KnownAnswer.objects.order_by("-changed_at").values_list("changed_at", flat=True)[0]
    Subtitle.objects.filter(video_id=first).delete()
    read(reader, first)
    KnownAnswer.objects.filter(about=first).update(changed_at=newest)
    monkeypatch.setattr(facts, "HELD_SECONDS", -1.0)
    assert facts.known(reader, made.fact)[first] == ()
