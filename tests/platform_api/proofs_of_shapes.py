"""Proofs of the assumptions about shapes: of lists, of what a record lists, of AI content, of figures."""

from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dashboard.platform_api import errors, vocabulary
from dashboard.platform_api.assumptions import ALL
from dashboard.shared import metrics
from tests.platform_api.conftest import Answering, Recorder
from tests.platform_api.operations import LIVE, VIDEO
from tests.platform_api.proving import ask, proves


@proves("AI_RESOURCES")
def _(answering: Answering, recorder: Recorder) -> None:
    for resources in (
        [{"type": "quiz", "lang": "en"}],
        {"quiz": ["en"]},
        {"en": ["quiz"]},
        [{"lang": "en", "quiz": True}],
    ):
        video = ask(answering, "videos.get", {"id": "1", "config": {"ai": {"resources": resources}}})
        assert [(one.kind, one.lang) for one in video.ai_resources] == [("quiz", "en")]
    for partly, told in ((["pt-BR"], [("", "pt-BR")]), (["quiz"], [("quiz", "")]), ([], [])):
        video = ask(answering, "videos.get", {"id": "1", "config": {"ai": {"resources": partly}}})
        assert video.are_ai_resources_told
        assert [(one.kind, one.lang) for one in video.ai_resources] == told
    assert not ask(answering, "videos.get", {"id": "1", "config": {}}).are_ai_resources_told


@proves("LIST_SHAPES")
def _(answering: Answering, recorder: Recorder) -> None:
    one = {"id": LIVE, "title": "x"}
    lists: tuple[Any, ...] = (
        [one],
        {"lives": [one]},
        {"data": {"lives": [one]}},
        {LIVE: {"title": "x"}},
        {LIVE: "x"},
        [{"live": one}],
    )
    for value in (*lists, {"edges": [{"node": one}]}, [{"id": LIVE, "attributes": {"title": "x"}}]):
        assert [(live.id, live.title) for live in ask(answering, "lives.list", value)] == [(LIVE, "x")]
    assert [live.id for live in ask(answering, "lives.list", [LIVE])] == [LIVE]
    unread: tuple[Any, ...] = (["x"], {"message": "ok"}, [{"title": "x"}])
    for value in unread:
        with pytest.raises(errors.PlatformDown):
            ask(answering, "lives.list", value)


@proves("LISTED_VIDEOS")
def _(answering: Answering, recorder: Recorder) -> None:
    link = "99999999-9999-4999-8999-999999999999"
    listed: tuple[Any, ...] = (
        [VIDEO],
        [{"id": VIDEO}],
        [{"id": link, "video_id": VIDEO}],
        [{"id": link, "video": {"id": VIDEO}}],
    )
    for videos in (*listed, [{"id": link, "video": VIDEO}], {VIDEO: {"title": "x"}}):
        for operation in ("playlists.get", "funnels.get", "comparisons.get"):
            record = ask(answering, operation, {"id": LIVE, "videos": videos})
            assert record.are_videos_told
            assert [getattr(one, "id", "") or one.video_id for one in record.videos] == [VIDEO]
    untold: tuple[Any, ...] = (["x"], 7, [{"id": link, "video": {"title": "x"}}], None)
    for videos in untold:
        assert not ask(answering, "playlists.get", {"id": LIVE, "videos": videos}).are_videos_told


@proves("ANALYTICS_SHAPES")
def _(answering: Answering, recorder: Recorder) -> None:
    for operation in ALL["ANALYTICS_SHAPES"].operations:
        for value in ([{"name": "x", "n": 1}], {"data": [{"name": "x", "n": 1}]}, {"x": {"n": 1}}):
            assert ask(answering, operation, value).table.rows[0].label == "x"
        apart: tuple[Any, ...] = (
            {"labels": ["x"], "values": [1]},
            {"columns": ["name", "n"], "rows": [["x", 1]]},
            [["x", 1]],
        )
        for value in apart:
            assert [row.label for row in ask(answering, operation, value).table.rows] == ["x"]
        odd = ask(answering, operation, {"status": "soon"})
        assert (odd.raw, odd.table) == ({"status": "soon"}, None)


@proves("UTC_DAYS")
def _(answering: Answering, recorder: Recorder) -> None:
    sao_paulo = ZoneInfo("America/Sao_Paulo")
    for operation in ALL["UTC_DAYS"].operations:
        value = {"data": [{"t": "2026-01-05", "n": 1}, {"t": "2026-01-05T01:00:00", "n": 2}]}
        day, hour = ask(answering, operation, value).table.rows
        assert not {"timezone", "tz", "zone", "offset"} & set(recorder.requests[-1].url.params)
        assert metrics.sum_over_time([day], "n", sao_paulo, vocabulary.Granularity.DAY) == {(date(2026, 1, 5), None): 1}
        assert metrics.sum_over_time([hour], "n", sao_paulo, vocabulary.Granularity.HOUR) == {(date(2026, 1, 4), 22): 2}


@proves("GENERAL_SHAPE")
def _(answering: Answering, recorder: Recorder) -> None:
    buckets = ask(
        answering, "analytics.general", {"views_data": {"2026-01-01": {"play": 1}, "2026-01-02": {"play": 2}}}
    )
    assert sum(row.metrics["play"] for row in buckets.table.rows) == 3
    assert ask(answering, "analytics.general", {"plays": 3}).table.rows[0].metrics == {"plays": 3}


@proves("RETENTION_SHAPE")
def _(answering: Answering, recorder: Recorder) -> None:
    for value in ({"retention": {"0": 100}}, {"retention": [100]}, {"points": [{"retention": 100}]}):
        (row,) = ask(answering, "analytics.retention", value).table.rows
        assert (row.label, row.metrics) == ("0", {"retention": 100})


@proves("TRAFFIC_SHAPE")
def _(answering: Answering, recorder: Recorder) -> None:
    value = {"data": [{"t": "2026-01-05", "b": 5}], "total_consumed": 5, "average_daily_consumption": 5}
    table = ask(answering, "analytics.traffic", value).table
    assert (table.rows[0].at, table.rows[0].metrics, set(table.totals)) == (
        "2026-01-05",
        {"b": 5},
        {"total_consumed", "average_daily_consumption"},
    )
