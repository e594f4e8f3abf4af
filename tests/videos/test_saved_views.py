"""Saved views of the list, what completes a query, and the list as a file."""

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.accounts.models import Account
from dashboard.sandbox.models import Video
from dashboard.videos import library
from dashboard.videos.models import SavedView
from dashboard.videos.tasks import read_library
from tests.forgetting import forget
from tests.pages import one_line, read_page
from tests.videos.test_videos import LIST, count_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_view_is_saved_opened_renamed_changed_and_deleted(whole: Client) -> None:
    saved = whole.post(
        f"{LIST}views/", {"q": "missing:fr", "sort": "title", "columns": ["none", "quiz"], "name": "French to do"}
    )
    page = one_line(whole.get(saved["Location"]).content.decode())
    view = SavedView.objects.get()
    count = count_of(page).split()[0]
    assert re.search(rf'aria-current="page">French to do ?<span class="tabs__count">.*?{count}<', page)
    assert 'data-label="Quiz"' in page and 'data-label="Subtitles"' not in page
    assert "French to do, " in page.split("</title>")[0]
    assert count_of(read_page(whole, f"{LIST}" + ('?q=view:"French to do"'))).split()[0] == count
    whole.post(f"{LIST}views/{view.pk}/", {"name": "French"})
    whole.post(f"{LIST}views/{view.pk}/", {"q": "missing:es", "update": "1"})
    view.refresh_from_db()
    assert (view.name, view.query) == ("French", "missing:es")
    assert whole.post(f"{LIST}views/{view.pk}/delete/")["Location"] == f"{LIST}?q=missing%3Aes"
    assert not SavedView.objects.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("q=missing:es&sort=title&columns=none&columns=quiz", ["Filters"]),
        ("q=missing:fr&sort=-views&columns=none&columns=quiz", ["Order"]),
        ("q=missing:fr&sort=title&columns=none&columns=quiz&columns=chat", ["Columns"]),
        ("q=missing:fr&sort=title", ["Columns"]),
        ("q=missing:es&columns=none", ["Filters", "Order", "Columns"]),
        ("q=missing:fr&sort=title&columns=none&columns=quiz", []),
    ],
)
def test_view_is_updated_from_a_list_with_another_search_order_or_columns(
    owner: Client, change: str, said: list[str]
) -> None:
    owner.post(f"{LIST}views/", {"q": "missing:fr", "sort": "title", "columns": ["none", "quiz"], "name": "To do"})
    view = SavedView.objects.get()
    page = one_line(owner.get(f"{LIST}?{change}&saved={view.pk}").content.decode())
    assert ("Update view" in page, "Edit view" in page) == (bool(said), not said)
    page = one_line(owner.get(f"{LIST}views/{view.pk}/?{change}&saved={view.pk}").content.decode())
    assert re.findall(r"<dt>([^<]+)</dt>", page) == said and ("Update view" in page) == bool(said)
    fields = re.findall(r'type="hidden" name="(q|sort|columns|saved)" value="([^"]*)"', page.split("Update view")[0])
    data: dict[str, list[str]] = {"update": ["1"]}
    for name, value in fields:
        data.setdefault(name, []).append(unescape(value))
    if said:
        owner.post(f"{LIST}views/{view.pk}/", data)
    assert "Update view" not in one_line(owner.get(f"{LIST}?{change}&saved={view.pk}").content.decode())


def test_page_reads_the_saved_views_once(whole: Client) -> None:
    whole.post(f"{LIST}views/", {"q": "missing:fr", "name": "To do"})
    for address in (LIST, f"{LIST}?q=view:%22To+do%22&sort=title", f"{LIST}complete/?q=mis&at=3"):
        with CaptureQueriesContext(connection) as queries:
            whole.get(address)
        assert sum("videos_savedview" in query["sql"] for query in queries) == 1, address


def test_count_of_a_view_says_so_far_until_the_library_is_read(owner: Client) -> None:
    for name, query in (("To do", "missing:fr"), ("Coffee", "café")):
        owner.post(f"{LIST}views/", {"q": query, "name": name})
    tabs = _tabs(owner)
    assert "so far" in tabs["To do"] and "so far" not in tabs["Coffee"] and "so far" not in tabs["All videos"]
    while read_library.call():
        pass
    assert not any("so far" in tab for tab in _tabs(owner).values())


def _tabs(owner: Client) -> dict[str, str]:
    """What each tab says, by its name."""
    nav = one_line(owner.get(LIST).content.decode()).split('class="view-bar"')[1].split("</nav>")[0]
    words = [re.sub(r"<[^>]+>", "|", tab.split("</a>")[0]) for tab in nav.split('class="tabs__link"')[1:]]
    return {tab.split(">", 1)[1].split("|")[0].strip(): tab for tab in words}


def test_view_needs_a_name_of_its_own_and_the_same_form_twice_saves_one(owner: Client) -> None:
    assert owner.post(f"{LIST}views/", {"q": "a", "name": " "}).status_code == 422
    for _press in range(2):
        assert owner.post(f"{LIST}views/", {"q": "a", "name": "Mine"}).status_code == 302
    refused = owner.post(f"{LIST}views/", {"q": "b", "name": "mine"})
    assert refused.status_code == 422 and "You have a view of this name already." in refused.content.decode()
    assert 'name="q" value="b"' in refused.content.decode(), "nothing typed is lost"
    assert SavedView.objects.count() == 1


def test_views_of_another_account_are_not_those_of_the_worker_s_queries(owner: Client) -> None:
    account = Account.objects.get(pk=owner.session["account"])
    other = Account.objects.create(name="Another")
    SavedView.objects.create(account=account, person="Camila", name="Mine", query="missing:fr", sort="")
    SavedView.objects.create(account=other, person="Camila", name="Theirs", query="missing:es", sort="")
    assert set(library.load_views(account, "Camila")) == {"mine"}


def test_query_with_a_mistake_or_too_long_to_be_kept_is_no_view(owner: Client) -> None:
    for query, sentence in (("missng:fr", "Did you mean “missing”?"), ("x" * 1001, "This search is too long.")):
        refused = owner.post(f"{LIST}views/", {"q": query, "name": "Mine"})
        assert refused.status_code == 422 and sentence in refused.content.decode()
        assert 'value="Mine"' in refused.content.decode(), "nothing typed is lost"
    owner.post(f"{LIST}views/", {"q": "a", "name": "Mine"})
    view = SavedView.objects.get()
    answer = owner.post(f"{LIST}views/{view.pk}/", {"q": "x" * 1001, "update": "1"}, follow=True)
    assert "This search is too long." in answer.content.decode()
    view.refresh_from_db()
    assert view.query == "a"


def test_view_of_another_person_or_account_is_not_found(owner: Client, cast: dict[str, Any]) -> None:
    account = Account.objects.get(pk=owner.session["account"])
    other = SavedView.objects.create(account=account, person="Somebody else", name="Theirs", sort="")
    owner.post(f"{LIST}views/", {"name": "Mine"})
    person = SavedView.objects.exclude(pk=other.pk).values_list("person", flat=True).first() or ""
    elsewhere = SavedView.objects.create(
        account=Account.objects.create(name="Another"), person=person, name="Far", sort=""
    )
    for address in (f"{LIST}views/{other.pk}/", f"{LIST}views/{elsewhere.pk}/", f"{LIST}views/{uuid4()}/"):
        assert owner.get(address).status_code == 404 and owner.post(address, {"name": "x"}).status_code == 404
    assert owner.post(f"{LIST}views/{other.pk}/delete/").status_code == 404
    assert "Theirs" not in read_page(owner, LIST)
    assert Client().get(f"{LIST}views/{other.pk}/").status_code == 302


def test_everything_that_a_view_finds_is_that_of_the_person_and_not_of_another_with_the_same_name(
    whole: Client,
) -> None:
    whole.post(f"{LIST}views/", {"q": "has:quiz", "name": "Fresh"})
    account = Account.objects.get(pk=whole.session["account"])
    SavedView.objects.create(account=account, person="Somebody else", name="Fresh", query="missing:fr", sort="")
    count = count_of(read_page(whole, f"{LIST}?q=view:Fresh")).split()[0]
    assert count != count_of(read_page(whole, f"{LIST}?q=missing:fr")).split()[0]
    check = whole.get("/dashboard/runs/check/", {"action": "review_links", "all": "1", "query": "view:Fresh"})
    assert f"For {count} videos." in one_line(check.content.decode())


def test_saved_view_in_itself_is_a_mistake(owner: Client) -> None:
    owner.post(f"{LIST}views/", {"q": "view:Mine", "name": "Mine"})
    assert "The saved view “Mine” uses itself." in unescape(read_page(owner, f"{LIST}?q=view:Mine"))


def test_export_has_everything_that_matches(whole: Client) -> None:
    answer = whole.get(f"{LIST}videos.csv?q=missing:fr&columns=none&columns=subtitles")
    lines = answer.content.decode().strip().splitlines()
    assert len(lines) - 1 == int(count_of(read_page(whole, f"{LIST}?q=missing:fr")).split()[0])
    assert lines[0] == '\ufeffId,Title,Folder,"Length, seconds",Subtitles'
    assert whole.get(f"{LIST}videos.csv?q=missng:fr").status_code == 302


def test_days_are_those_of_the_accounts_zone_in_filter_row_and_export(whole: Client, cast: dict[str, Any]) -> None:
    Account.objects.filter(pk=whole.session["account"]).update(zone="Pacific/Auckland")
    Video.objects.filter(pk=cast["videos"]["plain"]).update(created_at=datetime(2025, 3, 31, 20, tzinfo=UTC))
    forget()
    query = "?q=created:2025-04-01&columns=created"
    assert "Apr 1, 2025" in read_page(whole, f"{LIST}{query}")
    lines = whole.get(f"{LIST}videos.csv{query}").content.decode().splitlines()
    assert len(lines) == 2 and lines[1].endswith(",2025-04-01")


def suggestions(client: Client, text: str, at: int | None = None) -> list[tuple[str, str]]:
    """What completes the query at the caret: what would be written, with its count."""
    answer = client.get(f"{LIST}complete/", {"q": text, "at": str(len(text) if at is None else at)})
    entries = re.findall(r'data-text="([^"]+)".*?<small>([^<]*)</small>', one_line(answer.content.decode()))
    return [(unescape(written), count) for written, count in entries]


def test_completion_offers_names_first_then_values_with_counts(whole: Client) -> None:
    assert suggestions(whole, "fo")[0] == ("folder:", "")
    assert suggestions(whole, "pas")[0] == ("folder:", ""), "as Portuguese calls it"
    values = dict(suggestions(whole, "missing:fr has:"))
    assert values and all(count.split()[0] != "0" for count in values.values())
    count = count_of(read_page(whole, f"{LIST}?q=missing:fr+has:subtitles")).split()[0]
    assert values["has:subtitles"] == f"{count} videos"


def test_completion_offers_what_begins_so_before_what_contains_it(whole: Client) -> None:
    assert suggestions(whole, "has:s")[0][0] == "has:subtitles"
    assert suggestions(whole, "missing:jap")[0][0] == "missing:ja", "by the language's name, though no video has it"


def test_completion_completes_the_word_at_the_caret(whole: Client) -> None:
    answer = whole.get(f"{LIST}complete/", {"q": "mis has:quiz", "at": "3"}).content.decode()
    assert 'data-start="0" data-end="3"' in answer
    folders = [written for written, _count in suggestions(whole, 'folder:"lanca')]
    assert folders == ['folder:"Lançamento 2026"/**']


def test_completion_after_a_comma_adds_another_value_and_counts_the_videos_of_both(whole: Client) -> None:
    before = [written for written, _count in suggestions(whole, "missing:fr,")]
    assert "missing:fr,es" in before and "missing:fr,fr" not in before
    assert all(written.startswith("missing:fr,") for written in before)
    both = dict(suggestions(whole, "missing:fr,ita"))["missing:fr,it"]
    assert both.split()[0] == count_of(read_page(whole, f"{LIST}?q=missing:fr,it")).split()[0]
    assert suggestions(whole, "-has:quiz,mind")[0][0] == "-has:quiz,mindmap"
    assert suggestions(whole, "has:quiz,mind")[0][0] == "has:quiz,mindmap"
    quoted = 'folder:"Lançamento 2026"/**,"Curso: Do p'
    assert suggestions(whole, quoted)[0][0] == 'folder:"Lançamento 2026"/**,"Curso: Do pé à xícara"/**'


@pytest.mark.parametrize(
    "text", ['folder:"Lançamento, 2026', "traffic>1,", "coffee,te", "x:y,", ",", "missing:,f", '",']
)
def test_comma_that_separates_no_values_completes_none(whole: Client, text: str) -> None:
    assert not any("," in written.partition('"')[0] for written, _count in suggestions(whole, text))


@pytest.mark.parametrize("text", ["zzzzqq", "x:y", "traffic>", "", '"'])
def test_completion_of_anything_is_an_answer(whole: Client, text: str) -> None:
    assert whole.get(f"{LIST}complete/", {"q": text, "at": "999"}).status_code in (200, 204)
