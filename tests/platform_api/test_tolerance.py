"""Any JSON in place of any answer gives a result or an error of the tree, and never anything else."""

import json
import math
from contextlib import suppress
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboard.platform_api import Platform, errors, open_http
from dashboard.platform_api.analytics import Analytics
from tests.platform_api.operations import (
    COMMENT,
    CONFIG,
    FIELD,
    FUNNEL,
    LINK,
    LIVE,
    OPERATIONS,
    PLAYLIST,
    TEST,
    TOKEN,
    VIDEO,
)

_KEYS = (
    "id video_id organization_id title name status type videos comparisons folders subtitles jobs workflows data items "
    "results config ai resources langs lang srclang front_coordinates x y is_first chat created_at expires_at length "
    "videos_count time reply_to metadata winner pullzone video_player url message errMsg error views_data retention "
    "points t b date hour city latitude longitude 2026-01-01 0 plays"
)
KEYS = _KEYS.split()
TEXTS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        [
            "2026-01-01",
            "2026-01-01T00:00:00Z",
            "9999-12-31",
            "1e999",
            "12",
            "-0",
            "true",
            "http://[",
            "https://a",
            "\x00",
        ]
    ),
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(min_value=10**20), st.floats(), TEXTS, st.just(10**400)
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(st.sampled_from(KEYS), TEXTS), inner, max_size=6)
    ),
    max_leaves=25,
)
STATUSES = st.one_of(st.just(200), st.integers(min_value=200, max_value=599))


def call(operation: str, response: httpx.Response) -> None:
    """Raises whatever is not an error of the tree."""
    http = open_http(CONFIG, httpx.MockTransport(lambda request: response))
    with suppress(errors.CallError):
        OPERATIONS[operation].call(Platform(CONFIG, http, TOKEN, sleep=lambda seconds: None))


@pytest.mark.parametrize("operation", OPERATIONS)
@settings(
    max_examples=20 if settings().derandomize else 400, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(value=ANYTHING, status=STATUSES)
def test_any_json_gives_a_result_or_a_platform_error(operation: str, value: Any, status: int) -> None:
    call(operation, httpx.Response(status, content=json.dumps(value)))


@pytest.mark.parametrize("operation", OPERATIONS)
@settings(max_examples=10 if settings().derandomize else 400, deadline=None)
@given(content=st.binary(max_size=40), status=STATUSES, retry_after=st.text(st.characters(codec="ascii"), max_size=6))
def test_any_bytes_give_a_result_or_a_platform_error(
    operation: str, content: bytes, status: int, retry_after: str
) -> None:
    call(operation, httpx.Response(status, content=content, headers={"Retry-After": retry_after}))


ASKED = {
    "videos.get": VIDEO,
    "comparisons.get": TEST,
    "comparisons.start": TEST,
    "lives.get": LIVE,
    "funnels.get": FUNNEL,
    "playlists.get": PLAYLIST,
    "public_review.read_link": LINK,
    "public_review.update_comment": COMMENT,
    "custom_fields.update": FIELD,
}


@pytest.mark.parametrize("operation", ASKED)
def test_what_was_asked_for_by_its_id_has_that_id_whatever_the_answer_says(operation: str) -> None:
    """Its pages, and what is deleted on them, are those of the thing that a person opened."""
    answer = httpx.Response(200, json={"id": "0", "video_id": VIDEO, "key": "color", "value": "blue", "name": "Cut"})
    http = open_http(CONFIG, httpx.MockTransport(lambda request: answer))
    found: Any = OPERATIONS[operation].call(Platform(CONFIG, http, TOKEN, sleep=lambda seconds: None))
    assert found.id == ASKED[operation]


@settings(max_examples=100 if settings().derandomize else 3000, deadline=None)
@given(value=ANYTHING)
def test_any_json_is_kept_whole_and_read_as_numbers_or_not_at_all(value: Any) -> None:
    found = Analytics.from_json(value)
    assert found.raw is value
    for row in found.table.rows if found.table else ():
        assert isinstance(row.label, str)
        assert row.at is None or isinstance(row.at, str)
        assert all(math.isfinite(number) for number in row.metrics.values())
