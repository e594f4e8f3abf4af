"""Drawings: checked strictly, kept once with their comment, shown in words and shapes, gone when it is withdrawn."""

import json
import re
import uuid
from copy import deepcopy
from datetime import timedelta
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.writes.models import State, Write
from review_portal import drawings
from review_portal.drawings import CHARACTERS_MOST, PEN_POINTS_MOST, SHAPES_MOST, BadDrawing, parse_sketch
from review_portal.exports.files import MARKERS
from review_portal.exports.timecode import RATES
from review_portal.models import Comment, CommentDrawing, ReviewLink
from tests.conftest import signed_in
from tests.pages import page_of
from tests.review_portal.conftest import Reviewer, World, imported, over, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ARROW = {"kind": "arrow", "colour": "yellow", "points": [5000, 5000, 5000, 8000]}
SKETCH: dict[str, Any] = {
    "size": [1920, 1080],
    "shapes": [
        {"kind": "rect", "colour": "yellow", "points": [2200, 4700, 7600, 6300]},
        ARROW,
        {"kind": "ellipse", "colour": "white", "points": [6000, 1000, 8000, 4000]},
        {"kind": "pen", "colour": "red", "points": [5500, 4900, 6300, 5300, 8000, 5700]},
        {"kind": "number", "colour": "blue", "points": [2200, 4700]},
    ],
}
WORDS = [
    "Rectangle, in the centre, 54% wide, 16% high, yellow",
    "Arrow, from the centre down, yellow",
    "Ellipse, in the upper right, 20% wide, 30% high, white",
    "Pen line, on the right, red",
    "Number 1, on the left, blue",
]


@pytest.fixture
def reviewer(opened: Reviewer) -> Reviewer:
    return opened


def draw(reviewer: Reviewer, text: str = "Lower it to the arrow.", sketch: object = SKETCH, **fields: str) -> Any:
    return reviewer.post(text, "0:42", frame="42440000", drawing=json.dumps(sketch), **fields)


def still_of(reviewer: Reviewer) -> str:
    return f"/{reviewer.link}/d/{CommentDrawing.objects.get().short}"


def test_comment_carries_its_drawing_and_the_platform_the_address_of_its_still(reviewer: Reviewer) -> None:
    draw(reviewer)
    assert theirs().get().text == f"Lower it to the arrow.\nhttp://testserver{still_of(reviewer)}"
    assert theirs().get().time == 42
    shown = page_of(reviewer.open(""))
    assert "http://testserver" not in shown.split('id="composer"')[0], "our own page shows it as a still"
    assert 'href="?t=42.44"' in shown and "Open frame 00:00:42.440." in shown
    for words in WORDS:
        assert words in shown
    assert "0:42, Ana Prado, Open, with a drawing" in shown


def test_still_page_says_who_when_and_what_without_script(reviewer: Reviewer) -> None:
    draw(reviewer)
    answer = Client().get(still_of(reviewer))
    still = unescape(answer.content.decode())
    assert answer.status_code == 200
    assert "Drawing at 00:00:42.440 by Ana Prado" in still and "Lower it to the arrow." in still
    assert all(f"<li>{words}</li>" in still for words in WORDS)
    assert f'href="/{reviewer.link}?t=42.44#c-{theirs().get().pk}"' in still
    assert "testserver" not in still.split("<main")[1]


def test_still_is_of_its_link_and_video_alone(world: World, reviewer: Reviewer) -> None:
    draw(reviewer)
    short = CommentDrawing.objects.get().short
    beside = Reviewer(world.link(name="Second"))
    beside.open()
    assert beside.client.get(f"/{beside.link}/d/{short}").status_code == 200, "the same video, which shows the comment"
    other = type(world.video).objects.create(organization=world.organization, user=world.user, title="Other", length=9)
    stranger = Reviewer(world.link(video=other))
    stranger.open()
    for address in (f"/{stranger.link}/d/{short}", f"/{reviewer.link}/d/{short}0", f"/{uuid.uuid4()}/d/{short}"):
        assert Client().get(address).status_code == 404


def test_link_that_hides_resolved_comments_hides_their_drawings(world: World) -> None:
    reviewer = Reviewer(world.link(show_resolved=False))
    reviewer.open()
    draw(reviewer)
    address = still_of(reviewer)
    assert Client().get(address).status_code == 200
    reviewer.change(theirs().get().pk, status="resolved")
    assert Client().get(address).status_code == 404


def changed(**fields: object) -> dict[str, Any]:
    return deepcopy(SKETCH) | fields


def shaped(**fields: object) -> dict[str, Any]:
    return changed(shapes=[ARROW | fields])


@pytest.mark.parametrize(
    "sketch",
    [
        [], "x", None, 5, {}, changed(size=[1920]), changed(size=[0, 1080]), changed(size=[20001, 20001]),
        changed(size=[1100, 100]), changed(size="1920x1080"), changed(size=[1920.5, 1080]), changed(shapes=[]),
        changed(shapes={}), changed(more=1), changed(shapes=[5]), shaped(kind="text"), shaped(kind=["arrow"]),
        shaped(colour="black"), shaped(colour=None), shaped(points=[0, 0]), shaped(points=[0, 0, 1]),
        shaped(points=[0, 0, 1, 1, 2, 2]), shaped(points=[0, 0, 10001, 1]), shaped(points=[-1, 0, 1, 1]),
        shaped(points=[0.5, 0, 1, 1]), shaped(points=[True, 0, 1, 1]), shaped(points="0 0 1 1"),
        shaped(points=[0, 0, 1, "1"]), shaped(text="words"), shaped(kind="number"), shaped(kind="pen", points=[1, 1]),
        shaped(kind="pen", points=[1] * (2 * PEN_POINTS_MOST + 2)), changed(shapes=[ARROW] * (SHAPES_MOST + 1)),
    ],
)  # fmt: skip
def test_what_is_no_drawing_is_refused_with_a_sentence_and_nothing_is_sent(reviewer: Reviewer, sketch: object) -> None:
    answer = draw(reviewer, sketch=sketch)
    assert answer.status_code == 422
    said = unescape(answer.content.decode())
    assert "The drawing cannot be read" in said or "The drawing has too many shapes" in said
    assert "Lower it to the arrow." in said and not theirs().exists() and not Write.objects.exists()


@pytest.mark.parametrize(
    "typed", ["{", "[" * 50_000, "NaN", " " * (CHARACTERS_MOST + 1), '{"size": [1e400, 1], "shapes": [1]}']
)
def test_what_is_no_json_is_no_drawing(typed: str) -> None:
    with pytest.raises(BadDrawing):
        parse_sketch(typed)


def test_largest_drawing_is_taken() -> None:
    pen = {"kind": "pen", "colour": "green", "points": [0, 10000] * PEN_POINTS_MOST}
    typed = json.dumps(changed(shapes=[pen] * 10 + [ARROW] * (SHAPES_MOST - 10)), separators=(",", ":"))
    assert parse_sketch(typed).to_kept() == json.loads(typed)


def test_address_counts_among_the_500_characters(reviewer: Reviewer) -> None:
    suffix = len(f"\nhttp://testserver/{reviewer.link}/d/0123456789")
    assert f'data-suffix="{suffix}"' in page_of(reviewer.open(""))
    refused = unescape(draw(reviewer, "x" * (501 - suffix)).content.decode())
    assert f"Shorten it to {500 - suffix} characters. It has {501 - suffix}." in refused
    draw(reviewer, "x" * (500 - suffix))
    assert len(theirs().get().text) == 500


def test_owner_can_keep_the_address_from_the_platform(world: World, reviewer: Reviewer, account: Account) -> None:
    imported(account, reviewer.link, world.video.pk)
    desk = signed_in(Client(), world.token.value)
    address = f"/dashboard/review-links/{reviewer.link}/drawings/"
    assert "Turn addresses off" in desk.get(f"/dashboard/review-links/{reviewer.link}/").content.decode()
    desk.post(address, {"drawings": "off"})
    assert not ReviewLink.objects.get(pk=reviewer.link).address_drawings
    draw(reviewer)
    assert theirs().get().text == "Lower it to the arrow."
    assert WORDS[1] in page_of(reviewer.open(""))
    desk.post(address, {"drawings": "on"})
    assert ReviewLink.objects.get(pk=reviewer.link).address_drawings


def test_stranger_cannot_switch_the_addresses_of_a_link(reviewer: Reviewer, stranger: Account) -> None:
    desk = signed_in(Client(), "token-of-others")
    assert desk.post(f"/dashboard/review-links/{reviewer.link}/drawings/", {"drawings": "off"}).status_code == 404


@pytest.mark.parametrize("broken", ["lost", "stalls"])
def test_drawing_and_comment_are_kept_once_together_whatever_happens_to_the_answer(
    reviewer: Reviewer, faults: ModuleType, broken: str
) -> None:
    key = str(uuid.uuid4())
    faults.set("public_review.create_comment", broken=broken)
    draw(reviewer, key=key)
    over()
    faults.clear()
    draw(reviewer, key=key)
    over(30)
    assert theirs().count() == 1
    drawing = CommentDrawing.objects.get()
    assert drawing.comment_id == theirs().get().pk
    assert theirs().get().text.endswith(f"/d/{drawing.short}")


def test_drawing_waits_with_its_comment_while_the_platform_is_away(reviewer: Reviewer, faults: ModuleType) -> None:
    faults.set("public_review.create_comment", broken="refused")
    draw(reviewer)
    assert not CommentDrawing.objects.exists() and "Lower it to the arrow." in page_of(reviewer.open(""))
    faults.clear()
    over(3600)
    assert CommentDrawing.objects.get().comment_id == theirs().get().pk


def test_held_comment_gives_its_drawing_back_when_it_is_undone(reviewer: Reviewer) -> None:
    reviewer.script = True
    draw(reviewer, hold="1")
    reviewer.script = False
    answer = reviewer.act(Write.objects.get(state=State.HELD), "undo")
    returned = page_of(reviewer.open(answer["Location"].split(str(reviewer.link))[1].split("#")[0]))
    assert json.loads(re.findall(r'name="drawing" value="(.*?)" data-suffix', returned)[0]) == SKETCH
    assert not theirs().exists() and not CommentDrawing.objects.exists()


def test_reply_has_no_drawing(reviewer: Reviewer) -> None:
    draw(reviewer)
    reviewer.post("A reply.", reply_to=str(theirs().get().pk), drawing=json.dumps(SKETCH))
    assert theirs().get(text="A reply.").reply_to_id == theirs().get(reply_to=None).pk
    assert CommentDrawing.objects.count() == 1


def test_edit_of_the_words_keeps_the_drawing_and_its_address(reviewer: Reviewer) -> None:
    draw(reviewer)
    comment, short = theirs().get().pk, CommentDrawing.objects.get().short
    assert 'name="opened_text" value="Lower it to the arrow."' in page_of(reviewer.open(f"?edit={comment}"))
    reviewer.change(comment, text="Lower it.", opened_text="Lower it to the arrow.", time="0:42")
    assert theirs().get().text == f"Lower it.\nhttp://testserver/{reviewer.link}/d/{short}"
    assert WORDS[1] in page_of(reviewer.open(""))
    again = reviewer.change(comment, text="Lower it.", opened_text="Lower it.", time="0:42")
    assert "Nothing was changed." in again.content.decode()


def test_edit_changes_deletes_and_adds_a_drawing(reviewer: Reviewer) -> None:
    draw(reviewer)
    comment, address = theirs().get().pk, still_of(reviewer)
    reviewer.change(comment, text="Lower it.", drawing=json.dumps(changed(shapes=[ARROW])))
    assert [shape["kind"] for shape in CommentDrawing.objects.get().sketch["shapes"]] == ["arrow"]
    assert still_of(reviewer) == address and theirs().get().text.endswith(address)
    reviewer.change(comment, text="Lower it.", drawing="")
    assert not CommentDrawing.objects.exists() and theirs().get().text == "Lower it."
    assert Client().get(address).status_code == 404
    reviewer.change(comment, text="Lower it.", drawing=json.dumps(SKETCH))
    assert theirs().get().text == f"Lower it.\nhttp://testserver{still_of(reviewer)}"


def test_nobody_changes_the_drawing_of_another(reviewer: Reviewer) -> None:
    draw(reviewer)
    other = Reviewer(reviewer.link, "Bruno")
    other.post("Mine.")
    answer = other.change(theirs().get(user_name="Ana Prado").pk, text="Mine now.", drawing="")
    assert answer.status_code == 403 and CommentDrawing.objects.exists()
    assert "data-sketch" in page_of(reviewer.open("")) and "data-sketch" not in page_of(other.open(""))


def test_withdrawal_takes_the_drawing_with_it(reviewer: Reviewer) -> None:
    draw(reviewer)
    address = still_of(reviewer)
    reviewer.change(theirs().get().pk, withdraw="1")
    assert theirs().get().text == "Withdrawn by its writer."
    assert not CommentDrawing.objects.exists() and Client().get(address).status_code == 404


def test_change_that_was_not_confirmed_leaves_the_drawing_until_it_is(reviewer: Reviewer, faults: ModuleType) -> None:
    draw(reviewer)
    faults.set("public_review.update_comment", broken="stalls")
    reviewer.change(theirs().get().pk, withdraw="1")
    assert CommentDrawing.objects.exists()
    faults.clear()
    reviewer.act(Write.objects.get(state=State.UNCONFIRMED), "confirm")
    assert not CommentDrawing.objects.exists()


def test_comment_that_its_writer_says_arrived_keeps_its_drawing_at_the_address_it_was_sent_with(
    world: World, reviewer: Reviewer, faults: ModuleType
) -> None:
    faults.set("public_review.create_comment", broken="stalls")
    draw(reviewer)
    reviewer.act(Write.objects.get(state=State.UNCONFIRMED), "confirm")
    drawing = CommentDrawing.objects.get()
    assert drawing.comment_id is None
    still = unescape(Client().get(still_of(reviewer)).content.decode())
    assert "Drawing at 0:42 by Ana Prado" in still and WORDS[1] in still
    beside = Reviewer(world.link(name="Second"))
    beside.open()
    assert Client().get(f"/{beside.link}/d/{drawing.short}").status_code == 404


def test_still_of_an_expired_link_stays_readable_and_one_switched_off_shows_nothing(reviewer: Reviewer) -> None:
    draw(reviewer)
    address = still_of(reviewer)
    ReviewLink.objects.update(expires_at=timezone.now() - timedelta(days=1))
    expired = unescape(Client().get(address).content.decode())
    assert WORDS[1] in expired and "Lower it to the arrow." in expired
    ReviewLink.objects.update(expires_at=timezone.now() + timedelta(days=1), status="inactive")
    closed = Client().get(address)
    assert closed.status_code == 403
    assert WORDS[1] not in closed.content.decode() and "Lower it" not in closed.content.decode()
    assert Client().get(f"/{reviewer.link}/drawing-tools").status_code == 403


def test_files_and_paper_hold_the_drawing(reviewer: Reviewer) -> None:
    draw(reviewer)
    get = reviewer.client.get
    record = json.loads(get(f"/{reviewer.link}/export.json").content)["comments"][0]
    assert record["drawing"] == {"words": f"Drawing: {'; '.join(WORDS)}", **SKETCH}
    assert record["text"] == "Lower it to the arrow."
    for extension in ("csv", "txt", "edl", "fcpxml", "xml"):
        file = unescape(get(f"/{reviewer.link}/export.{extension}").content.decode())
        assert WORDS[1] in file and "testserver" not in file
    paper = unescape(get(f"/{reviewer.link}/print").content.decode())
    assert WORDS[1] in paper and '<path class="stroke__line"' in paper


def test_marker_files_of_every_rate_name_the_drawing_once(reviewer: Reviewer) -> None:
    draw(reviewer)
    for rate in RATES:
        for extension in MARKERS:
            address = f"/{reviewer.link}/export.{extension}?fps={rate}&start=01:00:00:00"
            file = unescape(reviewer.client.get(address).content.decode())
            assert file.count(f"Drawing: {WORDS[0]}") == 1, (rate, extension)


def test_desk_shows_the_words_without_the_address(world: World, reviewer: Reviewer, account: Account) -> None:
    draw(reviewer)
    imported(account, reviewer.link, world.video.pk)
    desk = signed_in(Client(), world.token.value)
    for address in (f"{reviewer.link}/", f"videos/{world.video.pk}/"):
        shown = unescape(desk.get(f"/dashboard/review-links/{address}").content.decode())
        assert "Lower it to the arrow." in shown and "http://testserver/" + f"{reviewer.link}/d/" not in shown
        assert WORDS[1] in shown


def test_words_and_shapes_are_in_the_language_of_the_reader(reviewer: Reviewer) -> None:
    draw(reviewer)
    for language, words in (("pt-br", "Seta, do centro para baixo, amarelo"), ("es", "Flecha, del centro hacia abajo")):
        assert words in unescape(Client(headers={"Accept-Language": language}).get(still_of(reviewer)).content.decode())


@pytest.mark.parametrize(
    ("video", "says", "draws"),
    [
        ({"mp4_url": "https://media.example/f.mp4"}, "Drawing needs JavaScript.", True),
        ({"player_url": "https://player.example/p"}, "You can't draw here: the platform's player", False),
        ({}, "The video is not available here.", False),
    ],
)
def test_room_says_why_nobody_can_draw_in_it(reviewer: Reviewer, video: dict[str, str], says: str, draws: bool) -> None:
    link = ReviewLink.objects.get(pk=reviewer.link)
    kept = {"title": "Film", "length": 168.4, "poster": "", "player_url": "", "hls_url": "", "mp4_url": ""}
    ReviewLink.objects.filter(pk=link.pk).update(video=kept | video)
    shown = page_of(reviewer.open(""))
    assert says in shown and ("data-draw " in shown or "data-draw>" in shown or "data-draw\n" in shown) == draws


def test_every_shape_is_drawn_and_named_on_a_tall_picture_too() -> None:
    sketch = parse_sketch(json.dumps(changed(size=[1080, 1920])))
    assert drawings.get_height(sketch) == 2844
    svg = drawings.render_sketch(sketch)
    assert svg.count('class="stroke__line"') == 4 and ">1</text>" in svg
    assert 'd="M352 1337H1216V1792H352Z"' in svg
    rect, arrow, ellipse, pen, _number = parse_sketch(
        json.dumps(SKETCH)
    ).shapes  # as in tests/javascript/sketch.test.mjs
    assert drawings.build_path(rect, 2844) == "M352 1337H1216V1792H352Z"
    assert drawings.build_path(arrow, 900) == "M800 450L800 720M844 676L800 720L756 676"
    assert drawings.build_path(ellipse, 900) == "M960 225a160 135 0 1 0 320 0a160 135 0 1 0 -320 0Z"
    assert drawings.build_path(pen, 900) == "M880 441L1008 477L1280 513"
    assert drawings.describe_shapes(sketch) == WORDS


def test_comments_with_drawings_of_one_link_are_read_in_as_many_queries_as_one(
    reviewer: Reviewer, django_assert_max_num_queries: Any
) -> None:
    for number in range(5):
        draw(reviewer, f"Number {number}.")
    assert Comment.objects.count() == 5
    with django_assert_max_num_queries(25):
        reviewer.open()


def test_no_page_and_no_mail_shows_a_drawing_over_the_video_s_poster(
    reviewer: Reviewer, account: Account, world: World
) -> None:
    link = imported(account, reviewer.link, world.video.pk)
    poster = "/sandbox/media/posters/film.svg"
    ReviewLink.objects.filter(pk=link.pk).update(video={**link.video, "poster": poster})
    draw(reviewer)
    for address in (f"/{reviewer.link}", f"/{reviewer.link}/print", still_of(reviewer)):
        shown = unescape(reviewer.client.get(address).content.decode())
        assert 'class="drawing"' in shown and f'src="{poster}"' not in shown, address
    assert poster not in reviewer.client.get(f"/{reviewer.link}/drawing-tools").content.decode()
    desk = signed_in(Client(), world.token.value)
    for address in (f"/dashboard/review-links/{link.pk}/", f"/dashboard/review-links/{link.pk}/print/"):
        shown = desk.get(address).content.decode()
        assert 'class="drawing"' in shown and poster not in shown, address
