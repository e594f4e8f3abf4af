"""Drives of the reads: a page asks as documented, and says what was answered (4.5, 4.11, 4.12, 4.15, 4.16)."""

from datetime import UTC, datetime, timedelta

from tests.strict import world as names
from tests.strict.drives import HERE, Desk, drive, says

LAST = datetime.now(UTC).date() - timedelta(days=2)
DAYS = f"start={LAST - timedelta(days=6)}&end={LAST}"
RANGE = {"start_date": str(LAST - timedelta(days=6)), "end_date": str(LAST)}


@drive("videos.get")
def open_a_video(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/videos/{names.PLAIN}/")
    desk.read("videos.get")
    says(answer, names.TITLES[names.PLAIN])


@drive("ai_workflow.jobs")
def watch_the_jobs_of_a_video(desk: Desk) -> None:
    desk.platform.world.jobs.append(
        {
            "id": "job-1", "video_id": names.SPOKEN, "type": "TRANSLATION", "status": "RUNNING", "from_lang": "pt-BR",
            "to_lang": "it", "metadata": {}, "created_at": names.WHEN,
        }
    )  # fmt: skip
    answer = desk.owner.get(f"{HERE}/subtitles/videos/{names.SPOKEN}/jobs/")
    desk.read("ai_workflow.jobs", video_id=names.SPOKEN)
    says(answer, "Running", "Italian")


@drive("ai_workflow.file")
def read_the_content_of_a_language(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/ai-content/{names.TAUGHT}/en/quiz/")
    desk.read("ai_workflow.file")
    says(answer, "What is number 1?")


@drive("comparisons.list")
def list_the_tests(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/ab-tests/")
    desk.read("comparisons.list")
    says(answer, "Openings", "Endings")


@drive("comparisons.get")
def open_a_test(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/ab-tests/{names.DRAFT}/")
    desk.read("comparisons.get")
    says(answer, "Openings", "Which opens better")


@drive("analytics.general")
def see_the_plays_of_a_video(desk: Desk) -> None:
    desk.owner.get(f"{HERE}/ab-tests/{names.RUNNING}/")
    desk.owner.get(f"{HERE}/ab-tests/{names.RUNNING}/result/")
    desk.read("analytics.general")


@drive("analytics.retention")
def see_the_retention_of_a_video(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/analytics/retention/?video={names.PLAIN}&{DAYS}")
    desk.read("analytics.retention")
    says(answer, names.TITLES[names.PLAIN], "61")


@drive("folders.list")
def see_the_folders(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/folders/")
    desk.read("folders.list", status="true")
    says(answer, "Courses")


@drive("folders.list")
def open_a_folder(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/folders/{names.FOLDER}/children/")
    desk.read("folders.list")
    says(answer, "Drafts")


@drive("analytics.traffic")
def see_the_traffic_of_a_video(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/analytics/traffic/?video={names.PLAIN}&{DAYS}")
    call = desk.read("analytics.traffic", video_id=names.PLAIN)
    assert call.headers["authorization"] == f"Bearer {names.TOKEN}"
    says(answer, "GB")


@drive("analytics.browser")
def see_the_browsers(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/analytics/browsers/?{DAYS}")
    desk.read("analytics.browser", **RANGE)
    says(answer, "Netfarer", "412")


@drive("analytics.browser_of_video")
def see_the_browsers_of_a_video(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/analytics/browsers/?video={names.PLAIN}&{DAYS}")
    desk.read("analytics.browser_of_video", **RANGE)
    says(answer, "Netfarer", "412")


@drive("analytics.city")
def see_the_cities(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/analytics/cities/?{DAYS}")
    desk.read("analytics.city", **RANGE)
    says(answer, "Ouro Preto", "412")


@drive("analytics.city")
def see_the_cities_of_a_region_by_the_day(desk: Desk) -> None:
    desk.owner.get(f"{HERE}/analytics/cities/?{DAYS}&granularity=day&country=BR&region=MG")
    desk.read("analytics.city", country="BR", region="MG")


@drive("analytics.referrer")
def see_the_referrers(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/analytics/referrers/?{DAYS}")
    desk.read("analytics.referrer", **RANGE)
    says(answer, "school.example", "412")


@drive("analytics.ranking")
def see_the_ranking(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/analytics/ranking/?{DAYS}")
    desk.read("analytics.ranking", **RANGE)
    says(answer, names.TITLES[names.SPOKEN], "412")


@drive("analytics.member_referrals")
def see_the_referrals(desk: Desk) -> None:
    answer = desk.owner.get(f"{HERE}/referrals/")
    desk.read("analytics.member_referrals")
    says(answer, "18")
