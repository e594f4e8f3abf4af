"""The overview: figures that agree with their charts, tables and files; panels that fail or are late in their place."""

import gzip
import io
import re
import zipfile
from collections.abc import Callable
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from dashboard.activity.models import Entry, Outcome
from dashboard.platform_api.errors import PlatformDown
from tests.analytics.conftest import Answers
from tests.conftest import AtPlatform, signed_in
from tests.forgetting import forget, make_old
from tests.pages import one_line, read_file

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

Seen = Callable[..., str]


def first_number(text: str, pattern: str) -> int:
    found = re.search(pattern, text, re.S)
    assert found, pattern
    return int(found.group(1).replace(",", ""))


def test_the_card_the_sentence_the_bars_and_the_file_say_one_number(seen: Seen, owner: Client) -> None:
    text = seen("?start=2026-11-01&end=2026-11-14&zone=UTC")
    total = first_number(one_line(text), r'stat__link" href="[^"]+">Views</a><span class="stat__value">([\d,]+)<')
    assert total == first_number(text, r'figure__finding">([\d,]+) views in this period')
    query = "start=2026-11-01&end=2026-11-14&zone=UTC"
    lines = read_file(owner, f"/dashboard/analytics/events.csv?{query}")
    assert total == sum(int(row["Views"]) for row in lines) > 0
    assert len(lines) == 14 and lines[0]["Day"] == "2026-11-01"
    assert total == sum(int(row["Views"]) for row in read_file(owner, f"/dashboard/analytics/browsers.csv?{query}"))
    past = first_number(text, r"\(([\d,]+) views\)")
    assert past == sum(int(row["Views, compared"]) for row in lines)


def test_hours_of_the_same_days_add_up_to_the_days(owner: Client) -> None:
    query = "start=2026-11-10&end=2026-11-11&zone=UTC&compare=none"
    hours = read_file(owner, f"/dashboard/analytics/events.csv?{query}&granularity=hour")
    days = read_file(owner, f"/dashboard/analytics/events.csv?{query}&granularity=day")
    assert len(hours) == 48 and hours[13]["Hour"] == "2026-11-10T13:00"
    assert sum(int(row["Views"]) for row in hours) == sum(int(row["Views"]) for row in days)


def test_hours_are_those_of_the_readers_zone(owner: Client) -> None:
    utc = read_file(owner, "/dashboard/analytics/events.csv?start=2026-11-10&end=2026-11-11&granularity=hour&zone=UTC")
    query = "start=2026-11-10&end=2026-11-10&granularity=hour&zone=America/Sao_Paulo"
    local = read_file(owner, f"/dashboard/analytics/events.csv?{query}")
    assert [row["Views"] for row in local] == [row["Views"] for row in utc][3:27]


def test_today_is_shown_as_incomplete_and_left_out_of_totals(seen: Seen, owner: Client, at_noon: object) -> None:
    text = seen("?range=7d&zone=UTC")
    assert "Fri, Nov 20, incomplete" in text and "line line--today" in text
    assert "Nov 14 – 20, 2026".replace(" ", " ") in text.replace("\u2009", " ")
    rows = read_file(owner, "/dashboard/analytics/events.csv?range=7d&zone=UTC")
    total = first_number(text, r'figure__finding">([\d,]+) views')
    assert total == sum(int(row["Views"]) for row in rows[:-1])


def test_the_state_of_a_page_is_in_its_links_and_the_zone_is_written_out(seen: Seen) -> None:
    text = seen("?start=2026-11-01&end=2026-11-14&compare=last-year&metric=plays&zone=America/Sao_Paulo")
    assert "whole days, America/Sao_Paulo" in text
    assert "The platform is taken to begin its days at midnight UTC." in text
    for word in ("start=2026-11-01", "end=2026-11-14", "compare=last-year", "metric=plays", "zone=America%2FSao_Paulo"):
        assert text.count(word) > 8, word
    assert "against Nov 2" in text and "2025" in text


@pytest.mark.parametrize(
    ("query", "sentence", "control"),
    [
        ("start=2026-11-14&end=2026-11-01", "Put the earlier day first", "end"),
        ("start=2026-11-01&end=2126-11-14", "the future has no numbers", "end"),
        ("start=1626-11-01&end=2026-11-14", "there are no older numbers", "start"),
        ("start=2019-11-01&end=2026-11-14", "Choose at most 1100 days", "start"),
        ("start=soon", "“soon” is no date", "start"),
        ("zone=Mars/Base", "No time zone is called “Mars/Base”", "start"),
        ("start=2025-01-01&end=2026-06-01&granularity=hour", "choose at most 400 days to group by hour", "granularity"),
        ("compare=chosen&against=2026-10-10", "both periods would have days in common", "against"),
    ],
)
def test_days_that_are_no_range_are_said_at_their_field_and_nothing_is_read(
    seen: Seen, faults: ModuleType, at_noon: object, query: str, sentence: str, control: str
) -> None:
    faults.set("*", status=500)
    text = seen(f"?{query}", status=400)
    assert text.count(sentence) == 2, "in the summary and at the field"
    assert f'href="#{control}"' in text
    assert seen(f"events.csv?{query}", status=400).strip().startswith(sentence[:10]) or sentence in seen(
        f"events.csv?{query}", status=400
    )


@pytest.mark.parametrize(
    "path", ["?video=x", "?video=" + "a" * 36, "browsers/?video=1;drop", "events.pdf", "nothing.csv"]
)
def test_what_can_be_no_video_or_file_is_not_found(seen: Seen, path: str) -> None:
    seen(path, status=404)


@pytest.mark.parametrize(
    "path", ["", "browsers/", "cities/", "referrers/", "ranking/", "traffic/", "retention/", "all.zip", "events.csv"]
)
def test_nobody_sees_a_page_without_signing_in(client: Client, path: str) -> None:
    answer = client.get(f"/dashboard/analytics/{path}")
    assert answer.status_code == 302 and "/sign-in/" in answer["Location"]


def test_accounts_have_numbers_and_caches_of_their_own(owner: Client, cast: dict[str, Any]) -> None:
    address = "/dashboard/analytics/events.csv?start=2026-11-01&end=2026-11-14&zone=UTC&compare=none"
    ours = read_file(owner, address)
    other = signed_in(Client(), cast["tokens"]["sub_account"])
    assert read_file(other, address) != ours


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 500}, "The platform has trouble of its own."),
        ({"status": 403}, "This account may not do that."),
        ({"status": 404}, "It was not found on the platform"),
        ({"status": 429}, "Too many requests."),
        ({"broken": "refused"}, "The platform cannot be reached right now."),
    ],
)
def test_a_panel_that_fails_says_so_in_its_place_and_the_others_stand(
    seen: Seen, faults: ModuleType, fault: dict[str, Any], sentence: str
) -> None:
    faults.set("analytics.city", **fault)
    text = seen("?zone=UTC")
    panel = text[text.index('id="panel-cities"') :]
    assert sentence in panel
    assert "panel=cities" in panel and "Try again" in panel
    assert 'class="line"' in text and "Chrome" in text


def test_a_token_that_no_longer_works_leads_to_sign_in(owner: Client, faults: ModuleType) -> None:
    faults.set("analytics.city", status=401)
    answer = owner.get("/dashboard/analytics/")
    assert answer.status_code == 302 and "/sign-in/" in answer["Location"]


def test_a_panel_keeps_its_last_good_data_with_its_age(seen: Seen, faults: ModuleType) -> None:
    seen("?zone=UTC")
    faults.set("analytics.browser", status=500)
    make_old(13 * 3600)
    text = seen("?zone=UTC")
    assert "The platform has trouble of its own." in text
    assert "These are the last numbers received," in text
    assert 'class="line"' in text


def test_a_panel_can_be_tried_alone(seen: Seen, faults: ModuleType) -> None:
    faults.set("analytics.city", status=500)
    seen("?zone=UTC")
    faults.clear()
    part = seen("?zone=UTC&panel=cities", **{"HX-Request": "true"})
    assert part.lstrip().startswith('<section class="panel" id="panel-cities"')
    assert "São Paulo" in part and "<html" not in part
    seen("?zone=UTC&panel=secrets", status=404, **{"HX-Request": "true"})


def test_a_late_panel_is_a_placeholder_that_fetches_itself_and_a_link_without_script(
    seen: Seen, late: Callable[..., None]
) -> None:
    late("analytics.city")
    text = seen("?zone=UTC")
    panel = text[text.index('id="panel-cities"') :]
    assert 'hx-trigger="load"' in panel and "panel=cities" in panel
    assert "The platform is still answering this question." in panel and "Look again" in panel
    assert "São Paulo" in seen("?zone=UTC&panel=cities", **{"HX-Request": "true"})


def test_an_answer_that_is_late_shows_the_last_good_one(seen: Seen, late: Callable[..., None]) -> None:
    seen("?zone=UTC")
    late("analytics.city")
    assert "São Paulo" in seen("?zone=UTC")


def test_a_comparison_that_cannot_be_read_takes_nothing_else_away(seen: Seen, answers: Answers) -> None:

    def answer(operation: str, query: dict[str, Any]) -> Any:
        if query["start_date"] < "2026-11-01":
            raise PlatformDown(operation, 500, "")
        return {"data": [{"browser": "Chrome", "date": "2026-11-02", "view": 7}]}

    answers(answer)
    text = seen("browsers/?start=2026-11-01&end=2026-11-07&zone=UTC")
    assert "7 views in 1 of 7 days; the other days have no data." in text
    assert "The period it is compared with could not be read." in text


SHAPES: list[Any] = [
    {
        "data": [
            {"browser": "Chrome", "date": "2026-11-02", "view": 4},
            {"browser": "Safari", "date": "2026-11-03", "view": 3},
        ]
    },
    [{"name": "Chrome", "day": "2026-11-02", "views": "4"}, {"name": "Safari", "day": "2026-11-03", "views": 3}],
    {"2026-11-02": {"Chrome": {"view": 4}}, "2026-11-03": {"Safari": {"view": 3}}},
    {"Chrome": {"2026-11-02": {"view": 4}}, "Safari": {"2026-11-03": {"view": 3}}},
    {
        "items": [
            {"label": "Chrome", "t": "2026-11-02T00:00:00Z", "view": 4},
            {"label": "Safari", "t": "2026-11-03T00:00:00Z", "view": 3},
        ]
    },
]


@pytest.mark.parametrize("shape", SHAPES, ids=range(len(SHAPES)))
def test_any_known_shape_gives_the_same_chart(seen: Seen, answers: Answers, shape: Any) -> None:
    answers(shape)
    text = seen("browsers/?start=2026-11-02&end=2026-11-03&zone=UTC&compare=none&granularity=day")
    assert "7 views in this period." in text
    assert "Chrome" in text and "57.1%" in text


@pytest.mark.parametrize(
    "shape", ["oops", 17, None, True, {"deep": {"er": {"message": "no numbers"}}}, [["a", "b"]], {"data": "x"}]
)
def test_what_is_not_understood_is_shown_as_it_came_and_never_as_an_empty_page(
    seen: Seen, answers: Answers, shape: Any
) -> None:
    answers(shape)
    text = seen("browsers/?start=2026-11-01&end=2026-11-07&zone=UTC")
    assert "The answer as it came" in text


def test_a_table_without_the_figure_is_shown_as_a_table_with_its_json(seen: Seen, answers: Answers) -> None:
    answers({"data": [{"browser": "Chrome", "share_of_devices": 0.5, "view_rate": 2}]})
    text = seen("browsers/?start=2026-11-01&end=2026-11-07&zone=UTC")
    assert "answer doesn&#x27;t contain this figure" in text
    assert "share_of_devices" in text and "<td>Chrome</td>" in text


def test_a_figure_of_the_platforms_own_keeps_its_name_and_says_that_nobody_knows_it(
    seen: Seen, answers: Answers
) -> None:
    answers({"data": [{"browser": "Chrome", "date": "2026-11-02", "zaps%": 4}]})
    text = seen("browsers/?start=2026-11-01&end=2026-11-07&zone=UTC&compare=none")
    assert "The platform calls this “zaps%” and does not say what it counts." in text


def test_nothing_counted_is_a_chart_of_zeros(seen: Seen, answers: Answers) -> None:
    answers({"data": [{"browser": "Chrome", "date": f"2026-11-0{day}", "view": 0} for day in range(1, 8)]})
    text = seen("?start=2026-11-01&end=2026-11-07&zone=UTC&compare=none")
    assert "0 views in this period" in text
    assert "Nothing was counted in these days." in text


def test_what_a_figure_counts_is_said_on_its_chart(seen: Seen) -> None:
    assert "A view is a page that loaded the player. It is not a play" in seen("?zone=UTC")
    assert "A person who returns on another day is counted again." in seen("?zone=UTC&metric=viewers")


def test_marks_of_what_was_done_stand_on_the_line(
    seen: Seen, owner: Client, cast: dict[str, Any], at_noon: Any
) -> None:
    account_id = owner.session["account"]
    entry = Entry.objects.create(
        account_id=account_id, actor="Ana", operation="comparisons.start", outcome=Outcome.DONE
    )
    Entry.objects.filter(pk=entry.pk).update(at=at_noon.replace(day=6))
    text = seen("?range=28d&zone=UTC")
    assert "Nov 6, A/B test started" in text and "mark-line" in text


def test_closed_days_are_read_once_and_then_not_again(seen: Seen, at_platform: AtPlatform) -> None:
    calls: list[object] = []
    at_platform.arrives("*", calls.append)
    seen("?start=2026-11-01&end=2026-11-14&zone=UTC")
    assert 0 < len(calls) <= 8
    calls.clear()
    seen("?start=2026-11-01&end=2026-11-14&zone=UTC")
    assert calls == []


def test_the_overview_costs_at_most_15_kb_compressed(owner: Client) -> None:
    answer = owner.get("/dashboard/analytics/?zone=UTC")
    assert len(gzip.compress(answer.content, 9)) <= 15_000


@pytest.mark.parametrize("language", ["pt-br", "es"])
def test_it_is_written_in_the_readers_language(owner: Client, language: str) -> None:
    owner.cookies["language"] = language
    with translation.override(language):
        text = owner.get("/dashboard/analytics/?zone=UTC").content.decode()
    assert f'lang="{language}"' in text
    assert "Views per day" not in text and "whole days" not in text


@pytest.mark.parametrize("name", ["events", "browsers", "referrers", "cities", "ranking"])
def test_every_picture_is_a_drawing_with_words_of_its_own(owner: Client, name: str) -> None:
    answer = owner.get(f"/dashboard/analytics/{name}.svg?start=2026-11-01&end=2026-11-14&zone=UTC")
    assert answer["Content-Type"] == "image/svg+xml"
    drawing = ElementTree.fromstring(answer.content)
    texts = " ".join(element.text or "" for element in drawing.iter("{http://www.w3.org/2000/svg}text"))
    assert "2026" in texts and "UTC" in texts


def test_files_are_named_by_content_range_comparison_and_zone(owner: Client) -> None:
    answer = owner.get("/dashboard/analytics/referrers.csv?start=2026-08-01&end=2026-08-31&zone=America/Sao_Paulo")
    name = "referrers-views_2026-08-01_2026-08-31_vs_2026-07-01_2026-07-31_America-Sao_Paulo.csv"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize(
    ("panel", "videos", "name"),
    [
        ("traffic", 1, "traffic-{video}_2026-11-01_2026-11-07_vs_2026-10-25_2026-10-31_UTC.csv"),
        ("shares", 2, "shares-2-videos_2026-11-01_2026-11-07_vs_2026-10-25_2026-10-31_UTC.csv"),
        ("retention", 2, "retention-2-videos_2026-11-01_2026-11-07_UTC.csv"),
        ("ranking", 0, "ranking_2026-11-01_2026-11-07_vs_2026-10-25_2026-10-31_UTC.csv"),
    ],
)
def test_a_file_is_named_by_nothing_that_it_does_not_show(
    owner: Client, cast: dict[str, Any], panel: str, videos: int, name: str
) -> None:
    chosen = [cast["videos"]["with_ai_content"], cast["videos"]["with_subtitles"]][:videos]
    query = "&".join(["start=2026-11-01&end=2026-11-07&zone=UTC&metric=plays", *(f"video={one}" for one in chosen)])
    answer = owner.get(f"/dashboard/analytics/{panel}.csv?{query}")
    assert f'filename="{name.format(video=chosen[0] if chosen else "")}"' in answer["Content-Disposition"]


def test_the_outline_of_the_land_is_small_and_its_source_is_named(seen: Seen) -> None:
    outline = (settings.BASE_DIR / "static/img/world.svg").read_bytes()
    assert len(gzip.compress(outline, 9)) <= 6_000
    assert b"Natural Earth" in outline and b"public domain" in outline and b"make_outline" in outline
    assert "Land: Natural Earth." in seen("cities/?zone=UTC")


def test_all_panels_come_in_one_archive_and_what_is_missing_is_named(owner: Client, faults: ModuleType) -> None:

    faults.set("analytics.city", status=500)
    answer = owner.get("/dashboard/analytics/all.zip?start=2026-11-01&end=2026-11-14&zone=UTC")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
        missing = archive.read("missing.txt").decode()
    assert sum(name.endswith(".csv") for name in names) == sum(name.endswith(".svg") for name in names) == 4
    assert "Places" in missing


def test_a_file_that_cannot_be_made_says_why(seen: Seen, faults: ModuleType) -> None:
    faults.set("analytics.city", status=500)
    assert "trouble of its own" in seen("cities.csv?zone=UTC", status=502)
    forget()
