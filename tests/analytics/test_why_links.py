"""Every number that moved leads to why it did: on the overview, in analytics, in traffic, in the list of videos."""

import re
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from tests.analytics.conftest import Answers
from tests.kept_traffic import keep_traffic
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

DAYS = "start=2026-11-01&end=2026-11-14&zone=UTC"


def addresses(page: str) -> list[str]:
    """Where the numbers that moved lead, "" for one that does not."""
    parts = [part.split("</td>")[0] for part in re.split(r'class="change(?=[" ])(?! change-why)', page)[1:]]
    moved = [part for part in parts if ">up <" in part or ">down <" in part]
    links = [re.search(r'class="change__why" href="([^"]+)"', part) for part in moved]
    return [link[1].replace("&amp;", "&") if link else "" for link in links]


@pytest.mark.parametrize(
    ("path", "least"),
    [
        ("/dashboard/", 5),
        (f"/dashboard/analytics/?{DAYS}", 20),
        (f"/dashboard/analytics/referrers/?{DAYS}", 30),
        (f"/dashboard/analytics/cities/?{DAYS}", 60),
        (f"/dashboard/analytics/cities/?{DAYS}&country=BR", 40),
        (f"/dashboard/analytics/cities/?{DAYS}&country=BR&region=Paran%C3%A1", 3),
        (f"/dashboard/analytics/ranking/?{DAYS}", 5),
        (f"/dashboard/analytics/traffic/?{DAYS}", 4),
        ("/dashboard/videos/", 5),
    ],
)
def test_every_number_that_moved_leads_to_a_page_that_splits_it(owner: Client, path: str, least: int) -> None:
    keep_traffic(Account.objects.get(pk=owner.session["account"]))
    page = one_line(owner.get(path).content.decode())
    found = addresses(page)
    assert len(found) >= least and all(found), found
    for link in {found[0], found[len(found) // 2], found[-1]}:
        split = one_line(owner.get(link).content.decode())
        assert "What added and what took away" in split, link
        assert 'class="parts"' in split or "/traffic/" in link, link


@pytest.mark.parametrize("page", ["referrers", "cities", "ranking"])
def test_numbers_that_are_compared_with_nothing_lead_nowhere(owner: Client, page: str) -> None:
    text = one_line(owner.get(f"/dashboard/analytics/{page}/?{DAYS}&compare=none").content.decode())
    assert "change__why" not in text and "No data" not in text


def test_city_without_a_region_leads_nowhere_because_its_days_cannot_be_asked(owner: Client, answers: Answers) -> None:
    def count(operation: str, query: dict[str, Any]) -> Any:
        number = 30 if query["start_date"].startswith("2026-11") else 20
        if operation == "analytics.city":
            places = {"Recife": "Pernambuco", "Nowhere": ""}
            return {
                "data": [
                    {"city": city, "region": region, "country": "BR", "view": number} for city, region in places.items()
                ]
            }
        days = (f"{query['start_date'][:8]}{n:02}" for n in range(1, 32))
        return {"data": [{"browser": "Chrome", "date": day, "view": number} for day in days]}

    answers(count)
    page = one_line(owner.get(f"/dashboard/analytics/cities/?{DAYS}").content.decode())
    rows = {name: page.split(f'scope="row">{name}')[1].split("</tr>")[0] for name in ("Recife", "Nowhere")}
    assert "region=Pernambuco" in rows["Recife"] and "change__why" not in rows["Nowhere"]
    assert ">up <" in rows["Nowhere"]


def test_days_of_a_country_are_those_of_the_account_and_say_so(owner: Client) -> None:
    page = one_line(owner.get(f"/dashboard/analytics/why/days/?{DAYS}&country=BR").content.decode())
    assert "All videos of" in page and 'class="parts"' in page and "Brazil" not in page.split("<main")[1]
    page = one_line(owner.get(f"/dashboard/analytics/why/days/?{DAYS}&country=BR&region=Bahia").content.decode())
    assert "Bahia, Brazil" in page and "All videos of" not in page


@pytest.mark.parametrize("page", ["referrers/", "why/referrers/", "why/sites/", "why/rate/referrers/"])
def test_link_to_a_site_without_a_name_is_the_same_in_every_language(
    owner: Client, answers: Answers, page: str
) -> None:
    answers(count_unknown)
    check_in_two_languages(owner, f"/dashboard/analytics/{page}?{DAYS}", "site=")


@pytest.mark.parametrize("page", ["cities/", "why/countries/"])
def test_link_to_a_city_without_a_name_is_the_same_in_every_language(
    owner: Client, answers: Answers, page: str
) -> None:
    answers(count_unknown)
    check_in_two_languages(owner, f"/dashboard/analytics/{page}?{DAYS}&country=BR&region=Bahia", "city=")


def count_unknown(operation: str, query: dict[str, Any]) -> Any:
    """In November also a site and a city that the platform does not name."""
    names = ["named", ""] if query["start_date"].startswith("2026-11") else ["named"]
    days = [f"{query['start_date'][:8]}{n:02}" for n in range(1, 32)] if query.get("granularity") == "day" else []
    if operation == "analytics.referrer":
        by_site = {name: {"view": 20, "play": 8 if name else 3} for name in names}
        return {"data": dict.fromkeys(days, by_site) if days else by_site}
    place = {"region": "Bahia", "country": "BR"}
    labels = [{"city": name, **place} for name in names] if operation == "analytics.city" else [{"browser": "Chrome"}]
    rows = [{**label, "view": 20} for label in labels]
    return {"data": [{**row, "date": day} for row in rows for day in days] if days else rows}


def check_in_two_languages(owner: Client, path: str, word: str) -> None:
    """A link that a Spanish reader copies is that of an English reader, who sees the days and the name in English."""
    links = {}
    for language in ("es", "en"):
        owner.cookies["language"] = language
        page = one_line(owner.get(path).content.decode())
        assert re.search({"es": r">\s*desconocido\b", "en": r">\s*unknown\b"}[language], page)
        found = {link.replace("&amp;", "&") for link in re.findall(r'href="([^"]*/why/days/[^"]*)"', page)}
        links[language] = {link for link in found if word in link}
    assert links["es"] == links["en"]
    (link,) = (link for link in links["es"] if f"{word}named" not in link)
    days = one_line(owner.get(link).content.decode())
    assert 'class="parts"' in days and re.search(r">\s*unknown[,<]", days) and not re.search(r">\s*unknown:", days)


def test_views_and_plays_of_one_video_are_split_by_browser(owner: Client, cast: dict[str, Any]) -> None:
    video = cast["videos"]["with_subtitles"]
    page = one_line(owner.get(f"/dashboard/analytics/why/browsers/?{DAYS}&metric=plays&video={video}").content.decode())
    assert "Why did plays change?" in page and 'class="parts"' in page
    assert "By browser" in page and "By country" not in page and "All videos of" not in page


def test_video_of_another_account_is_not_split(owner: Client, cast: dict[str, Any]) -> None:
    video = cast["videos"]["other_account"]
    assert owner.get(f"/dashboard/analytics/why/browsers/?{DAYS}&video={video}").status_code == 404
    assert owner.get(f"/dashboard/analytics/why/traffic/causes/?{DAYS}&video={video}").status_code == 404
