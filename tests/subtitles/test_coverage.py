"""The table as a file: the same videos, languages and states as on the page."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox.models import Video
from dashboard.subtitles.models import cell_id
from tests.pages import read_file, rows_of_file
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


def test_signed_out_people_sign_in_first(db: None) -> None:
    assert Client().get(f"{PLANNER}coverage.csv")["Location"].startswith("/sign-in/?next=")


def test_identifier_of_a_cell_is_one_word_whatever_the_platform_calls_the_language() -> None:
    assert cell_id("0123456789", "Brazilian Portuguese").split() == [cell_id("0123456789", "Brazilian.Portuguese")]
