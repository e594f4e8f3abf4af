"""Where viewers leave: retention read one video at a time by the worker, compared when all is there, shown by minutes lost."""

from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.analytics import tasks
from dashboard.analytics.models import RetentionList, VideoRetention
from dashboard.analytics.rules import STEPS
from dashboard.platform_api.errors import Missing
from tests.analytics.lesson_library import (
    COURSE,
    DROP,
    LESSONS,
    MODULE,
    NOW,
    Library,
    later,
    main_of,
    page_of,
    rows_of,
    video_id,
)
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_videos_are_ranked_by_the_minutes_that_they_lose(owner: Client, read: Library) -> None:
    text = main_of(page_of(owner))
    assert "14 videos: 2 lose more than usual, 8 don't, 4 can't be judged yet." in text
    assert "Oct 23 – Nov 19, 2026, whole days in UTC." in text
    first, second = text.split("Film 0", 1)[1].split("Film 1", 1)
    assert "Do pé à xícara / 4 Roasting, 10:00, 1,000 plays" in first
    minutes = 1_000 * 0.3 * (600 - DROP - 2.5) / 60
    assert f"{minutes:,.0f} minutes lost compared with 9 of your videos of 8:00 to 12:00" in first
    assert "At 3:30 more people leave than usual: at 4:30, 43% are still watching, usually 73%." in first
    assert "What is said there: 3:25 “E agora a tabela, linha por linha.”" in first and "Play from 3:25" in first
    assert "1,163 minutes lost" in second and "The subtitles say nothing at this moment." in second


def test_page_plays_the_video_from_before_the_moment(owner: Client, read: Library) -> None:
    page = page_of(owner)
    assert f'href="/dashboard/videos/{video_id(0)}/?t=205"' in page
    assert '<span lang="pt-BR" dir="auto">“E agora' in page


def test_video_without_subtitles_leads_to_creating_them(owner: Client, library: Library) -> None:
    library.texts.clear()
    owner.get(LESSONS)
    tasks.read_retention.call()
    page = page_of(owner)
    assert "No subtitles here." in page
    assert f"/dashboard/subtitles/?video={video_id(0)}" in page


def test_what_cannot_be_judged_is_listed_with_its_reason_and_never_ranked(owner: Client, read: Library) -> None:
    ranking, _, rest = main_of(page_of(owner)).partition("Can't tell yet: 4")
    assert "Film 10 Can't tell 99 plays; 100 are needed" in rest
    assert "Film 11 Can't tell 1:23:20 long; 0 other videos of like length can be compared, 8 are needed" in rest
    assert "Film 12 Can't tell 6 whole days since it was created; 7 are needed" in rest
    assert "Film 13 Can't tell The platform doesn't say how long it is." in rest
    assert not any(f"Film {number}" in ranking for number in range(10, 14))
    assert [row["Rank"] for row in rows_of(owner)] == ["1", "2", *[""] * 12]
    assert video_id(10) not in read.asked and video_id(12) not in read.asked, "no call for what cannot be judged"


def test_edges_of_plays_and_days_are_judged(owner: Client, library: Library) -> None:
    library.plays[video_id(10)], library.ages[video_id(12)] = 100, 7
    owner.get(LESSONS)
    tasks.read_retention.call()
    assert "2 can't be judged yet." in main_of(page_of(owner))
    assert "compared with 11 of your videos" in main_of(page_of(owner))


def test_ranking_that_was_cut_says_nothing_of_videos_it_leaves_out(owner: Client, library: Library) -> None:
    for number in range(9, 14):
        del library.plays[video_id(number)]
    for video in list(library.plays)[5:]:
        library.plays.pop(video)
    owner.get(LESSONS)
    tasks.read_retention.call()
    rows = rows_of(owner)
    assert {row["Why it can't be judged"] for row in rows[5:]} == {
        "The platform's ranking doesn't say how often it was played."
    }


def test_filter_by_folder_has_its_subfolders_and_ranks_anew(owner: Client, read: Library) -> None:
    page = page_of(owner, f"?folder={COURSE}")
    assert "4 videos: 2 lose more than usual, 2 don't, 0 can't be judged yet." in main_of(page)
    assert f'<option value="{COURSE}" selected>Do pé à xícara</option>' in page
    assert f'<option value="{MODULE}">Do pé à xícara / 4 Roasting</option>' in page
    assert len(rows_of(owner, f"?folder={MODULE}")) == 2
    assert owner.get(f"{LESSONS}?folder=nowhere").status_code == 404


def test_one_video_keeps_its_rank(owner: Client, read: Library) -> None:
    page = page_of(owner, f"?video={video_id(1)}")
    assert '<span class="lesson__rank" aria-hidden="true">2</span>' in page and "Film 0" not in page
    assert "This video doesn't lose more than usual." in main_of(page_of(owner, f"?video={video_id(5)}"))
    assert "This video is not compared yet." in main_of(page_of(owner, f"?video={video_id(99)}"))
    assert owner.get(f"{LESSONS}?video=oops").status_code == 404


def test_other_account_sees_nothing_of_it(owner: Client, read: Library, cast: dict[str, Any]) -> None:
    other = signed_in(Client(), cast["tokens"]["other"])
    page = page_of(other)
    assert "Film" not in main_of(page) and "Reading retention" in page
    RetentionList.objects.filter(judged_at=None).update(judged_at=NOW, judged_day=NOW.date())
    assert other.get(f"{LESSONS}?folder={COURSE}").status_code == 404
    assert "Film" not in main_of(page_of(other, f"?video={video_id(0)}"))
    assert rows_of(other) == []


def test_file_has_every_video_with_the_same_numbers(owner: Client, read: Library) -> None:
    rows = rows_of(owner)
    assert len(rows) == 14 and rows[0]["Video"] == "Film 0"
    assert float(rows[0]["Minutes lost"]) == pytest.approx(1_000 * 0.3 * (600 - DROP - 2.5) / 60, abs=0.1)
    assert (rows[0]["Moment in seconds"], rows[0]["What is said"]) == ("210", "E agora a tabela, linha por linha.")
    assert rows[2]["Minutes lost"] == "0" and rows[-1]["Minutes lost"] == "", "what is not known is never 0"


def test_curve_is_told_as_a_table(owner: Client, read: Library) -> None:
    table = main_of(page_of(owner)).split("Show as a table", 1)[1].split("Film 1", 1)[0]
    assert "0:00 100% 100% 1:00 94% 94%" in table and "5:00 40% 70%" in table


def test_page_reads_nothing_of_the_platform(owner: Client, read: Library) -> None:
    read.sent = 0
    page_of(owner)
    rows_of(owner)
    assert read.sent == 0


def test_video_whose_retention_is_missing_or_of_no_known_shape_cannot_be_judged(
    owner: Client, library: Library
) -> None:
    library.fails[video_id(9)] = Missing("analytics.retention", 404, "")
    owner.get(LESSONS)
    tasks.read_retention.call()
    reasons = {row["Id"]: row["Why it can't be judged"] for row in rows_of(owner)}
    assert reasons[video_id(9)] == "The platform has no retention of it."
    assert reasons[video_id(0)] == "", "eight others are enough"


@pytest.mark.parametrize(("gone", "judged"), [(1, True), (2, False)])
def test_eight_videos_of_like_length_are_needed(owner: Client, library: Library, gone: int, judged: bool) -> None:
    for number in range(gone):
        library.lengths[video_id(9 - number)] = 10_000.0 * (number + 1)
    owner.get(LESSONS)
    tasks.read_retention.call()
    assert ("2 lose more than usual" in main_of(page_of(owner))) == judged


def test_long_lists_have_pages(owner: Client, read: Library) -> None:
    account = Account.objects.get(pk=owner.session["account"])
    pattern = VideoRetention.objects.get(video_id=video_id(0))
    for number in range(100, 145):
        VideoRetention.objects.create(
            account=account,
            video_id=video_id(number),
            title=f"Lesson {number}",
            verdict="few_plays",
            plays=5,
            minutes=0,
        )
        VideoRetention.objects.create(
            account=account,
            video_id=video_id(number + 100),
            title=f"More {number}",
            length=600,
            plays=400,
            minutes=number / 10,
            verdict="loses",
            alike=9,
            curve=pattern.curve,
            typical=pattern.typical,
            moment=210.0,
            later=270.0,
            share=0.4,
            usual=0.5,
        )
    page = page_of(owner)
    assert "1 to 10 of 47" in page and "?page=2" in page
    assert "11 to 20 of 47" in page_of(owner, "?page=2") and "41 to 47 of 47" in page_of(owner, "?page=999")
    assert "14.4 minutes lost" not in main_of(page) and "14 minutes lost" in main_of(page)
    everything = page_of(owner, "?list=unjudged")
    assert "1 to 40 of 49" in everything and "Most minutes lost first" not in everything
    assert "41 to 49 of 49" in page_of(owner, "?list=unjudged&page=2")
    assert pattern.curve is not None and len(pattern.curve) == STEPS + 1


def test_line_is_in_the_language_that_most_videos_have_and_else_in_one_that_says_something(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.spoken = {
        "en": "WEBVTT\n",
        **{lang: f"WEBVTT\n\n03:25.000 --> 03:40.000\n{lang}\n" for lang in ("es", "pt-BR")},
    }
    owner.get(LESSONS)
    tasks.read_retention.call()
    assert '<span lang="es" dir="auto">“es”</span>' in page_of(owner), "English says nothing there"
    VideoRetention.objects.update(line_for=None)
    monkeypatch.setattr("dashboard.analytics.retention_history.rank_languages", lambda account: ("pt-br", "es"))
    later(61)
    tasks.read_retention.call()
    assert '<span lang="pt-BR" dir="auto">“pt-BR”</span>' in page_of(owner)


def test_line_has_the_words_of_all_voices_of_its_cue(owner: Client, library: Library) -> None:
    vtt = "WEBVTT\n03:25.000 --> 03:40.000\n<v Ana>Ready?\n<v Rui>Yes!\n03:40.000 --> 03:50.000\nNo."
    library.spoken = {"en": vtt}
    owner.get(LESSONS)
    tasks.read_retention.call()
    assert '<span lang="en" dir="auto">“Ready? Yes!”</span>' in page_of(owner)
