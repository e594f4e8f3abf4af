"""What a query selects: every filter over what is known here, what is not known as unknown, and a sentence for a mistake."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.sandbox.models import Folder, Video
from dashboard.upstream.library import Selection, load_selection
from dashboard.videos import tasks
from tests.answering import count_calls
from tests.conftest import signed_in
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def whole(whole: Client, account: Account) -> Account:
    """The account whose videos the worker has read, all of them."""
    return account


def test_nothing_typed_selects_every_video_with_its_title(account: Account, cast: dict[str, Any]) -> None:
    selection = load_selection(account, "")
    assert len(selection.ids) == 75 and selection.complete and not selection.problem
    assert selection.titles[cast["videos"]["plain"]] == Video.objects.get(pk=cast["videos"]["plain"]).title
    assert cast["videos"]["other_account"] not in selection.ids


def test_selection_of_a_known_library_asks_the_platform_for_nothing(
    whole: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_selection(whole, "")
    calls = [count_calls(monkeypatch, operation) for operation in ("videos.subtitles", "videos.get", "videos.list")]
    load_selection(whole, "missing:fr has:quiz")
    assert calls == [[], [], []]


def test_words_are_found_in_titles_without_case_and_accents(account: Account) -> None:
    first = load_selection(account, "").ids[0]
    Video.objects.filter(pk=first).update(title="Do Pé à XÍCARA, o filme")
    forget()
    assert first in load_selection(account, '"pe a XICARA, o"').ids


def test_missing_counts_only_videos_whose_subtitles_are_known(account: Account) -> None:
    before = load_selection(account, "missing:fr")
    assert before == Selection((), {}, complete=False, missing=("fr",))
    while tasks.read_library.call():
        pass
    after = load_selection(account, "missing:fr")
    assert after.complete and after.ids
    has = load_selection(account, "subtitles:fr")
    assert set(after.ids).isdisjoint(has.ids) and len(after.ids) + len(has.ids) == 75
    assert set(load_selection(account, "-missing:fr").ids) == set(has.ids)


def test_without_is_never_said_of_what_is_unknown(account: Account) -> None:
    assert load_selection(account, "-has:quiz") == Selection((), {}, complete=False)


def test_folder_selects_itself_its_subfolders_or_everything_below(account: Account, cast: dict[str, Any]) -> None:
    organization = Video.objects.get(pk=cast["videos"]["plain"]).organization_id
    folders = Folder.objects.filter(organization=organization, active=True, parent=None, children__active=True)
    parent = folders.filter(children__videos__isnull=False).first()
    assert parent is not None
    own = {str(pk) for pk in Video.objects.filter(folder=parent).values_list("pk", flat=True)}
    children = {str(pk) for pk in Video.objects.filter(folder__parent=parent).values_list("pk", flat=True)}
    name = f'"{parent.name}"'
    known = set(load_selection(account, "").ids)
    assert load_selection(account, f"folder:{name}").problem == ""
    assert set(load_selection(account, f"folder:{name}").ids) == own & known
    assert set(load_selection(account, f"folder:{name}/*").ids) == children & known
    assert (own | children) & known <= set(load_selection(account, f"folder:{name}/**").ids)
    assert load_selection(account, f"folder:{parent.pk}/**").ids == load_selection(account, f"folder:{name}/**").ids


def test_terms_hold_together_and_values_of_one_term_are_alternatives(whole: Account) -> None:
    french, spanish = (set(load_selection(whole, f"missing:{code}").ids) for code in ("fr", "es"))
    assert set(load_selection(whole, "missing:fr missing:es").ids) == french & spanish
    assert set(load_selection(whole, "missing:fr,es").ids) == french | spanish


def test_quiz_is_known_from_the_record_of_each_video(whole: Account) -> None:
    quiz = load_selection(whole, "has:quiz")
    assert quiz.ids and quiz.complete
    assert not set(quiz.ids) & set(load_selection(whole, "-has:quiz").ids)
    assert set(quiz.ids) <= set(load_selection(whole, "has:resources").ids)


def test_length_and_date_compare_what_the_list_says(account: Account) -> None:
    for selection, wrong in (
        (load_selection(account, "length>10min"), Video.objects.filter(length__lte=600)),
        (load_selection(account, "length<=10min"), Video.objects.filter(length__gte=601)),
    ):
        assert selection.ids and selection.complete
        assert not wrong.filter(pk__in=selection.ids).exists()
    recent = set(load_selection(account, "created:28d").ids)
    assert recent.isdisjoint(load_selection(account, "-created:28d").ids)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("missng:fr", "“missng:fr” uses no known filter. Did you mean “missing”?"),
        ('folder:"Nowhere at all"', "No folder is called “Nowhere at all”."),
        ("view:Gone", "No saved view is called “Gone”."),
        ("traffic>10", "“traffic>10” needs a unit: MB, GB, TB."),
    ],
)
def test_mistake_selects_nothing_and_says_why(account: Account, query: str, sentence: str) -> None:
    assert load_selection(account, query) == Selection(problem=sentence)


def test_list_that_cannot_be_read_is_an_error(account: Account, faults: ModuleType) -> None:
    faults.set("videos.list", status=500)
    with pytest.raises(errors.PlatformDown):
        load_selection(account, "")


def test_another_account_selects_its_own_videos(client: Client, cast: dict[str, Any]) -> None:
    signed_in(client, cast["tokens"]["other"])
    selection = load_selection(Account.objects.get(pk=client.session["account"]), "")
    assert cast["videos"]["other_account"] in selection.ids and cast["videos"]["plain"] not in selection.ids
