"""What the room may weigh and ask for at its fullest: those bounds of `tests/bench` that no machine can change."""

import pytest
from django.test import Client

from tests.bench import bench_review

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_a_room_of_930_comments_stays_light_and_asks_nothing_upstream() -> None:
    figures = bench_review.sizes(Client(headers={"Accept-Encoding": "gzip"}), bench_review.fill())
    assert len(figures) == 12
    assert [f"{one.name}: {one.value} of {one.most}" for one in figures if not one.holds] == []
