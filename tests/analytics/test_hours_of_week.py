"""Long ranges by hour: the hours of a week on the page, each hour in the file, light enough for four hundred days."""

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.platform_api.platform import read_again
from dashboard.upstream import reads
from dashboard.upstream.models import KnownAnswer
from tests.analytics.test_analytics import Seen

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
MONTH = "start=2026-10-05&end=2026-11-01&zone=UTC&granularity=hour"
YEAR = "start=2025-10-17&end=2026-11-20&zone=UTC&granularity=hour"


def test_month_by_hour_shows_the_averages_of_each_hour_of_the_week(seen: Seen, owner: Client) -> None:
    text = seen(f"browsers/?{MONTH}")
    body = re.search(r'class="table week".*?<tbody>(.*?)</tbody>', text, re.DOTALL)
    assert body is not None
    rows = body[1].split("<tr>")[1:]
    assert len(rows) == 24
    lines = list(
        csv.DictReader(io.StringIO(owner.get(f"/dashboard/analytics/events.csv?{MONTH}").content.decode("utf-8-sig")))
    )
    assert len(lines) == 28 * 24
    noons = [
        float(line["Views"]) for line in lines if line["Hour"] in {f"2026-10-{day:02}T12:00" for day in (5, 12, 19, 26)}
    ]
    shown = re.findall(r"<td[^>]*>([^<]*)", rows[12])
    assert float(shown[0].replace(",", "")) == pytest.approx(sum(noons) / 4, abs=0.5)
    assert "Show by day" in text and "hours of the week" not in text


def test_week_by_hour_is_still_drawn_hour_by_hour(seen: Seen) -> None:
    text = seen("browsers/?start=2026-11-10&end=2026-11-16&zone=UTC&granularity=hour&compare=none")
    assert 'class="table week"' not in text and text.count('<th scope="row">Mon, Nov 16, ') >= 24


def test_hours_of_four_hundred_days_are_light(seen: Seen) -> None:
    seen(f"browsers/?{YEAR}")
    text = seen(f"browsers/?{YEAR}")
    assert 'class="table week"' in text
    assert len(text.encode()) <= 48 * 1024
    assert len(re.findall(r"<[a-z]", text)) <= 1_000


def test_known_hours_are_not_read_out_of_the_answers_again(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    seen(f"browsers/?{MONTH}")
    seen(f"browsers/?{MONTH}")
    assert KnownAnswer.objects.filter(condensed__isnull=False).exists()
    reads._records.clear()
    made: list[Any] = []

    def noted(*arguments: Any, **more: Any) -> Any:
        made.append(read_again(*arguments, **more))
        return made[-1]

    monkeypatch.setattr("dashboard.upstream.reads.read_again", noted)
    seen(f"browsers/?{MONTH}")
    assert [one for one in made if type(one).__name__ == "HourSums"] == []


def test_picture_of_the_hours_stands_alone(owner: Client) -> None:
    picture = owner.get(f"/dashboard/analytics/events.svg?{MONTH}").content.decode()
    assert picture.count("<rect") == 1 + 24 * 7 and ">Mon</text>" in picture
