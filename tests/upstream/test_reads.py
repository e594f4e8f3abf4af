"""Pages show what is known of the platform at once, with its age, and read it anew beside them."""

import os
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import cache
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api import Operations
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.errors import BadToken, CallError, Missing
from dashboard.platform_api.platform import question_of
from dashboard.sandbox import models as platform
from dashboard.upstream import clients, intervals, store
from dashboard.upstream.models import LARGE, KnownAnswer
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads
from dashboard.writes.tasks import prune_history
from tests.forgetting import make_old
from tests.moments import replace_time

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
Calls = Callable[[str], int]


def title(platform_: Operations) -> str:
    return platform_.videos.get(platform.Video.objects.get().pk).title


def rename(words: str) -> None:
    platform.Video.objects.update(title=words)


def test_what_nobody_has_asked_yet_is_waited_for(account: Account, beside: list[Any], calls: Calls) -> None:
    assert Reads(account, waits=False).get(title) == "Serra Alta, launch film"
    assert calls("videos.get") == 1
    assert beside == []


def test_each_answer_that_is_waited_for_is_given_under_every_name_that_asks_for_it(
    account: Account, calls: Calls
) -> None:
    given: dict[str, Outcome] = {}
    queries = {"one": Query(title), "same": Query(title)}
    outcomes = Reads(account).gather_each(queries, None, given.__setitem__)
    assert given == outcomes and list(given) == ["one", "same"] and calls("videos.get") == 1
    given.clear()
    Reads(account, waits=False).gather_each(queries, None, given.__setitem__)
    assert given == {}, "what is known is not waited for"


def test_what_is_known_is_shown_at_once_and_read_anew_beside_the_page(
    account: Account, beside: list[Any], calls: Calls
) -> None:
    Reads(account).get(title)
    rename("A new title")
    make_old()
    shown = Reads(account, waits=False).gather(video=title)["video"]
    assert isinstance(shown, Ready)
    assert (shown.value, shown.is_refreshing, calls("videos.get")) == ("Serra Alta, launch film", True, 1)
    beside.pop()()
    assert Reads(account, waits=False).get(title) == "A new title"
    assert calls("videos.get") == 2
    assert beside == []


def test_what_is_younger_than_its_interval_is_not_read_anew(account: Account, beside: list[Any], calls: Calls) -> None:
    Reads(account).get(title)
    make_old(intervals.SECONDS["videos.get"] - 5)
    shown = Reads(account, waits=False).gather(video=title)["video"]
    assert isinstance(shown, Ready)
    assert not shown.is_refreshing
    make_old(10)
    shown = Reads(account, waits=False).gather(video=title)["video"]
    assert isinstance(shown, Ready)
    assert shown.is_refreshing
    assert calls("videos.get") == 1


def test_a_part_that_was_asked_for_alone_waits_for_what_is_older_than_its_interval(
    account: Account, beside: list[Any]
) -> None:
    Reads(account).get(title)
    rename("A new title")
    make_old()
    assert Reads(account, waits=True).get(title) == "A new title"


def test_reads_for_a_comparison_ask_the_platform_whatever_is_known(account: Account, calls: Calls) -> None:
    Reads(account).get(title)
    rename("A new title")
    assert Reads(account, seconds=0.0).get(title) == "A new title"
    assert calls("videos.get") == 2


def test_spare_reads_are_never_waited_for(account: Account, beside: list[Any], calls: Calls) -> None:
    assert Reads(account, waits=False).spare(video=title) == {"video": Late()}
    assert calls("videos.get") == 0
    beside.pop()()
    shown = Reads(account, waits=False).spare(video=title)["video"]
    assert isinstance(shown, Ready)
    assert shown.value == "Serra Alta, launch film"


def test_known_reads_nothing_and_shows_whatever_age(account: Account, beside: list[Any], calls: Calls) -> None:
    assert Reads(account).known(video=title) == {"video": Late()}
    Reads(account).get(title)
    make_old(10**7)
    shown = Reads(account).known(video=title)["video"]
    assert isinstance(shown, Ready)
    assert (shown.value, calls("videos.get"), beside) == ("Serra Alta, launch film", 1, [])


def test_another_account_knows_nothing_of_it(account: Account, stranger: Account, beside: list[Any]) -> None:
    Reads(account).get(title)
    assert Reads(stranger).known(video=title) == {"video": Late()}
    with pytest.raises(Missing):
        Reads(stranger, waits=False).get(title)


def test_a_failure_shows_what_is_known_with_its_age_and_the_error(
    account: Account, faults: Any, beside: list[Any]
) -> None:
    Reads(account).get(title)
    make_old()
    faults.set("videos.get", status=500)
    waited = Reads(account).gather(video=title)["video"]
    assert isinstance(waited, Ready)
    assert waited.value == "Serra Alta, launch film"
    assert waited.error is not None
    assert waited.at is not None
    an_hour_ago = timezone.now() - timedelta(minutes=59)
    assert waited.at < an_hour_ago


def test_a_failure_of_what_nobody_knows_is_the_failure(account: Account, faults: Any, beside: list[Any]) -> None:
    faults.set("videos.get", status=500)
    outcome = Reads(account, waits=False).gather(video=title)["video"]
    assert isinstance(outcome, Failed)


def test_a_read_beside_that_failed_is_told_and_not_repeated_for_a_while(
    account: Account, faults: Any, beside: list[Any], calls: Calls
) -> None:
    Reads(account).get(title)
    make_old()
    faults.set("videos.get", status=500)
    Reads(account, waits=False).gather(video=title)
    beside.pop()()
    before = calls("videos.get")
    shown = Reads(account, waits=False).gather(video=title)["video"]
    assert isinstance(shown, Ready)
    assert shown.error is not None
    assert not shown.is_refreshing
    assert (beside, calls("videos.get")) == ([], before)


@pytest.mark.parametrize("status", [401, 404])
def test_a_refused_token_and_a_video_that_is_gone_hide_what_was_known(
    account: Account, faults: Any, status: int
) -> None:
    Reads(account).get(title)
    make_old()
    faults.set("videos.get", status=status)
    with pytest.raises((BadToken, Missing)):
        Reads(account).get(title)


def test_a_write_of_ours_makes_waiting_worth_it(account: Account, beside: list[Any]) -> None:
    Reads(account).get(title)
    rename("A new title")
    store.mark_changed(account.pk, "assistants.update_chat_visibility")
    assert Reads(account, waits=False).get(title) == "A new title"
    assert beside == []


def test_a_write_about_one_thing_leaves_what_is_known_of_others(account: Account) -> None:
    for video in ("a" * 8, "b" * 8):
        keep(account, partial(list_fields, video))
    store.mark_changed(account.pk, "custom_fields.update", "a" * 8)
    outdated = KnownAnswer.objects.exclude(outdated_at=None)
    assert list(outdated.values_list("about", flat=True)) == ["a" * 8]


def list_fields(video: str, platform_: Operations) -> object:
    return platform_.custom_fields.list(video)


def list_videos(page: int, platform_: Operations) -> object:
    return platform_.videos.list(page=page)


def keep(account: Account, call: Callable[[Operations], object], body: bytes = b"[]", seconds_ago: float = 0) -> None:
    """An answer to the question of `call`, whose read began so many seconds ago."""
    begun = timezone.now() - timedelta(seconds=seconds_ago)
    store.keep(account.pk, question_of(call), Answer(200, {}, body), begun)


def test_an_older_answer_never_takes_the_place_of_a_newer_one(account: Account) -> None:
    keep(account, lambda p: p.folders.list(), b'["newer"]', seconds_ago=1)
    keep(account, lambda p: p.folders.list(), b'["older"]', seconds_ago=2)
    (known,) = store.load(account.pk, [question_of(lambda p: p.folders.list()).digest]).values()
    assert known.answer.body == b'["newer"]'


def test_the_same_answer_again_is_younger_and_has_not_changed(account: Account) -> None:
    keep(account, lambda p: p.folders.list(), seconds_ago=60)
    before = KnownAnswer.objects.get()
    keep(account, lambda p: p.folders.list())
    after = KnownAnswer.objects.get()
    assert after.read_at > before.read_at
    assert after.changed_at == before.changed_at
    keep(account, lambda p: p.folders.list(), b"[1]")
    assert KnownAnswer.objects.get().changed_at > before.changed_at


def test_answers_of_operations_without_an_interval_and_very_large_ones_are_not_kept(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = UUID(int=1)
    keep(account, lambda p: p.public_review.comments(link, link))
    monkeypatch.setattr(store, "LARGEST", 10)
    keep(account, lambda p: p.folders.list(), b'["as long as this"]')
    assert not KnownAnswer.objects.exists()


def test_an_answer_that_another_release_kept_and_this_one_cannot_read_is_asked_for_anew(
    account: Account, calls: Calls, beside: list[Any]
) -> None:
    Reads(account).get(title)
    KnownAnswer.objects.update(body=b"not deflated at all", changed_at=timezone.now())
    assert Reads(account, waits=False).get(title) == "Serra Alta, launch film"
    assert calls("videos.get") == 2


def test_of_two_who_ask_at_the_same_moment_one_waits_for_the_answer_of_the_other(
    account: Account, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    Reads(account).get(title)
    make_old()
    reader, digest = Reads(account), question_of(title).digest
    cache.set(f"reading:{account.pk}:{digest}", 1)
    rename("Read by the other process")

    def other_answers(_seconds: float) -> None:
        title(clients.platform_for(account))

    replace_time(monkeypatch, "dashboard.upstream.reads", sleep=other_answers)
    assert reader.get(title) == "Read by the other process"
    assert calls("videos.get") == 2


def test_answers_that_nobody_reads_any_more_are_dropped_and_others_stay(account: Account) -> None:
    days = store.FORGOTTEN_AFTER.total_seconds()
    keep(account, lambda p: p.folders.list(), seconds_ago=days + 60)
    keep(account, lambda p: p.lives.list(), seconds_ago=days - 60)
    prune_history.call()
    assert KnownAnswer.objects.get().operation == "lives.list"


def test_of_large_answers_an_account_keeps_the_newest_and_all_small_ones(
    account: Account, stranger: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_LARGE", 2)
    large = os.urandom(LARGE + 100)
    keep(stranger, lambda p: p.folders.list(), large, seconds_ago=100)
    keep(account, lambda p: p.folders.list(), b"[]", seconds_ago=90)
    for page in range(4):
        keep(account, partial(list_videos, page), large, seconds_ago=10 - page)
    kept = KnownAnswer.objects.filter(account=account)
    assert sorted(kept.values_list("operation", flat=True)) == ["folders.list", "videos.list", "videos.list"]
    newest = [question_of(partial(list_videos, page)).digest for page in (2, 3)]
    assert kept.filter(digest__in=newest).count() == 2
    assert KnownAnswer.objects.filter(account=stranger).count() == 1


def test_of_all_answers_an_account_keeps_the_newest(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST", 3)
    for page in range(5):
        keep(account, partial(list_videos, page), seconds_ago=10 - page)
    assert store.prune() == 2
    newest = [question_of(partial(list_videos, page)).digest for page in (2, 3, 4)]
    assert KnownAnswer.objects.filter(digest__in=newest).count() == KnownAnswer.objects.count() == 3


def test_nothing_is_known_of_an_account_that_was_disconnected(account: Account) -> None:
    keep(account, lambda p: p.folders.list())
    store.forget_account(account.pk)
    assert not KnownAnswer.objects.exists()


def test_every_operation_that_a_write_makes_old_has_an_interval() -> None:
    assert {change.operation for changes in intervals.CHANGES.values() for change in changes} <= set(intervals.SECONDS)


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_an_answer_for_an_account_that_was_deleted_meanwhile_is_dropped(account: Account) -> None:
    gone = account.pk
    Account.objects.filter(pk=gone).delete()
    account.pk = gone
    keep(account, lambda p: p.folders.list())
    assert not KnownAnswer.objects.exists()


def test_an_error_is_never_kept(account: Account, faults: Any) -> None:
    faults.set("videos.get", status=500)
    with pytest.raises(CallError):
        Reads(account).get(title)
    assert not KnownAnswer.objects.exists()
