"""The rules of 4.1, 7 and 8, each inside, at its edge and outside."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.vocabulary import ESSENTIAL_LANGUAGES, LANGUAGES, JobStatus
from dashboard.subtitles import rules
from dashboard.subtitles.rules import CellChoice, CellState, Order, RejectionReason, VideoState

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def job(
    kind: str = "TRANSLATION", status: str = "RUNNING", to: str | None = "fr", source: str = "pt-BR", **more: Any
) -> Job:
    """A job of video v, created now unless `ago` says how long before."""
    ago = more.get("ago", timedelta())
    return Job(more.get("id", "j1"), "v", kind, status, source, to, {}, NOW - ago)


def known(*subtitles: str, jobs: tuple[Job, ...] = ()) -> VideoState:
    return VideoState(rules.languages_of(subtitles), jobs)


def translation(*to: str, tier: str = "pro", source: str = "pt-BR") -> Order:
    return Order("TRANSLATION", tier, source, to)


def transcription(*extra: str, tier: str = "pro", source: str = "pt-BR") -> Order:
    return Order("TRANSCRIPTION", tier, source, extra)


def reasons(order: Order, videos: int = 1) -> set[tuple[str, RejectionReason]]:
    return {(problem.field, problem.reason) for problem in rules.problems(order, videos)}


class TestTheOrder:
    @pytest.mark.parametrize("source", ESSENTIAL_LANGUAGES)
    def test_essential_reads_its_three_languages(self, source: str) -> None:
        to = "de"
        assert reasons(translation(to, tier="essential", source=source)) == set()
        assert reasons(transcription(tier="essential", source=source)) == set()

    @pytest.mark.parametrize("source", [lang for lang in LANGUAGES if lang not in ESSENTIAL_LANGUAGES])
    def test_essential_reads_no_other(self, source: str) -> None:
        assert reasons(transcription(tier="essential", source=source)) == {
            ("from_lang", RejectionReason.SOURCE_NOT_ON_ESSENTIAL)
        }
        assert reasons(transcription(tier="pro", source=source)) == set()
        assert reasons(transcription(tier="advanced", source=source)) == set()

    def test_detection_is_for_transcriptions_on_pro_and_advanced(self) -> None:
        assert reasons(transcription(tier="pro", source="auto")) == set()
        assert reasons(transcription(tier="advanced", source="auto")) == set()
        assert reasons(transcription(tier="essential", source="auto")) == {
            ("from_lang", RejectionReason.AUTO_NOT_ON_ESSENTIAL)
        }
        assert reasons(translation("fr", source="auto")) == {("from_lang", RejectionReason.AUTO_IS_FOR_TRANSCRIPTION)}

    def test_a_language_the_platform_does_not_make_is_refused_as_source_and_as_target(self) -> None:
        assert reasons(translation("tlh")) == {("to_lang", RejectionReason.LANGUAGE_UNKNOWN)}
        assert reasons(translation("fr", source="tlh")) == {("from_lang", RejectionReason.LANGUAGE_UNKNOWN)}
        assert reasons(translation("auto")) == {("to_lang", RejectionReason.LANGUAGE_UNKNOWN)}
        assert reasons(translation("pt-br")) == {("to_lang", RejectionReason.LANGUAGE_UNKNOWN)}, (
            "codes are spelled as listed"
        )

    def test_a_translation_needs_a_target_and_a_transcription_does_not(self) -> None:
        assert reasons(translation()) == {("to_lang", RejectionReason.TARGET_REQUIRED)}
        assert reasons(transcription()) == set()

    def test_source_and_tier_are_required(self) -> None:
        assert ("from_lang", RejectionReason.SOURCE_REQUIRED) in reasons(translation("fr", source=""))
        assert reasons(translation("fr", tier="gold")) == {("tier", RejectionReason.TIER_REQUIRED)}

    @pytest.mark.parametrize(
        ("videos", "expected"),
        [
            (0, {("video", RejectionReason.VIDEO_REQUIRED)}),
            (1, set()),
            (50, set()),
            (51, {("video", RejectionReason.TOO_MANY_VIDEOS)}),
        ],
    )
    def test_one_to_fifty_videos(self, videos: int, expected: set[tuple[str, RejectionReason]]) -> None:
        assert reasons(translation("fr"), videos) == expected


class TestTranslation:
    def test_it_may_be_made_where_the_source_exists_and_the_target_does_not(self) -> None:
        assert rules.rejection_reason(translation("fr"), known("pt-BR"), "fr") is None

    def test_the_source_must_exist(self) -> None:
        assert rules.rejection_reason(translation("fr"), known("es"), "fr") == RejectionReason.SOURCE_MISSING
        assert rules.rejection_reason(translation("fr"), known("pt"), "fr") == RejectionReason.SOURCE_MISSING, (
            "pt is not pt-BR"
        )

    def test_the_target_must_not_exist_in_whatever_case_the_platform_writes_it(self) -> None:
        assert (
            rules.rejection_reason(translation("es-MX"), known("pt-BR", "es-mx"), "es-MX")
            == RejectionReason.TARGET_EXISTS
        )
        assert rules.rejection_reason(translation("es-MX"), known("pt-br", "es"), "es-MX") is None

    def test_a_source_that_is_on_its_way_is_another_reason_than_one_that_is_missing(self) -> None:
        making = known(jobs=(job("TRANSCRIPTION", to=None),))
        assert rules.rejection_reason(translation("fr"), making, "fr") == RejectionReason.SOURCE_UNDER_WAY
        detecting = known(jobs=(job("TRANSCRIPTION", to=None, source="auto"),))
        assert rules.rejection_reason(translation("fr"), detecting, "fr") == RejectionReason.SOURCE_UNDER_WAY

    @pytest.mark.parametrize("status", ["QUEUE", "RUNNING", "PAUSED"])
    def test_one_translation_a_language_at_a_time_also_in_a_state_nobody_named(self, status: str) -> None:
        assert (
            rules.rejection_reason(translation("fr"), known("pt-BR", jobs=(job(status=status),)), "fr")
            == RejectionReason.TRANSLATION_RUNNING
        )
        assert rules.rejection_reason(translation("de"), known("pt-BR", jobs=(job(status=status),)), "de") is None

    @pytest.mark.parametrize("status", ["FINISHED", "ERROR", "SKIPPED"])
    def test_a_job_that_has_ended_is_in_nobodys_way(self, status: str) -> None:
        assert rules.rejection_reason(translation("fr"), known("pt-BR", jobs=(job(status=status),)), "fr") is None

    def test_what_reelroom_has_sent_and_the_platform_does_not_show_yet_is_in_the_way_too(self) -> None:
        sending = VideoState(rules.languages_of(["pt-BR"]), (), sending=frozenset({"fr"}))
        assert rules.rejection_reason(translation("fr", "de"), sending, "fr") == RejectionReason.TRANSLATION_RUNNING
        assert rules.rejection_reason(translation("fr", "de"), sending, "de") is None

    def test_the_source_language_is_no_target(self) -> None:
        assert rules.rejection_reason(translation("pt-BR"), known("pt-BR"), "pt-BR") == RejectionReason.IS_SOURCE

    def test_jobs_of_another_kind_count_for_nothing(self) -> None:
        assert rules.rejection_reason(translation("fr"), known("pt-BR", jobs=(job("DUBBING"),)), "fr") is None


class TestTranscription:
    def test_it_may_be_made_where_the_language_does_not_exist(self) -> None:
        assert rules.rejection_reason(transcription(), known("es"), "pt-BR") is None

    def test_a_language_is_transcribed_once(self) -> None:
        assert rules.rejection_reason(transcription(), known("PT-br"), "pt-BR") == RejectionReason.SOURCE_EXISTS

    def test_one_transcription_a_video_at_a_time_in_whatever_language(self) -> None:
        busy = known(jobs=(job("TRANSCRIPTION", to=None, source="en"),))
        assert rules.rejection_reason(transcription(), busy, "pt-BR") == RejectionReason.TRANSCRIPTION_RUNNING
        done = known(jobs=(job("TRANSCRIPTION", "ERROR", to=None, source="en"),))
        assert rules.rejection_reason(transcription(), done, "pt-BR") is None

    def test_a_transcription_reelroom_has_just_sent_is_in_the_way(self) -> None:
        sending = VideoState(frozenset(), (), sending=frozenset({"en"}), transcribing=True)
        assert rules.rejection_reason(transcription(), sending, "pt-BR") == RejectionReason.TRANSCRIPTION_RUNNING

    def test_an_extra_language_must_not_exist_and_needs_its_transcription(self) -> None:
        assert rules.rejection_reason(transcription("fr"), known(), "fr") is None
        assert rules.rejection_reason(transcription("fr"), known("fr"), "fr") == RejectionReason.TARGET_EXISTS
        assert rules.rejection_reason(transcription("fr"), known("pt-BR"), "fr") == RejectionReason.NEEDS_TRANSCRIPTION


@pytest.mark.parametrize("order", [translation("fr"), transcription("fr")])
@pytest.mark.parametrize("about", [VideoState(None, ()), VideoState(frozenset(), None), VideoState(None, None)])
def test_what_could_not_be_read_is_not_checked_and_never_free(order: Order, about: VideoState) -> None:
    assert rules.rejection_reason(order, about, "fr") == RejectionReason.NOT_CHECKED
    assert rules.cell_state(about, "fr", NOW).state == CellState.UNKNOWN
    assert rules.plan(order, CellChoice(videos=("v",)), {"v": about}, NOW) == ()


def test_platform_that_lists_no_subtitles_forbids_only_what_its_jobs_show() -> None:
    about = rules.video_state_from_jobs((job(status="FINISHED", to="fr"), job(status="RUNNING", to="it")))
    order = translation("fr", "it", "de")
    assert rules.rejection_reason(order, about, "fr") == RejectionReason.TARGET_EXISTS
    assert rules.rejection_reason(order, about, "it") == RejectionReason.TRANSLATION_RUNNING
    assert rules.rejection_reason(order, about, "de") is None, "whether there is a source is not known"
    assert rules.rejection_reason(transcription(), about, "pt-BR") is None
    assert rules.cell_state(about, "de", NOW).state == CellState.UNKNOWN, "not known is not none"


def test_subtitles_that_were_read_are_there_even_when_the_jobs_could_not_be() -> None:
    assert rules.cell_state(VideoState(frozenset({"fr"}), None), "fr", NOW).state == CellState.EXISTS


class TestStand:
    @pytest.mark.parametrize(
        ("status", "state"),
        [("QUEUE", "queue"), ("RUNNING", "running"), ("ERROR", "error"), ("SKIPPED", "skipped"), ("PAUSED", "running")],
    )
    def test_a_job_says_how_its_cell_stands(self, status: str, state: str) -> None:
        assert rules.cell_state(known("pt-BR", jobs=(job(status=status),)), "fr", NOW).state == state

    @pytest.mark.parametrize(
        ("age", "state"),
        [
            (timedelta(hours=11, minutes=59), CellState.FINISHED),
            (timedelta(hours=12), CellState.EXISTS),
            (timedelta(days=9), CellState.EXISTS),
        ],
    )
    def test_done_now_becomes_has_after_half_a_day(self, age: timedelta, state: CellState) -> None:
        finished = job(status="FINISHED", ago=age)
        assert rules.cell_state(known("fr", jobs=(finished,)), "fr", NOW).state == state

    def test_a_finished_job_whose_subtitles_were_deleted_leaves_an_empty_cell(self) -> None:
        assert rules.cell_state(known(jobs=(job(status="FINISHED"),)), "fr", NOW).state == CellState.NONE

    def test_the_newest_job_counts_and_one_that_runs_before_all(self) -> None:
        old = job(status="ERROR", ago=timedelta(hours=2), id="old")
        new = job(status="SKIPPED", ago=timedelta(hours=1), id="new")
        runs = job(status="RUNNING", ago=timedelta(hours=3), id="runs")
        assert rules.cell_state(known(jobs=(new, old)), "fr", NOW).state == CellState.SKIPPED
        assert rules.cell_state(known(jobs=(new, old, runs)), "fr", NOW).job == runs

    def test_a_job_without_a_time_is_older_than_any_other(self) -> None:
        timeless = Job("t", "v", "TRANSLATION", JobStatus.ERROR, "pt-BR", "fr", {}, None)
        assert rules.newest([timeless, job(status="SKIPPED")]) != timeless


class TestPlan:
    def test_every_free_cell_of_the_chosen_videos_and_nothing_else(self) -> None:
        about = {"a": known("pt-BR"), "b": known("pt-BR", "fr"), "c": known("pt-BR")}
        made = rules.plan(translation("fr", "de"), CellChoice(videos=("a", "b")), about, NOW)
        assert made == (("a", "fr"), ("a", "de"), ("b", "de"))

    def test_left_out_cells_stay_out_and_single_ones_come_in(self) -> None:
        about = {"a": known("pt-BR"), "b": known("pt-BR")}
        choice = CellChoice(("a",), frozenset({("a", "fr")}), frozenset({("b", "it")}))
        assert rules.plan(translation("fr", "de"), choice, about, NOW) == (("a", "de"), ("b", "it"))

    def test_a_cell_that_ended_without_subtitles_is_made_again_only_when_it_was_chosen_itself(self) -> None:
        about = {"a": known("pt-BR", jobs=(job(status="ERROR"),))}
        assert rules.plan(translation("fr"), CellChoice(videos=("a",)), about, NOW) == ()
        assert rules.plan(translation("fr"), CellChoice(also=frozenset({("a", "fr")})), about, NOW) == (("a", "fr"),)

    def test_no_choice_makes_what_the_rules_forbid(self) -> None:
        about = {"a": known("es")}
        assert rules.plan(translation("fr"), CellChoice(("a",), also=frozenset({("a", "fr")})), about, NOW) == ()

    def test_an_extra_language_brings_its_transcription(self) -> None:
        order = transcription("fr")
        made = rules.plan(order, CellChoice(also=frozenset({("a", "fr")})), {"a": known()}, NOW)
        assert made == (("a", "pt-BR"), ("a", "fr"))

    def test_extra_languages_go_with_their_transcription(self) -> None:
        choice = CellChoice(("a",), left_out=frozenset({("a", "pt-BR")}))
        assert rules.plan(transcription("fr"), choice, {"a": known()}, NOW) == ()

    def test_a_language_that_is_chosen_twice_is_made_once(self) -> None:
        made = rules.plan(transcription("pt-BR", "fr", "fr"), CellChoice(videos=("a",)), {"a": known()}, NOW)
        assert made == (("a", "pt-BR"), ("a", "fr"))


class TestBodies:
    def test_translations_are_an_array_a_video(self) -> None:
        made = rules.bodies(translation("fr", "de"), [("a", "fr"), ("a", "de"), ("b", "fr")])
        shared = {"type": "TRANSLATION", "from_lang": "pt-BR", "tier": "pro"}
        assert made == {
            "a": [{**shared, "video_id": "a", "to_lang": "fr"}, {**shared, "video_id": "a", "to_lang": "de"}],
            "b": [{**shared, "video_id": "b", "to_lang": "fr"}],
        }

    def test_a_transcription_is_one_object_whose_extra_languages_are_objects(self) -> None:
        made = rules.bodies(transcription("fr", "de"), [("a", "pt-BR"), ("a", "fr"), ("a", "de"), ("b", "pt-BR")])
        body = {"type": "TRANSCRIPTION", "from_lang": "pt-BR", "tier": "pro"}
        assert made["a"] == {**body, "video_id": "a", "additional_langs": [{"lang": "fr"}, {"lang": "de"}]}
        assert made["b"] == {**body, "video_id": "b"}


def test_languages_of_an_order_leave_out_the_source_of_a_translation_repetitions_and_nothing() -> None:
    assert rules.languages_in_order(translation("fr", "PT-br", "", "it", "fr")) == ("fr", "it")
    assert rules.languages_in_order(transcription("fr", "pt-BR", "")) == ("pt-BR", "fr")
    assert rules.languages_in_order(transcription("fr", source="")) == ("fr",)
