"""The table as a file: the same videos, languages and states as on the page."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.health.probing import probe
from dashboard.sandbox.models import Video
from dashboard.subtitles.models import cell_id
from dashboard.upstream.languages import all_languages
from dashboard.upstream.reads import Reads
from dashboard.videos.tasks import read_library
from tests.answering import change_answers
from tests.pages import read_file, read_page, rows_of_file
from tests.subtitles.conftest import PLANNER

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_the_file_and_the_page_say_the_same(owner: Client, cast: dict[str, Any]) -> None:
    query = f"folder={cast['folders']['root']}&from_lang=pt-BR&to_lang=fr"
    matrix = owner.get(f"{PLANNER}?{query}").context["coverage"].matrix
    rows = read_file(owner, f"{PLANNER}coverage.csv?{query}")
    assert [row["Video"] for row in rows] == [row.title for row in matrix.rows]
    assert list(rows[0])[2:] == [column.code for column in matrix.columns]
    cherry = next(row for row in rows if row["Video"] == "From cherry to cup")
    assert (cherry["pt-BR"], cherry["en-US"], cherry["fr"], cherry["de"]) == ("Available", "Done", "Error", "")


def test_a_title_that_looks_like_a_formula_stays_text(owner: Client, cast: dict[str, Any]) -> None:
    Video.objects.filter(pk=cast["videos"]["plain"]).update(title='=HYPERLINK("x")')
    answer = owner.get(f"{PLANNER}coverage.csv?q=HYPERLINK")
    assert answer["Content-Disposition"].startswith('attachment; filename="subtitles-coverage_')
    assert [row[0] for row in rows_of_file(answer.content)[1:]] == ['\'=HYPERLINK("x")']


def test_what_could_not_be_read_is_told_in_the_file_too(owner: Client, faults: ModuleType) -> None:
    faults.set("videos.subtitles", status=500)
    assert {row["fr"] for row in read_file(owner, f"{PLANNER}coverage.csv?q=joaquim&to_lang=fr")} == {"Not checked"}


@pytest.mark.parametrize("told_by", ["its record", "its public file", "nobody"])
def test_planner_knows_the_languages_of_the_player_where_the_api_lists_no_subtitles(
    owner: Client, cast: dict[str, Any], faults: ModuleType, monkeypatch: pytest.MonkeyPatch, told_by: str
) -> None:
    faults.set("videos.subtitles", status=404)
    if told_by != "its record":
        change_answers(monkeypatch, lambda video: {key: video[key] for key in video if key != "config"}, "videos.get")
    if told_by == "nobody":
        faults.set("public_files.video", status=404)
    query = f"folder={cast['folders']['root']}&from_lang=pt-BR&to_lang=fr"
    chosen = Video.objects.get(title="From cherry to cup")
    for _ in range(3):  # what the player has is read beside the page
        rows = read_file(owner, f"{PLANNER}coverage.csv?{query}")
        page = read_page(owner, f"{PLANNER}?{query}&to_lang=it&type=TRANSLATION&tier=pro&video={chosen.pk}")
    cherry = next(row for row in rows if row["Video"] == "From cherry to cup")
    is_told = told_by != "nobody"
    assert (cherry["pt-BR"], cherry["de"]) == (("Available", "") if is_told else ("Not checked", "Not checked"))
    assert ("show which subtitles a video has" in page) is not is_told
    assert ("Source subtitles available" in page) is is_told


@pytest.mark.usefixtures("owner")
def test_gaps_of_the_library_count_what_the_player_has_where_the_api_lists_no_subtitles(faults: ModuleType) -> None:
    (account,) = Account.objects.all()
    faults.set("videos.subtitles", status=404)
    probe(account)
    while read_library.call():
        pass
    listed = all_languages(Reads(account))
    there = {video: {one.lang.lower() for one in video.subtitles.all()} for video in Video.objects.all()}
    assert listed == {str(video.pk): there[video] for video in there if str(video.pk) in listed}
    assert len(listed) == 75 and any(listed.values())


def test_signed_out_people_sign_in_first(db: None) -> None:
    assert Client().get(f"{PLANNER}coverage.csv")["Location"].startswith("/sign-in/?next=")


def test_identifier_of_a_cell_is_one_word_whatever_the_platform_calls_the_language() -> None:
    assert cell_id("0123456789", "Brazilian Portuguese").split() == [cell_id("0123456789", "Brazilian.Portuguese")]
