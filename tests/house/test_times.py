"""Dates and times are written in one place: `dashboard/shared/formats.py`."""

import re

from tests.house.sources import OWN_PACKAGES, ROOT, assert_none, read_text

FORMATS = re.compile(r"format_time\(|format_datetime\(|format_date\(|date_format\(|\|date:|\|time:|:%H:%M\}")
HELPER = "dashboard/shared/formats.py"
FOR_PROGRAMS = ("dashboard/sandbox/", "/models.py", "/migrations/")
EXCUSED = {"review_portal/pages.py": "the second time of a moment is in UTC, whatever the zone of the page"}


def test_only_the_helper_formats_dates_and_times_for_people() -> None:
    paths = [path for package in OWN_PACKAGES for path in (ROOT / package).rglob("*.py")]
    paths += (ROOT / "templates").rglob("*.html")
    offenders = []
    for path in paths:
        name = str(path.relative_to(ROOT))
        if name != HELPER and name not in EXCUSED and not any(part in name for part in FOR_PROGRAMS):
            offenders += [f"{name}: {found}" for found in FORMATS.findall(read_text(path))]
    assert_none(offenders)
