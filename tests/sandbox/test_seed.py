"""The demo's account: the same bytes for the same moment, complete, believable, and within the platform's own rules."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers

from dashboard.ab_tests.statistics import Arm, Mixture
from dashboard.platform_api.vocabulary import (
    COMMENT_FORBIDDEN,
    COMMENT_TEXT_MAX,
    JOB_ACTIVE,
    LANGUAGES,
    LINK_MAX_DAYS,
    LINK_NAME,
    MAIN_COMMENTS_MAX,
    REPLIES_MAX,
    USER_NAME,
    CommentStatus,
    JobStatus,
    JobType,
    LinkStatus,
    LiveStatus,
    TestStatus,
    VideoStatus,
)
from dashboard.sandbox import clock as sandbox_clock
from dashboard.sandbox import media, reports
from dashboard.sandbox.audience import Period, read_account
from dashboard.sandbox.models import (
    AiFile,
    Comparison,
    Folder,
    Funnel,
    Job,
    Live,
    Organization,
    Playlist,
    ReviewComment,
    ReviewLink,
    Subtitle,
    Video,
    live_id,
)
from dashboard.sandbox.seed import demo
from dashboard.sandbox.seed.demo import ensure_seeded, seed
from dashboard.sandbox.seed.people import known
from tests.counted_calls import count_calls

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
NOW = datetime(2026, 11, 20, 13, 5, 7, 123000, tzinfo=UTC)


def everything() -> str:
    """All the embedded platform's records as text."""
    models = apps.get_app_config("sandbox").get_models()
    rows = [row for model in models for row in model._default_manager.using("sandbox").order_by("pk")]
    return str(serializers.serialize("json", rows))


def owned() -> Organization:
    return Organization.objects.get(pk=known("organization", "owner"))


@pytest.fixture
def seeded() -> None:
    seed(now=NOW)


def test_same_moment_gives_the_same_bytes() -> None:
    seed(now=NOW)
    first = everything()
    seed(reset=True, now=NOW)
    assert everything() == first


def test_another_moment_changes_times_and_never_ids() -> None:
    seed(now=NOW)
    first = everything()
    seed(reset=True, now=NOW + timedelta(days=100, seconds=3))
    assert everything() != first
    ids = re.compile(r'"pk": "[^"]+"')
    assert ids.findall(everything()) == ids.findall(first)


def test_seeding_twice_changes_nothing_that_people_did() -> None:
    ensure_seeded()
    ReviewComment.objects.filter(pk=known("comment", "open 0")).update(text="Changed by a person.")
    ensure_seeded()
    assert seed() is False
    assert ReviewComment.objects.filter(text="Changed by a person.").exists()


def test_reset_forgets_what_people_did() -> None:
    seed(now=NOW)
    Folder.objects.create(organization=owned(), user=owned().users.get(), name="Mine")
    seed(reset=True, now=NOW)
    assert not Folder.objects.filter(name="Mine").exists()


def test_a_failure_half_way_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(now: datetime) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr("dashboard.sandbox.seed.work.seed_jobs_and_tests", break_down)
    with pytest.raises(RuntimeError, match="power cut"):
        seed(now=NOW)
    assert not Organization.objects.exists()


def test_seeding_calls_less_than_400_000_functions() -> None:
    assert count_calls(lambda: seed(now=NOW)) < 400_000


@pytest.mark.usefixtures("seeded")
def test_library_is_large_in_three_languages_and_three_folders_deep() -> None:
    videos = owned().videos
    assert videos.count() >= 60
    spoken = Counter(videos.values_list("spoken_lang", flat=True))
    assert min(spoken["pt-BR"], spoken["es"], spoken["en"]) >= 10
    assert videos.filter(folder__parent__parent__isnull=False, folder__active=True).count() >= 3
    assert videos.filter(folder__active=False).exists()
    assert set(videos.values_list("status", flat=True)) == set(VideoStatus)


@pytest.mark.usefixtures("seeded")
def test_every_still_stands_for_some_video_and_no_neighbours_share_one() -> None:
    shown = [media.still_number(one.external_id) for one in owned().videos.order_by("-created_at")]
    assert len(set(shown)) == media.STILLS
    assert sum(one == other for one, other in pairwise(shown)) <= 6


@pytest.mark.usefixtures("seeded")
def test_everything_is_in_the_past_but_what_is_planned() -> None:
    for model in apps.get_app_config("sandbox").get_models():
        names = {field.name for field in model._meta.get_fields()}
        for name in names & {"created_at", "updated_at", "converted_at", "finished_at", "started_at", "written_at"}:
            assert not model._default_manager.using("sandbox").filter(**{f"{name}__gt": NOW}).exists(), (model, name)


@pytest.mark.usefixtures("seeded")
def test_jobs_come_in_every_status_and_keep_the_rules_of_concurrency() -> None:
    jobs = list(Job.objects.select_related("video"))
    assert {job.status_at(NOW) for job in jobs} == set(JobStatus)
    active = [(job.video_id, job.type, job.to_lang) for job in jobs if job.status_at(NOW) in JOB_ACTIVE]
    assert len(active) == len(set(active)) == 5
    for job in jobs:
        assert job.from_lang in LANGUAGES
        assert job.created_at <= job.starts_at < job.ends_at
        assert job.settled == (job.ends_at <= NOW)
        assert (job.type == JobType.TRANSLATION) == bool(job.to_lang)


@pytest.mark.usefixtures("seeded")
def test_a_finished_job_left_its_subtitle_and_an_active_one_has_its_source() -> None:
    held = {(str(video), lang) for video, lang in Subtitle.objects.values_list("video_id", "lang")}
    for job in Job.objects.all():
        made = (str(job.video_id), job.to_lang or job.from_lang)
        assert (made in held) == (job.status_at(NOW) == JobStatus.FINISHED)
        if job.to_lang:
            assert (str(job.video_id), job.from_lang) in held


@pytest.mark.usefixtures("seeded")
def test_subtitles_are_webvtt_that_ends_before_the_video_does() -> None:
    for subtitle in Subtitle.objects.select_related("video"):
        times = re.findall(r"(\d\d):(\d\d):(\d\d\.\d{3})", subtitle.vtt)
        seconds = [int(h) * 3600 + int(m) * 60 + float(s) for h, m, s in times]
        assert subtitle.vtt.startswith("WEBVTT\n\n")
        assert seconds == sorted(seconds)
        assert 0 < seconds[-1] <= subtitle.video.length


@pytest.mark.usefixtures("seeded")
def test_videos_that_are_planned_against_have_the_subtitles_their_names_promise() -> None:
    assert not Subtitle.objects.filter(video_id=known("video", demo.VIDEOS["plain"])).exists()
    held = Subtitle.objects.filter(video_id=known("video", demo.VIDEOS["with_subtitles"]))
    assert {"pt-BR", "es"} <= set(held.values_list("lang", flat=True))


@pytest.mark.usefixtures("seeded")
def test_comments_keep_the_rules_they_would_be_refused_by() -> None:
    for comment in ReviewComment.objects.select_related("video", "reply_to"):
        assert not set(COMMENT_FORBIDDEN) & set(comment.text)
        assert 0 < len(comment.text) <= COMMENT_TEXT_MAX
        assert USER_NAME.fullmatch(comment.user_name)
        assert 0 <= comment.time <= comment.video.length
        assert comment.created_at <= comment.updated_at <= NOW
        if comment.reply_to:
            assert (comment.time, comment.video_id) == (comment.reply_to.time, comment.reply_to.video_id)
            assert comment.reply_to.created_at < comment.created_at
            assert comment.reply_to.reply_to_id is None


@pytest.mark.usefixtures("seeded")
def test_full_link_has_reached_both_limits() -> None:
    link = ReviewLink.objects.get(pk=known("link", "full"))
    assert link.usable_at(NOW)
    assert link.video.comments.filter(reply_to=None).count() == MAIN_COMMENTS_MAX
    longest = ReviewComment.objects.get(pk=known("comment", "full 0"))
    assert longest.replies.count() == REPLIES_MAX


@pytest.mark.usefixtures("seeded")
def test_links_differ_exactly_in_what_their_roles_say() -> None:
    expected: dict[str, dict[str, Any]] = {
        "open": {},
        "view_only": {"allow_comment": False},
        "no_status_edit": {"allow_status_edit": False},
        "hidden_resolved": {"show_resolved": False},
        "expired": {},
        "inactive": {"status": LinkStatus.INACTIVE},
        "full": {},
    }
    usual = {"allow_comment": True, "allow_status_edit": True, "show_resolved": True, "status": LinkStatus.ACTIVE}
    for role, differs in expected.items():
        link = ReviewLink.objects.get(pk=known("link", role))
        assert {name: getattr(link, name) for name in usual} == usual | differs
        assert (link.expires_at > NOW) == (role != "expired")
        assert link.expires_at <= NOW + timedelta(days=LINK_MAX_DAYS)
        assert LINK_NAME.fullmatch(link.name)
        assert link.video.comments.exists()


@pytest.mark.usefixtures("seeded")
def test_hidden_and_view_only_links_have_something_to_hide_and_to_view() -> None:
    for role in ("open", "view_only", "no_status_edit", "hidden_resolved"):
        link = ReviewLink.objects.get(pk=known("link", role))
        assert set(link.video.comments.values_list("status", flat=True)) == set(CommentStatus)


@pytest.mark.usefixtures("seeded")
def test_lives_funnels_and_playlists_are_what_their_roles_say() -> None:
    lives = {one.pk: one for one in Live.objects.all()}
    scheduled, unscheduled, online = (
        lives[live_id(known("live", key))] for key in ("scheduled", "unscheduled", "online")
    )
    assert scheduled.scheduled_at is not None
    assert scheduled.scheduled_at > NOW
    assert (unscheduled.scheduled_at, unscheduled.status_at(NOW)) == (None, LiveStatus.OFFLINE)
    assert online.status_at(NOW) == LiveStatus.ONLINE
    for funnel in Funnel.objects.prefetch_related("placed__video"):
        places = list(funnel.placed.all())
        assert sum(place.is_first for place in places) == (1 if places else 0)
        assert {place.video.folder_id for place in places} <= {funnel.folder_id}
    assert Playlist.objects.get(pk=known("playlist", "own")).links.count() == 6


@pytest.mark.usefixtures("seeded")
def test_quiz_is_rich_and_the_same_in_both_languages() -> None:
    files = {file.lang: file.content for file in AiFile.objects.filter(video_id=known("video", "cherry_pt"))}
    assert set(files) == {"pt-BR", "en"}
    shapes = [
        [(one["id"], [option["correct"] for option in one["options"]]) for one in content["questions"]]
        for content in files.values()
    ]
    assert shapes[0] == shapes[1]
    assert len(shapes[0]) == 12
    assert all(any(right) and not all(right) for _, right in shapes[0])


@pytest.mark.usefixtures("seeded")
def test_ai_content_has_every_resource_keys_nobody_knows_and_a_legacy_file() -> None:
    for content in AiFile.objects.filter(video_id=known("video", "cherry_pt")).values_list("content", flat=True):
        assert {"questions", "questions_config", "mindmap", "abstract", "abstract_html"} <= set(content)
        assert {"generator", "keywords"} <= set(content)
        assert content["abstract"].startswith("# ")
        assert content["abstract_html"].startswith("<h1>")
        assert len(content["mindmap"]["children"]) == 5
    assert AiFile.objects.filter(lang="").count() == 1


@pytest.mark.usefixtures("seeded")
def test_a_b_tests_come_in_every_state_and_a_finished_one_has_a_winner() -> None:
    tests = list(Comparison.objects.prefetch_related("variants"))
    assert {test.status for test in tests} == set(TestStatus)
    for test in tests:
        assert (test.winner_id is not None) == (test.status == TestStatus.COMPLETED)
        assert (test.started_at is not None) == (test.status != TestStatus.DRAFT)


def arms(name: str, now: datetime) -> tuple[Arm, Arm]:
    """What the analytics show of the two variants of a seeded A/B test."""
    account = read_account(owned(), now)
    test = Comparison.objects.get(name=name)
    assert test.started_at is not None
    period = Period(test.started_at.date(), (test.finished_at or now).date())
    found = []
    for variant in test.variants.all():
        seen = reports.general(account, account.video(variant.video_id), period)["views_data"].values()
        found.append(Arm(sum(b["view"] for b in seen), sum(b["play"] for b in seen)))
    first, second = found
    return first, second


@pytest.fixture(params=[0, 1.3, 3.6, 47.2, 180.9, 300.5])
def moment(request: pytest.FixtureRequest) -> Iterator[datetime]:
    """Some moment at which somebody starts the demo."""
    at = NOW + timedelta(days=request.param)
    sandbox_clock.set_clock(sandbox_clock.Frozen(at))
    seed(now=at)
    yield at
    sandbox_clock.set_clock(sandbox_clock.Wall())


def apart(arms: tuple[Arm, Arm]) -> tuple[float, float, float]:
    """The difference of two variants, and how far it reaches for one look and for any number of them."""
    variance = sum(arm.rate * (1 - arm.rate) / arm.loads for arm in arms)
    carried = 0.2 * 0.03  # a fifth of the loads are by people who had seen the other one
    return arms[1].rate - arms[0].rate, 1.96 * variance**0.5, Mixture(0.03).reach(variance, 0.05) + carried


def test_numbers_tell_the_story_of_each_a_b_test_whenever_the_demo_starts(moment: datetime) -> None:
    leaning = arms("Opening: valley or cup", moment)
    difference, once, always = apart(leaning)
    assert once < abs(difference) < always
    clear = arms("Teaser da safra: com ou sem legenda", moment)
    difference, _once, always = apart(clear)
    assert difference - always > 0.04
    same = arms("A/A: o mesmo convite duas vezes", moment)
    difference, once, _always = apart(same)
    assert abs(difference) < once
    for one, two in (leaning, clear, same):
        chi_square = (one.loads - two.loads) ** 2 / (one.loads + two.loads)
        assert chi_square < 10.83  # equal chance puts them further apart once in a thousand


def test_account_has_four_hundred_days_of_views(moment: datetime) -> None:
    account = read_account(owned(), moment)
    assert (moment.date() - account.first_day).days == 399
    ranking = reports.ranking(account, Period(account.first_day, moment.date()))["data"]
    assert len(ranking) >= 60
    assert {"DRAFT", "CONVERTING"}.isdisjoint(Video.objects.get(pk=row["video_id"]).status for row in ranking)


def test_running_test_is_the_most_watched_of_the_week(moment: datetime) -> None:
    week = Period((moment - timedelta(days=7)).date(), (moment - timedelta(days=1)).date())
    top = reports.ranking(read_account(owned(), moment), week)["data"][:2]
    assert {row["title"] for row in top} == {"Serra Alta, launch film", "Serra Alta, launch film, cup cut"}
