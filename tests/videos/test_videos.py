"""The list of videos: one query in the address, chips with counts of the whole library, saved views, and trouble."""

import re
from collections.abc import Callable
from html import unescape
from types import ModuleType
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from dashboard.sandbox.http_types import SandboxRequest, bad_request
from dashboard.sandbox.models import Folder, Video
from dashboard.upstream import clients, library
from dashboard.videos import tasks
from tests.answering import count_calls
from tests.conftest import AtPlatform, signed_in
from tests.forgetting import forget
from tests.pages import one_line, read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
LIST = "/dashboard/videos/"


def titles_within(folder: UUID) -> set[str]:
    """Of the videos of a folder and of all folders in it."""
    found = set(Video.objects.filter(folder_id=folder).values_list("title", flat=True))
    for child in Folder.objects.filter(parent_id=folder).values_list("pk", flat=True):
        found |= titles_within(child)
    return found


def titles(text: str) -> list[str]:
    return [
        unescape(title) for title in re.findall(r'<span> ?<a href="[^"]+">([^<]+)</a> ?<span class="table__sub"', text)
    ]


def chips(text: str, kind: str = "chip--set") -> dict[str, str]:
    """The chips that are set by their words: the count of each."""
    parts = re.findall(rf'<li class="chip {kind}">(.*?)<span class="chip__count">(.*?)</span>', text)
    return {unescape(words.strip()): re.sub(r"\s+", " ", count).strip() for words, count in parts}


def offered(text: str) -> dict[str, str]:
    """The chips that would narrow the list: where each leads."""
    more = text.split('class="query__more"')[1].split("</ul>")[0] if 'class="query__more"' in text else ""
    return {unescape(words.strip()): unescape(link) for link, words in re.findall(r'href="([^"]+)">([^<]+)<span', more)}


def count_of(text: str) -> str:
    found = re.search(r'id="match-title"[^>]*> ?<span role="status"> ?<b>([^<]+)</b> ?([^<]+)', text)
    assert found
    return f"{found[1]} {found[2]}".strip()


def test_first_page_shows_forty_with_the_count_and_the_way_on(owner: Client) -> None:
    text = read_page(owner, LIST)
    assert len(titles(text)) == 40
    assert count_of(text) == "75 of 75 videos match"
    assert "1 to 40 of 75" in text and "Page 1 of 2" in text
    assert 'rel="next"' in text and 'rel="prev"' not in text


def test_last_page_shows_the_rest_and_a_later_one_is_the_last(owner: Client) -> None:
    text = read_page(owner, f"{LIST}?page=2")
    assert len(titles(text)) == 35 and 'rel="next"' not in text and 'rel="prev"' in text
    assert titles(read_page(owner, f"{LIST}?page=99")) == titles(text)


def test_another_accounts_videos_never_show(owner: Client, cast: dict[str, Any]) -> None:
    title = Video.objects.get(pk=cast["videos"]["other_account"]).title
    assert cast["videos"]["other_account"] not in read_page(owner, f"{LIST}" + (f'?q="{title}"'))


def test_field_chips_and_form_say_the_same_query(whole: Client) -> None:
    text = read_page(whole, f"{LIST}?q=missing:fr+has:quiz")
    assert 'name="q" type="text"' in text and 'value="missing:fr has:quiz"' in text
    assert set(chips(text)) == {"Missing subtitles: French", "Has a quiz"}
    assert '<option value="fr" selected>French</option>' in text
    assert '<option value="quiz" selected>Has a quiz</option>' in text


def test_set_chip_has_the_count_of_its_filter_alone(whole: Client) -> None:
    alone = {words: count_of(read_page(whole, f"{LIST}?q={words}")).split()[0] for words in ("missing:fr", "has:quiz")}
    both = chips(read_page(whole, f"{LIST}?q=missing:fr+has:quiz"))
    assert both == {"Missing subtitles: French": alone["missing:fr"], "Has a quiz": alone["has:quiz"]}


def test_offered_chip_leads_to_as_many_videos_as_it_says(whole: Client) -> None:
    text = read_page(whole, f"{LIST}?q=missing:fr")
    links = offered(text)
    assert links
    for words, link in links.items():
        said = re.search(rf'{re.escape(words)} ?<span class="chip__count">(\d+)', unescape(text))
        assert said and count_of(one_line(whole.get(link).content.decode())).split()[0] == said[1] != "0"


def test_count_says_so_far_until_the_library_is_read(owner: Client) -> None:
    before = read_page(owner, f"{LIST}?q=missing:fr")
    assert "so far" in before.split('id="match-title"')[1].split("</h2>")[0]
    assert "None found so far" in before
    while tasks.read_library.call():
        pass
    after = read_page(owner, f"{LIST}?q=missing:fr")
    assert "so far" not in after.split('id="match-title"')[1].split("</h2>")[0]


def test_page_of_a_known_library_asks_for_no_video(whole: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    read_page(whole, LIST)
    asked = [count_calls(monkeypatch, name) for name in ("videos.list", "videos.get", "videos.subtitles")]
    read_page(whole, f"{LIST}?q=missing:fr+plays:falling+comments:open")
    assert asked == [[], [], []]


@pytest.mark.parametrize(
    ("old", "query"),
    [
        ("?missing=fr", "missing:fr"),
        ("?status=FAILED", "status:failed"),
        ("?folder=root", "folder:none"),
        ("?q=how+we&missing=fr&view=table", "how we missing:fr"),
        ("?q=a%3Ab&status=DRAFT", '"a:b" status:draft'),
    ],
)
def test_addresses_of_before_lead_to_the_query_that_says_the_same(owner: Client, old: str, query: str) -> None:
    answer = owner.get(f"{LIST}{old}")
    assert answer.status_code == 302
    assert f'value="{query}"' in unescape(owner.get(answer["Location"]).content.decode()).replace(
        '""', '"'
    ) or query in unescape(owner.get(answer["Location"]).content.decode())


def test_folder_of_an_old_address_has_everything_below_and_its_name(owner: Client, cast: dict[str, Any]) -> None:
    answer = owner.get(f"{LIST}?folder={cast['folders']['root']}")
    text = one_line(owner.get(answer["Location"]).content.decode())
    assert "Folder: Lançamento 2026 and subfolders" in chips(text)
    assert set(titles(text)) == titles_within(UUID(cast["folders"]["root"]))


def test_form_writes_the_query_and_keeps_what_it_cannot_say(owner: Client) -> None:
    fields = {
        "rest": "length>10min", "words": "café", "folder": "2026", "missing": "fr", "has": "quiz", "comments": "open",
        "plays": "", "chat": "", "status": "", "created": "28d", "without": "chat", "traffic": "1,5",
    }  # fmt: skip
    answer = owner.get(LIST, {**fields, "sort": "title"})
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"{LIST}?q=length%3E10min+caf%C3%A9+folder%3A2026+missing%3Afr+has%3Aquiz")
    assert answer["Location"].endswith("created%3A28d+-has%3Achat+traffic%3E1%2C5GB&sort=title")


def test_form_without_subfolders_means_the_folder_itself(owner: Client) -> None:
    below = owner.get(LIST, {"rest": "", "folder": "Lançamento 2026", "below": "1"})["Location"]
    itself = owner.get(LIST, {"rest": "", "folder": "Lançamento 2026"})["Location"]
    assert below.endswith("%2F%2A%2A") and not itself.endswith("%2A")


def test_mistake_names_its_word_offers_a_repair_and_keeps_the_last_list(whole: Client) -> None:
    text = read_page(whole, f"{LIST}?q=missng:fr+how&last=how+we")
    assert '<mark class="query__wrong">missng:fr</mark>' in text
    assert "Did you mean “missing”?" in unescape(text)
    assert f'href="{LIST}?q=missing%3Afr+how"' in text and "Change to missing:fr" in text
    assert f'href="{LIST}?q=%22missng%3Afr%22+how"' in text
    assert 'value="missng:fr how"' in text, "what was typed stays"
    assert titles(text) == titles(read_page(whole, f"{LIST}?q=how+we")) and titles(text)
    assert "<code>how we</code>" in text


def test_mistake_without_a_last_search_shows_all_videos(owner: Client) -> None:
    text = read_page(owner, f"{LIST}?q=folder:Nowhere")
    assert "No folder is called “Nowhere”." in unescape(text) and len(titles(text)) == 40


def test_nothing_matches_says_what_each_filter_leaves_out(whole: Client) -> None:
    text = read_page(whole, f"{LIST}?q=missing:fr+zzzzzz")
    assert "No videos match" in text
    assert re.search(r"Without: “zzzzzz” in the title ?<span class=\"chip__count\">\d+", unescape(text))


def test_orders_are_of_the_whole_list(owner: Client) -> None:
    longest = titles(read_page(owner, f"{LIST}?sort=-length"))
    lengths = [
        Video.objects.filter(title=title).order_by("-length").values_list("length", flat=True)[0] for title in longest
    ]
    assert lengths[0] == max(Video.objects.filter(title__in=longest).values_list("length", flat=True))
    first = titles(read_page(owner, f"{LIST}?sort=title"))
    assert first[0] < first[-1]
    assert 'aria-sort="ascending"' in read_page(owner, f"{LIST}?sort=title")


def test_columns_are_those_that_were_chosen(owner: Client) -> None:
    text = read_page(owner, f"{LIST}?columns=none&columns=id&columns=created")
    assert "<code>" in text and 'data-label="Created"' in text and 'data-label="Subtitles"' not in text
    assert 'data-label="Subtitles"' in read_page(owner, f"{LIST}?columns=languages"), "an older name"


def test_row_shows_languages_missing_ones_comments_and_plays(whole: Client, cast: dict[str, Any]) -> None:
    text = read_page(whole, f"{LIST}?q=how+we+roast+missing:fr")
    row = text.split(f'value="{cast["videos"]["with_subtitles"]}"')[1].split("</tr>")[0]
    assert all(f'<span class="langs__code">{code}</span>' in row for code in ("de", "es", "pt-BR"))
    assert "langs__code--missing" in row and "missing:" in row
    assert 'data-label="Plays, 28 days"' in row
    assert re.search(r'data-label="Comments"><span class="muted">None known', row), "its review links are not looked up"


def test_filters_of_other_features_find_what_they_know(whole: Client) -> None:
    whole.get("/dashboard/")  # the overview looks up review links
    for query in ("comments:open", "has:review-link", "plays>1", "in:funnel", "in:playlist", "chat:shown"):
        assert count_of(read_page(whole, f"{LIST}?q={query}")).split()[0] not in ("0", "75"), query


def test_search_through_htmx_answers_the_part_and_its_clean_address(owner: Client) -> None:
    answer = owner.get(f"{LIST}?q=how+we&last=zzz&sort=", headers={"HX-Request": "true"})
    assert answer["HX-Push-Url"] == f"{LIST}?q=how+we"
    assert answer.content.decode().lstrip().startswith('<div class="stack library" id="library"')


def test_slow_platform_leaves_a_place_that_fetches_itself(owner: Client, late: Callable[..., None]) -> None:
    forget()
    late("videos.list")
    page = read_page(owner, f"{LIST}?q=roast")
    fetch = re.search(r'id="library" ?hx-get="([^"]+)" hx-trigger="load"', page)
    assert fetch and "wait=1" in fetch[1]
    assert f'<a href="{fetch[1]}"' in page, "the same without script"
    fetched = owner.get(unescape(fetch[1]), headers={"HX-Request": "true"})
    assert "How we roast" in fetched.content.decode() and "HX-Push-Url" not in fetched


@pytest.mark.parametrize(
    ("fault", "status"),
    [({"status": 403}, 403), ({"status": 404}, 404), ({"status": 429}, 503), ({"status": 500}, 502)],
)
def test_list_that_fails_says_what_to_do_and_keeps_the_query(
    owner: Client, faults: ModuleType, fault: dict[str, Any], status: int
) -> None:
    forget()
    faults.set("videos.list", **fault)
    answer = owner.get(f"{LIST}?q=roast&sort=title")
    assert answer.status_code == status
    text = one_line(answer.content.decode())
    assert 'value="roast"' in text and f'href="{LIST}?q=roast&amp;sort=title">Try again<' in text
    assert "No videos match" not in text and "No videos yet" not in text, "nobody knows that"
    part = owner.get(f"{LIST}?q=roast", headers={"HX-Request": "true"})
    assert part.status_code == 200, "a failure is not swapped into the page"


def test_without_folder_names_the_videos_still_show(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("folders.list", status=500)
    text = read_page(owner, LIST)
    assert len(titles(text)) == 40 and "Folder names couldn't be loaded" in unescape(text)
    assert "No folder is called" not in read_page(owner, f"{LIST}?q=folder:2026"), "nobody knows that"


def test_refused_token_leads_to_sign_in(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("videos.list", status=401)
    assert owner.get(LIST)["Location"].startswith("/sign-in/")


def test_account_without_videos_is_told_where_they_come_from(client: Client, cast: dict[str, Any]) -> None:
    inactive = signed_in(client, cast["tokens"]["no_permission"])
    Video.objects.filter(organization__users__tokens__value=cast["tokens"]["no_permission"]).delete()
    assert "Upload videos on the platform." in read_page(inactive, LIST)


def test_platform_that_refuses_thousands_at_once_is_asked_for_less(
    owner: Client, monkeypatch: pytest.MonkeyPatch, at_platform: AtPlatform
) -> None:
    asked: list[int] = []

    def refuse_many(request: SandboxRequest) -> None:
        asked.append(int(request.query["limit"]))
        if asked[-1] > library.SAFE:
            raise bad_request("limit")

    at_platform.arrives("videos.list", refuse_many)
    monkeypatch.setattr(library, "SAFE", 30)
    assert count_of(read_page(owner, LIST)) == "75 of 75 videos match"
    assert asked == [library.WHOLE, 30, 30, 30]
    assert clients.embedded()


def test_selected_videos_go_to_what_is_done_with_them(owner: Client, cast: dict[str, Any]) -> None:
    text = read_page(owner, f"{LIST}?q=how+we+roast")
    assert f'name="video" value="{cast["videos"]["with_subtitles"]}"' in text
    assert 'formaction="/dashboard/runs/check/" name="action" value="subtitles"' in text
    bar = text.split('class="bulk-bar"')[1]
    names = ("show_chat", "hide_chat", "set_field", "review_links", "add_to_funnel")
    assert all(f'formaction="/dashboard/runs/check/" name="action" value="{name}"' in bar for name in names)


def test_everything_that_matches_reaches_the_check_of_a_run(whole: Client) -> None:
    count = count_of(read_page(whole, f"{LIST}?q=missing:fr")).split()[0]
    check = whole.get("/dashboard/runs/check/", {"action": "hide_chat", "all": "1", "query": "missing:fr"})
    assert check.status_code == 200 and f"{count} videos" in one_line(check.content.decode())
    mistake = whole.get("/dashboard/runs/check/", {"action": "hide_chat", "all": "1", "query": "missng:fr"})
    assert mistake["Location"] == f"{LIST}?q=missng%3Afr"


def test_everything_that_matches_is_selected_as_a_query(whole: Client) -> None:
    text = read_page(whole, f"{LIST}?q=missing:fr")
    count = count_of(text).split()[0]
    link = re.search(rf'href="([^"]+)" data-choose-match>Select all {count} that match', text)
    assert link
    selected = one_line(whole.get(unescape(link[1])).content.decode())
    assert f"All {count} that match are selected" in selected
    assert '<input type="hidden" name="query" value="missing:fr">' in selected
    assert '<input type="hidden" name="all" value="1">' in selected


def test_list_that_stays_beside_a_mistake_says_how_many_it_has(owner: Client, cast: dict[str, Any]) -> None:
    assert "All videos:" in read_page(owner, f"{LIST}?q=missng:fr")
    assert "Last search, 1 video:" in read_page(owner, f"{LIST}?q=missng:fr&last={cast['videos']['plain']}")


def test_everything_cannot_be_selected_while_it_is_not_known(owner: Client, read_a_run: Callable[[int], None]) -> None:
    read_a_run(60)
    read_page(owner, LIST)
    tasks.read_library.call()
    text = read_page(owner, f"{LIST}?q=missing:ja")
    assert titles(text) and "so far" in text
    assert "data-choose-match" not in text and "once your library is read" in text
