"""The transcript beside the video: what is read, shown, searched, counted and quoted, and what is said when it cannot be."""

import re
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from review_portal import sync, transcripts
from review_portal.models import ReviewLink
from review_portal.transcripts import Hit, Line, Transcript
from tests.counted_calls import count_calls
from tests.pages import one_line, page_of
from tests.review_portal.conftest import PART, Reviewer, World, imported

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

PORTUGUESE = """WEBVTT

00:04.200 --> 00:08.100
<v Joaquim>O vento chega
antes do <i>sol</i>.

00:11.000 --> 00:14.000
Aqui não se colhe com pressa: o grão

00:14.000 --> 00:17.900
maduro se conhece &lt;script&gt; pela cor [riso].

00:14.000 --> 00:17.900
maduro se conhece &lt;script&gt; pela cor [riso].

00:38.500 --> 00:38.900
Cada grão começa aqui.

01:00.000 --> 00:59.000
Fim.
"""
ENGLISH = "WEBVTT\n\n00:04.200 --> 00:08.100\nThe wind comes first.\n"


def long_vtt(count: int = 4_000) -> str:
    """Three hours of talking."""
    blocks = []
    for n in range(count):
        at, end = [
            f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}.{t}"
            for s, t in ((n * 27 // 10, "000"), (n * 27 // 10 + 2, "500"))
        ]
        blocks.append(f"{at} --> {end}\nLine number {n} is said by somebody in a long film.\n")
    return "WEBVTT\n\n" + "\n".join(blocks)


def put_subtitles(link: ReviewLink, video: platform.Video, **texts: str) -> None:
    """Subtitles on the platform, and their languages in the copy of the link, whose files lie on another host."""
    for lang, vtt in texts.items():
        platform.Subtitle.objects.create(video=video, lang=lang, label=lang, vtt=vtt)
    listed = [{"lang": lang, "label": lang.upper(), "url": f"https://media.example/{lang}.vtt"} for lang in texts]
    ReviewLink.objects.filter(pk=link.pk).update(
        video=link.video | {"captions": listed}, merged_at=timezone.now(), video_read_at=timezone.now()
    )


@pytest.fixture
def room(world: World, account: Account) -> Reviewer:
    """A link whose video has subtitles in two languages."""
    link = imported(account, world.link(), world.video.pk)
    Reviewer(link.pk).open()
    link.refresh_from_db()
    put_subtitles(link, world.video, pt=PORTUGUESE, en=ENGLISH)
    return Reviewer(link.pk)


def words(reviewer: Reviewer, query: str = "") -> str:
    """The part that script asks for."""
    response = reviewer.client.get(f"/{reviewer.link}/transcript?track=pt{query}", **PART)
    assert response.status_code == 200
    return page_of(response)


def test_room_shows_the_lines_with_their_times_speakers_and_nothing_of_their_markup(room: Reviewer) -> None:
    page = one_line(room.open("?tab=transcript&track=pt").content.decode())
    assert re.findall(r'class="sentence__time">([^<]+)<', page) == ["0:04", "0:11", "0:14", "0:38", "1:00"]
    assert '<span class="sentence__who" dir="auto">Joaquim</span>' in page
    assert "O vento chega antes do sol." in page
    assert "&lt;script&gt;" in page and "<script>" not in page
    assert 'aria-current="page" data-panel="transcript"' in page


def test_room_without_the_tab_reads_no_subtitles(room: Reviewer, calls: Callable[[str], int]) -> None:
    page = page_of(room.open())
    assert 'aria-current="page" data-panel="comments"' in page and "O vento" not in page
    assert calls("videos.read_subtitle") == 0
    words(room)
    words(room)
    room.poll()
    assert calls("videos.read_subtitle") == 1


def test_room_asks_once_who_may_read_its_subtitles_however_many_there_are(
    room: Reviewer, world: World, django_assert_max_num_queries: Any
) -> None:
    languages = {f"{first}{second}": ENGLISH for first in "abcde" for second in "vwxyz"}
    put_subtitles(ReviewLink.objects.get(), world.video, **languages)
    words(room, "&track=av")
    with django_assert_max_num_queries(11):
        assert page_of(room.open()).count("<track") == 25
    with django_assert_max_num_queries(12):
        assert page_of(room.open("?tab=transcript&track=av")).count("<option lang=") == 25


def test_languages_are_those_of_the_captions_and_the_readers_own_comes_first(room: Reviewer) -> None:
    assert "The wind comes first." in page_of(room.open("?tab=transcript"))
    assert "O vento" in page_of(room.open("?tab=transcript&track=pt"))
    assert "The wind comes first." in page_of(room.open("?tab=transcript&track=xx"))
    assert '<option lang="pt" value="pt">PT</option>' in page_of(room.open("?tab=transcript"))


def test_search_counts_results_and_leads_round_without_regard_to_case_and_accents(room: Reviewer) -> None:
    page = words(room, "&find=GRAO&hit=2")
    assert '<span class="find-row__count" role="status">2 of 2</span>' in page
    assert 'o <mark class="hit">grão</mark>' in page and '<mark class="hit hit--now">grão</mark>' in page
    assert page.count("find=GRAO&hit=1#transcript") == 2  # before the second, and after it
    assert "No results" in words(room, "&find=elephant")
    assert '<span class="find-row__count" role="status">2 of 2</span>' in words(room, "&find=grao&hit=99")


def test_search_finds_words_that_run_over_two_lines(room: Reviewer) -> None:
    page = words(room, "&find=o grão maduro")
    assert "1 of 1" in page
    assert re.findall(r"<mark[^>]*>([^<]+)</mark>", page) == ["o grão", "maduro"]


def test_rows_count_the_comments_between_them_and_lead_to_the_first(room: Reviewer, world: World) -> None:
    comments = [world.comment("Wind?", time=4), world.comment("Still wind.", time=10), world.comment("Late.", time=59)]
    world.comment("Before all.", time=1)
    sync.merge(ReviewLink.objects.get(), at_once=True)
    page = page_of(room.open("?tab=transcript&track=pt"))
    assert f'href="#c-{comments[0].pk}"' in page
    assert "2 comments at 0:04" in page and "1 comment at 0:38" in page and "comment at 0:11" not in page


def test_row_quotes_its_words_and_range_into_the_composer_as_the_platform_takes_them(room: Reviewer) -> None:
    page = page_of(room.open("?tab=transcript&track=pt&t=14&quote=2"))
    assert ">0:14-0:18 “maduro se conhece ‹script› pela cor (riso).”" in page
    assert 'id="at" name="time" value="0:14"' in page
    assert "0:38-0:39 “Cada grão" in page_of(room.open("?tab=transcript&track=pt&quote=3"))
    assert room.post("0:14-0:18 “maduro se conhece ‹script› pela cor (riso).”\nCut this.", "0:14").status_code == 302
    for nothing in ("99", "-1", "x", "²", ""):
        assert (
            "“"
            not in page_of(room.open(f"?tab=transcript&track=pt&quote={nothing}")).split("<textarea")[1].split("<")[0]
        )


def test_link_for_viewing_only_has_the_words_and_no_comment_button(room: Reviewer) -> None:
    assert words(room).count("data-quote") == 5
    ReviewLink.objects.update(allow_comment=False)
    page = words(room)
    assert "O vento" in page and "data-quote" not in page


def test_long_transcript_sends_the_rows_near_the_moment_and_is_found_as_a_whole(room: Reviewer, world: World) -> None:
    platform.Subtitle.objects.filter(lang="pt").update(vtt=long_vtt())
    platform.Video.objects.update(length=10_900)
    plain, page = page_of(room.open()), page_of(room.open("?tab=transcript&track=pt&t=5400"))
    assert page.count('<li class="sentence"') == 40 and 'data-total="4000"' in page
    assert 'data-n="2000" data-from="5400" data-to="5402.5" aria-current="true"' in page
    assert len(page) - len(plain) < 45_000
    assert 'data-n="3999"' in words(room, "&from=3980") and 'data-n="0"' in words(room, "&t=0")
    assert 'data-n="2345"' in words(room, "&find=number 2345 is")
    assert "1 of 1,000+" in words(room, "&find=line")
    sheet = page_of(room.client.get(f"/{room.link}/transcript?track=pt&print=1"))
    assert sheet.count('<li class="sheet__item"') == 4_000 and "Line number 3999" in sheet


def test_page_says_that_there_are_no_subtitles_and_that_none_can_be_read(room: Reviewer, world: World) -> None:
    link = ReviewLink.objects.get()
    link.accounts.clear()
    assert "No transcript on this link" in page_of(room.open("?tab=transcript"))
    ReviewLink.objects.update(video=link.video | {"captions": []})
    page = page_of(room.open("?tab=transcript"))
    assert "No subtitles, so no transcript" in page and 'id="find"' not in page


def test_transcript_that_fails_to_load_takes_nothing_else_with_it_and_comes_with_a_retry(
    room: Reviewer, faults: ModuleType, world: World
) -> None:
    faults.set("videos.read_subtitle", status=500)
    page = page_of(room.open("?tab=transcript&track=pt"))
    assert "The transcript could not be loaded." in page and "data-retry" in page
    assert '<textarea class="textarea composer__text"' in page and "<video" in page
    assert room.open("?tab=transcript&track=pt&quote=1").status_code == 200
    assert room.client.get(f"/{room.link}/transcript?print=1&track=pt").status_code == 302
    faults.clear()
    assert "O vento" in words(room)


def test_transcript_that_was_read_once_stays_when_the_platform_is_down(
    room: Reviewer, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    words(room)
    monkeypatch.setattr("review_portal.transcripts.KEEP_SECONDS", 0)
    faults.set("*", status=500)
    page = words(room)
    assert "O vento" in page and "Made from the subtitles in PT, read" in page


@pytest.mark.parametrize(
    ("vtt", "said"),
    [("WEBVTT\n\nNOTE nothing", "These subtitles have no words"), ("WEBVTT " + "x" * 2_000_001, "too long to show")],
)
def test_file_without_words_or_without_end_says_so(room: Reviewer, vtt: str, said: str) -> None:
    platform.Subtitle.objects.filter(lang="pt").update(vtt=vtt)
    assert said in words(room)


def test_addresses_with_nonsense_show_the_beginning(room: Reviewer) -> None:
    for query in (
        "&from=-1",
        "&from=x",
        "&from=99999999999999999999",
        "&hit=0&find=grao",
        "&t=abc",
        "&find=" + "a" * 999,
    ):
        assert "sentence__time" in words(room, query)
    assert 'data-n="4"' in words(room, "&from=50000")


def test_part_without_script_leads_to_the_room(room: Reviewer) -> None:
    response = room.client.get(f"/{room.link}/transcript?find=sol&track=pt")
    assert (response.status_code, response["Location"]) == (
        302, f"/{room.link}?find=sol&track=pt&tab=transcript#transcript"
    )  # fmt: skip


def test_closed_link_shows_no_transcript(room: Reviewer) -> None:
    ReviewLink.objects.update(expires_at=timezone.now() - timedelta(hours=1))
    for address in ("?tab=transcript&track=pt", "/transcript?track=pt&print=1", "?read=1&tab=transcript"):
        assert "O vento" not in page_of(Client().get(f"/{room.link}{address}"))


def test_search_knows_letters_that_fold_to_none_and_to_several() -> None:
    transcript = Transcript((Line(0, 1, "Straße e\u0301 ﬁm"), Line(1, 2, "fim")))
    assert transcript.search("strasse") == (Hit(1, 0, 0, 6),)
    assert transcript.search("fim") == (Hit(1, 0, 10, 12), Hit(2, 1, 0, 3))
    assert transcript.search("É fim") == (Hit(1, 0, 7, 12),)
    assert transcript.search("   ") == () and Transcript(()).search("a") == ()


def test_a_line_of_many_words_is_folded_once_for_all_its_results() -> None:
    words = "o grão e o vento " * 2_000
    long = Transcript((Line(0, 1, words),))
    hits: list[Hit] = []
    assert count_calls(lambda: hits.extend(long.search("GRAO"))) < 20 * len(words)
    assert len(hits) == 1_000 and hits[999] == Hit(1_000, 0, 999 * 17 + 2, 999 * 17 + 6)


def test_lines_are_in_the_order_of_their_times_and_repetitions_are_one() -> None:
    vtt = "WEBVTT\n\n00:05.000 --> 00:06.000\nB\n\n00:01.000 --> 00:09.000\nA\n\n00:09.500 --> 00:10.000\nB"
    assert transcripts.parse_transcript(vtt).lines == (Line(1, 9, "A"), Line(5, 6, "B"), Line(9.5, 10, "B"))
    rolled = "WEBVTT\n\n00:01.000 --> 00:02.000\nA\n\n00:02.500 --> 00:04.000\nA\n"
    assert transcripts.parse_transcript(rolled).lines == (Line(1, 4, "A"),)
    assert transcripts.parse_transcript(vtt).find_line(0.5) == 0 and transcripts.parse_transcript(vtt).find_line(9) == 1


def test_the_voices_of_one_cue_are_lines_of_their_own_and_the_first_is_the_one_of_now() -> None:
    vtt = "WEBVTT\n00:01.000 --> 00:02.000\n<v Ana>Ready?\n<v Rui>Yes!\n00:03.000 --> 00:04.000\n<v Rui>Go."
    transcript = transcripts.parse_transcript(vtt)
    assert transcript.lines == (Line(1, 2, "Ready?", "Ana"), Line(1, 2, "Yes!", "Rui"), Line(3, 4, "Go.", "Rui"))
    assert [transcript.find_line(second) for second in (0.5, 1.5, 3)] == [0, 0, 2]


def test_comments_of_a_cue_with_two_voices_stand_at_the_first(room: Reviewer, world: World) -> None:
    vtt = "WEBVTT\n00:04.000 --> 00:06.000\n<v Ana>Ready?\n<v Rui>Yes!"
    platform.Subtitle.objects.filter(lang="pt").update(vtt=vtt)
    world.comment("Wind?", time=4)
    sync.merge(ReviewLink.objects.get(), at_once=True)
    first, second = page_of(room.open("?tab=transcript&track=pt")).split("Ready?")
    assert ("1 comment at 0:04" in first) != ("1 comment at 0:04" in second.split("Yes!")[0])
    assert "1 comment at 0:04" not in second.split("Yes!")[1]


def test_transcript_is_read_from_the_public_file_where_the_api_gives_no_subtitles(
    room: Reviewer, faults: ModuleType
) -> None:
    faults.set("videos.read_subtitle", status=404)
    assert "O vento chega" in one_line(page_of(room.open("?tab=transcript&track=pt")))
