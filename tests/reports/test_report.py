"""The report: a week against the one before, of the account, a folder or a search; numbers that add up, and what is missing."""

import csv
import io
import re
from collections.abc import Callable
from datetime import date
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from dashboard.reports import registry
from dashboard.sandbox.models import Video
from dashboard.upstream.library import Selection
from tests.analytics.conftest import Answers
from tests.forgetting import forget
from tests.pages import one_line
from tests.reports.conftest import BEFORE, NOW, WEEK, Audience

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
REPORT = "/dashboard/reports/"
Seen = Callable[..., str]


def read_rows(page: str) -> list[list[int]]:
    """The numbers of each row of the table: videos, now, before, difference; the last one is all together."""
    table = page[page.index('id="report-parts"') :].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
    cells = [re.findall(r'<td class="number"[^>]*>\s*(?:<span>)?([+−]?[\d,–]+)', row) for row in rows]
    return [[int(text.replace(",", "").replace("−", "-").replace("–", "0")) for text in row[:4]] for row in cells]


def read_file(client: Client, query: str = "") -> list[list[str]]:
    answer = client.get(f"{REPORT}report.csv{query}")
    assert answer.status_code == 200 and answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_report_says_first_what_changed_and_what_changed_most(
    audience: Audience, seen: Seen, videos: list[Video]
) -> None:
    for day in WEEK:
        audience.plays[day][str(videos[0].pk)] = 200
    page = one_line(seen()).replace("\u2009", " ")
    assert "Nov 9 – 15, 2026 against Nov 2 – 8, 2026" in page and "America/Sao Paulo" in page
    assert "1,715 plays, 512.5% more than the week before (280 plays). Most of the gain: " in page
    assert page.index("What changed") < page.index("Numbers of the week") < page.index('id="report-parts"')


@pytest.mark.parametrize("alone", [0, 3])
def test_rows_add_up_to_the_printed_totals(audience: Audience, seen: Seen, alone: int) -> None:
    audience.alone = alone
    *rows, total = read_rows(seen())
    assert total[1:] == [7 * (60 + alone), 7 * (40 + alone), 140]
    assert [sum(column) for column in zip(*rows, strict=True)] == total


def test_missing_days_are_said_and_left_out_of_both_weeks(audience: Audience, seen: Seen) -> None:
    for day in WEEK[5:]:
        del audience.plays[day]
    page = one_line(seen())
    assert "5 of 7 days are compared: there is no data for Nov 14, Nov 15." in page
    assert "300 plays, 50.0% more than the week before (200 plays)." in page
    *rows, total = read_rows(page)
    assert total[1:] == [300, 200, 100] == [sum(column) for column in zip(*rows, strict=True)][1:]


def test_first_week_of_an_account_is_compared_with_nothing(audience: Audience, seen: Seen) -> None:
    for day in BEFORE:
        del audience.plays[day]
    page = one_line(seen())
    assert "There are no numbers for the week before, so nothing is compared." in page and "420 plays." in page
    assert "Difference" not in page and "No data before" in page


def test_week_without_numbers_shows_none_instead_of_zero(audience: Audience, seen: Seen) -> None:
    audience.plays.clear()
    page = one_line(seen())
    assert "There are no numbers for this week." in page and "stat__value" not in page and "report-parts" not in page


def test_day_that_is_not_over_in_utc_counts_as_missing(audience: Audience, seen: Seen, clock: Any) -> None:
    clock(NOW.replace(day=16, hour=3))  # Monday 0:00 in São Paulo
    assert "days are compared" not in seen()


def test_earlier_weeks_are_reached_by_links_and_later_ones_until_the_last(audience: Audience, seen: Seen) -> None:
    page = seen()
    assert "?week=2026-11-02" in page and 'rel="next"' not in page
    earlier = seen("?week=2026-11-04")
    assert "Nov 2 – 8, 2026 against Oct 26 – Nov 1, 2026" in one_line(earlier).replace("\u2009", " ")
    assert "?week=2026-10-26" in earlier and "?week=2026-11-09" in earlier
    assert 'id="report-next"' in page and 'id="report-next"' not in earlier


def test_folder_counts_everything_below_it(audience: Audience, seen: Seen, videos: list[Video]) -> None:
    folder = videos[0].folder
    assert folder is not None
    while folder.parent is not None:
        folder = folder.parent
    ids = {str(video.pk) for video in videos if is_below(video, folder.pk)}
    count = sum(video in ids for video in audience.plays[WEEK[0]])
    page = one_line(seen(f"?about=folder:{folder.pk}"))
    assert count and f"{105 * count} plays, 50.0% more than the week before" in page
    assert folder.name in page and f'value="folder:{folder.pk}" selected' in page
    assert read_rows(page)[-1] == [len(ids), 105 * count, 70 * count, 35 * count]


def test_what_features_add_is_about_the_videos_of_the_report(
    audience: Audience, seen: Seen, videos: list[Video], monkeypatch: pytest.MonkeyPatch
) -> None:
    spans: list[registry.Span] = []

    def note(span: registry.Span) -> list[registry.Done]:
        spans.append(span)
        return [registry.Done("Noted.")]

    monkeypatch.setattr(registry, "SOURCES", {"tests": note})
    folder = videos[0].folder
    assert folder is not None and "Noted." in seen(f"?about=folder:{folder.pk}")
    assert spans[-1].videos == {str(video.pk) for video in videos if is_below(video, folder.pk)}
    assert "Noted." in seen() and spans[-1].videos is None
    assert len(spans) == 2, "listed once for a page"


def is_below(video: Video, folder_id: Any) -> bool:
    folder = video.folder
    while folder is not None:
        if folder.pk == folder_id:
            return True
        folder = folder.parent
    return False


def test_search_counts_the_videos_that_match(audience: Audience, seen: Seen, videos: list[Video]) -> None:
    query = f'"{videos[0].title}"'
    page = one_line(seen(f"?about=search:{quote(query)}"))
    assert "105 plays, 50.0% more than the week before (70 plays)." in page
    assert videos[0].title in page and "ended A/B tests" in page


def test_saved_view_is_offered_and_names_its_report(audience: Audience, owner: Client, seen: Seen) -> None:
    owner.post("/dashboard/videos/views/", {"q": "has:quiz", "name": "With a quiz"})
    page = one_line(seen("?about=search:has:quiz"))
    assert "<h1>With a quiz</h1>" in page and '<option value="search:has:quiz" selected>With a quiz</option>' in page


def test_search_with_a_mistake_says_so_instead_of_counting_nothing(audience: Audience, seen: Seen) -> None:
    page = seen("?about=search:nonsense:yes")
    assert "stat__value" not in page and "is-error" in page


@pytest.mark.parametrize("complete", [True, False])
def test_search_of_which_not_all_is_known_says_so(
    audience: Audience, seen: Seen, videos: list[Video], monkeypatch: pytest.MonkeyPatch, complete: bool
) -> None:
    selection = Selection((str(videos[0].pk),), complete=complete)
    monkeypatch.setattr("dashboard.reports.queries.load_selection", lambda *_args: selection)
    page = one_line(seen("?about=search:plays<6"))
    assert ("Not all that the search asks for is known of every video yet." in page) is not complete
    assert "105 plays" in page


def test_search_that_came_too_late_is_loaded_again_instead_of_being_a_report(
    audience: Audience, seen: Seen, late: Callable[..., None]
) -> None:
    late("videos.list")
    assert "Still loading" in seen("?about=search:plays<6")


@pytest.mark.parametrize("about", ["folder:00000000-0000-0000-0000-000000000000", "folder:..", "folder:x"])
def test_folder_that_is_not_the_account_s_is_not_found(audience: Audience, seen: Seen, about: str) -> None:
    seen(f"?about={about}", status=404)


@pytest.mark.parametrize("about", ["", "nothing:at-all", "folder:", "search:", "%00"])
def test_anything_else_is_the_whole_account(audience: Audience, seen: Seen, about: str) -> None:
    assert "420 plays, 50.0% more than the week before (280 plays)." in one_line(seen(f"?about={about}"))


def test_file_has_every_part_in_raw_numbers(audience: Audience, owner: Client, videos: list[Video]) -> None:
    heads, *rows, total = read_file(owner, f"?about=search:{quote(videos[0].title)}")
    assert heads[:5] == ["Video", "Videos", "Plays", "Plays before", "Change"]
    assert total[2:5] == ["105", "70", "35"] and total[5:] == ["", ""]
    assert sum(int(row[2]) for row in rows) == 105


def test_traffic_is_not_known_before_the_worker_has_read_it(audience: Audience, seen: Seen) -> None:
    assert "Traffic is not known yet for all of these days." in seen()


def test_report_says_why_there_is_none_when_the_platform_fails(owner: Client, faults: ModuleType, seen: Seen) -> None:
    faults.set("analytics.ranking", status=500)
    page = seen(status=502)
    assert "Try again" in page and 'name="about"' in page
    answer = owner.get(f"{REPORT}report.csv")
    assert answer.status_code == 302 and answer["Location"].startswith(REPORT)


def test_late_report_is_fetched_by_the_page_and_by_a_link(owner: Client, seen: Seen, late: Callable[..., None]) -> None:
    late("*")
    page = seen()
    assert "Still loading" in page and 'hx-trigger="load"' in page and "wait=1" in page
    forget()
    part = seen("?wait=1", **{"HX-Request": "true"})
    assert part.lstrip().startswith('<article class="report"')


def test_signed_out_the_report_asks_to_sign_in(client: Client) -> None:
    answer = client.get(f"{REPORT}?week=2026-11-09")
    assert answer.status_code == 302 and "/sign-in/" in answer["Location"] and "week" in answer["Location"]


def test_report_links_from_analytics_folders_and_saved_views(audience: Audience, owner: Client, cast: Any) -> None:
    assert f'href="{REPORT}"' in owner.get("/dashboard/analytics/").content.decode()
    folder = cast["folders"]["root"]
    assert f"about=folder%3A{folder}" in owner.get(f"/dashboard/folders/?folder={folder}").content.decode()


def test_only_days_of_the_two_weeks_are_counted(audience: Audience, seen: Seen) -> None:
    audience.plays[date(2026, 11, 1)] = audience.plays[date(2026, 11, 16)] = {"someone": 9_000}
    assert "420 plays, 50.0% more than the week before (280 plays)." in one_line(seen())


def test_every_number_of_the_account_leads_to_why_it_moved(
    audience: Audience, seen: Seen, owner: Client, videos: list[Video]
) -> None:
    for day in WEEK:
        audience.plays[day][str(videos[0].pk)] = 200
    page = one_line(seen())
    stats = page.split('aria-label="Numbers of the week"')[1].split("</section>")[0]
    links = {
        stat.split('stat__label">')[1].split("<")[0]: stat.split('change__why" href="')[1]
        .split('"')[0]
        .replace("&amp;", "&")
        for stat in stats.split('<div class="stat">')[1:]
        if ">up <" in stat or ">down <" in stat
    }
    assert (
        set(links) >= {"Plays", "Views"} and "metric=plays" in links["Plays"] and "metric=plays" not in links["Views"]
    )
    for link in links.values():
        split = one_line(owner.get(link).content.decode())
        assert "What added and what took away" in split
    rows = page[page.index('id="report-parts"') :].split("<tbody>")[1].split("</table>")[0].split("<tr>")[1:]
    moved = [row for row in rows if ">up <" in row or ">down <" in row]
    assert moved and all("change__why" in row for row in moved if "Other (" not in row)


def test_play_rate_of_the_account_leads_to_the_parts_of_the_same_rates(
    audience: Audience, seen: Seen, owner: Client, answers: Answers
) -> None:
    def answer(operation: str, query: dict[str, Any]) -> Any:
        is_now = query["start_date"] >= str(WEEK[0])
        if operation == "analytics.browser" and "granularity" not in query:
            return {"data": [{"browser": "Chrome", "view": 4000 if is_now else 1000, "play": 500}]}
        if operation == "analytics.browser":
            days = {str(day): {"view": 4000 if day in WEEK else 1000, "play": 500} for day in (*BEFORE, *WEEK)}
            return {
                "views_data": {day: row for day, row in days.items() if query["start_date"] <= day <= query["end_date"]}
            }
        return audience.answer(operation, query)  # the rankings name four of its videos

    answers(answer)
    stat = one_line(seen()).split("Play rate<")[1].split('<div class="stat">')[0]
    assert "12.5%" in stat and "37.5 points" in stat
    link = stat.split('change__why" href="')[1].split('"')[0].replace("&amp;", "&")
    page = one_line(owner.get(link).content.decode())
    assert ">12.5%<" in page and ">50.0%<" in page
