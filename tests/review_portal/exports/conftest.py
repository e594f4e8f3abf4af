"""A small review that holds every trap of an export at once."""

from datetime import UTC, datetime

import pytest

from review_portal.exports.notes import Note, Options, Reply
from review_portal.exports.timecode import RATES

AT = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)


@pytest.fixture
def notes() -> list[Note]:
    """In the page's order, newest first: not the order of time."""
    return [
        Note(3599, "Priya Nair", "The very last frame | is black\nTwo lines, “quotes” & <tags>", "open", AT, id="n5"),
        Note(600, "=SUM(A1)", "=cmd()", "paused", AT, id="n4"),
        Note(
            60,
            "Ana Lúcia Prado",
            "1:00-1:12 Legal needs the origin line",
            "open",
            AT,
            (
                Reply("Téo Martins", "Two seconds more, then?\nOr three.", AT),
                Reply("Ana Lúcia Prado", "@Téo Martins Three.", AT),
            ),
            id="n3",
            end=72,
        ),
        Note(60, "Jonas Weber", "Could we see the cup a beat earlier? 👩‍🌾", "resolved", AT, id="n2"),
        Note(0, "Jonas Weber", "-", "resolved", AT, id="n1"),
    ]


@pytest.fixture
def options() -> Options:
    return Options("Serra Alta, launch film", "Cut 3", RATES["25"], "01:00:00:00", 3600.5, AT)
