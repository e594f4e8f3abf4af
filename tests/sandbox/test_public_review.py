"""Reviewers' comments: limits inside, on and outside; who may change what; the order of the refusals."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import ReviewComment
from tests.sandbox.world import NOBODY, NOW, REVIEWER, STRANGER, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def path(link_id: object, comment_id: object = "", token: str | None = REVIEWER) -> str:
    end = f"/{comment_id}" if comment_id else ""
    return f"/api/public-video-review/{link_id}/comments{end}" + ("" if token is None else f"?token={token}")


def body(**changes: Any) -> dict[str, Any]:
    whole = {"text": "Louder, please", "user_name": "Ana Lima", "time": 12}
    return {key: value for key, value in {**whole, **changes}.items() if value is not ...}


def post(api: Api, link_id: object, sent: Any, token: str | None = REVIEWER) -> Any:
    return api("POST", path(link_id, token=token), sent, token=None)


def put(api: Api, link_id: object, comment_id: object, sent: Any, token: str | None = REVIEWER) -> Any:
    return api("PUT", path(link_id, comment_id, token), sent, token=None)


def test_a_comment_is_answered_as_the_specification_shows_it(world: World, api: Api) -> None:
    status, made = post(api, world.link().id, body())
    assert status == 200
    assert made == {
        "id": made["id"],
        "video_id": str(world.video.id),
        "user_name": "Ana Lima",
        "text": "Louder, please",
        "status": "open",
        "time": 12,
        "reply_to": None,
        "created_at": "2026-11-20T12:00:00.000Z",
        "updated_at": "2026-11-20T12:00:00.000Z",
    }


@pytest.mark.parametrize("token", [None, "", "42", "5e55aaaa-0000-4000-8000-00000000000"])
def test_without_a_session_token_there_is_401_before_anything_else(world: World, api: Api, token: str | None) -> None:
    link, comment = world.link(), world.comment()
    assert post(api, link.id, {}, token) == UNAUTHORIZED
    assert post(api, NOBODY, {}, token) == UNAUTHORIZED
    assert put(api, link.id, comment.id, {}, token) == UNAUTHORIZED


def test_the_token_may_be_the_link_id(world: World, api: Api) -> None:
    link = world.link()
    assert post(api, link.id, body(), str(link.id))[0] == 200


@pytest.mark.parametrize("link_id", [NOBODY, "not-a-uuid"])
def test_a_link_that_is_not_there_is_not_found(world: World, api: Api, link_id: str) -> None:
    expected = refused("Review link not found", "NotFound", 404)
    assert post(api, link_id, body()) == expected
    assert put(api, link_id, world.comment().id, {"text": "x"}) == expected
    assert api("GET", path(link_id), token=None) == expected
    assert api("GET", f"/api/public-video-review/{link_id}?token={REVIEWER}", token=None) == expected


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({}, 200),
        ({"allow_comment": False}, 403),
        ({"status": "inactive"}, 403),
        ({"status": "revoked"}, 403),
        ({"expires_at": NOW}, 403),
        ({"expires_at": NOW - timedelta(days=1)}, 403),
        ({"expires_at": NOW + timedelta(milliseconds=1)}, 200),
        ({"allow_status_edit": False, "show_resolved": False}, 200),
    ],
)
def test_only_a_live_link_that_allows_comments_takes_them(
    world: World, api: Api, values: dict[str, Any], status: int
) -> None:
    assert post(api, world.link(**values).id, body())[0] == status


def test_a_closed_link_says_so_before_it_looks_at_the_body(world: World, api: Api) -> None:
    assert post(api, world.link(expires_at=NOW).id, {"text": "<"})[0] == 403
    assert post(api, world.link(allow_comment=False).id, b"{")[0] == 403


@pytest.mark.parametrize(("length", "status"), [(0, 400), (1, 200), (500, 200), (501, 400)])
def test_text_has_1_to_500_characters(world: World, api: Api, length: int, status: int) -> None:
    link, comment = world.link(), world.comment()
    assert post(api, link.id, body(text="ç" * length))[0] == status
    assert put(api, link.id, comment.id, {"text": "ç" * length})[0] == status


@pytest.mark.parametrize("letter", "<>{}[]")
def test_six_characters_are_not_allowed_in_text(world: World, api: Api, letter: str) -> None:
    link, comment = world.link(), world.comment()
    assert post(api, link.id, body(text=f"a {letter} b")) == refused("text must not contain < > { } [ ]")
    assert put(api, link.id, comment.id, {"text": letter})[0] == 400


def test_other_characters_are_kept_as_they_came(world: World, api: Api) -> None:
    text = "Ação → “já”, 50 % & 😀\nlinha 2 (ok) \\ / ' \""
    assert post(api, world.link().id, body(text=text))[1]["text"] == text


@pytest.mark.parametrize(("length", "status"), [(0, 400), (1, 200), (100, 200), (101, 400)])
def test_the_name_has_1_to_100_characters(world: World, api: Api, length: int, status: int) -> None:
    assert post(api, world.link().id, body(user_name="a" * length))[0] == status


@pytest.mark.parametrize(
    ("name", "status"),
    [("João da Silva", 200), ("ana.lima@example.org", 200), ("a-b_c.d 9", 200), ("D'Ávila", 400), ("a,b", 400)],
)
def test_the_name_has_letters_digits_and_five_signs(world: World, api: Api, name: str, status: int) -> None:
    assert post(api, world.link().id, body(user_name=name))[0] == status


@pytest.mark.parametrize("missing", ["text", "user_name", "time"])
def test_a_main_comment_needs_all_three(world: World, api: Api, missing: str) -> None:
    assert post(api, world.link().id, body(**{missing: ...})) == refused(f"{missing} is required")


@pytest.mark.parametrize(
    ("time", "status"), [(-1, 400), (0, 200), (90, 200), (91, 400), (1.5, 400), (2.0, 200), ("3", 400), (True, 400)]
)
def test_time_is_a_whole_second_within_the_video(world: World, api: Api, time: Any, status: int) -> None:
    link, comment = world.link(), world.comment()
    assert post(api, link.id, body(time=time))[0] == status
    assert put(api, link.id, comment.id, {"time": time})[0] == status


def test_a_fraction_of_the_last_second_does_not_count(world: World, api: Api) -> None:
    video = world.new_video(length=63.57)
    link = world.link(video)
    assert post(api, link.id, body(time=63))[0] == 200
    assert post(api, link.id, body(time=64)) == refused("time cannot be greater than the video duration")


def test_a_reply_inherits_its_time(world: World, api: Api) -> None:
    link, parent = world.link(), world.comment(time=33)
    for time in (..., None, 5, 4000):
        made = post(api, link.id, body(time=time, reply_to=str(parent.id)))[1]
        assert (made["time"], made["reply_to"]) == (33, str(parent.id))


def test_only_a_main_comment_of_the_same_video_can_be_replied_to(world: World, api: Api) -> None:
    link, parent = world.link(), world.comment()
    reply = world.comment(reply_to=parent)
    elsewhere = world.comment(world.new_video())
    for wrong in (reply.id, elsewhere.id, NOBODY):
        expected = refused("reply_to is not a valid sibling comment")
        assert post(api, link.id, body(reply_to=str(wrong))) == expected
    assert post(api, link.id, body(reply_to="42"))[0] == 400


def test_a_video_takes_30_main_comments_whatever_the_link(world: World, api: Api) -> None:
    for _ in range(29):
        world.comment()
    one, two = world.link(), world.link()
    thirtieth = post(api, one.id, body())
    assert thirtieth[0] == 200
    assert post(api, one.id, body()) == refused("Limit of 30 main comments reached")
    assert post(api, two.id, body()) == refused("Limit of 30 main comments reached")
    assert post(api, one.id, body(reply_to=thirtieth[1]["id"]))[0] == 200


def test_a_comment_takes_30_replies(world: World, api: Api) -> None:
    link, parent, other = world.link(), world.comment(), world.comment()
    for _ in range(29):
        world.comment(reply_to=parent)
    assert post(api, link.id, body(reply_to=str(parent.id)))[0] == 200
    assert post(api, link.id, body(reply_to=str(parent.id))) == refused("Limit of 30 replies reached")
    assert post(api, link.id, body(reply_to=str(other.id)))[0] == 200


def test_only_the_token_that_wrote_it_changes_the_text(world: World, api: Api) -> None:
    link, comment = world.link(), world.comment()
    assert put(api, link.id, comment.id, {"text": "Mine now"}, STRANGER) == UNAUTHORIZED
    assert put(api, link.id, comment.id, {"text": "Softer"}, REVIEWER.upper())[1]["text"] == "Softer"


def test_any_reviewer_changes_the_status_where_the_link_allows_it(world: World, api: Api) -> None:
    link, comment = world.link(), world.comment()
    for status in ("resolved", "resolved", "open"):
        assert put(api, link.id, comment.id, {"status": status}, STRANGER)[1]["status"] == status
    closed = world.link(allow_status_edit=False)
    assert put(api, closed.id, comment.id, {"status": "resolved"})[0] == 403
    assert put(api, closed.id, comment.id, {"text": "Still mine"})[0] == 200


def test_an_update_changes_only_what_was_sent(world: World, api: Api, clock: Frozen) -> None:
    link, comment = world.link(), world.comment()
    clock.travel(5)
    changed = put(api, link.id, comment.id, {"time": 60})[1]
    assert (changed["time"], changed["text"], changed["status"]) == (60, "Louder, please", "open")
    assert changed["updated_at"] == "2026-11-20T12:00:05.000Z"


def test_replies_move_with_their_parent_and_not_alone(world: World, api: Api) -> None:
    link, parent = world.link(), world.comment()
    reply = world.comment(reply_to=parent)
    put(api, link.id, parent.id, {"time": 60})
    assert ReviewComment.objects.get(pk=reply.id).time == 60
    assert put(api, link.id, reply.id, {"time": 61})[0] == 400


@pytest.mark.parametrize("sent", [{}, {"status": "done"}, {"status": None}, {"text": 5}, {"user_name": "x"}, [], b"{"])
def test_an_update_that_says_nothing_valid_is_refused(world: World, api: Api, sent: Any) -> None:
    assert put(api, world.link().id, world.comment().id, sent)[0] == 400


def test_a_comment_of_another_video_is_not_found(world: World, api: Api) -> None:
    link = world.link()
    expected = refused("Comment not found", "NotFound", 404)
    for wrong in (NOBODY, "42", world.comment(world.new_video()).id):
        assert put(api, link.id, wrong, {"status": "resolved"}) == expected


def test_the_order_of_an_update_is_401_404_403_404_401_403_400(world: World, api: Api) -> None:
    comment = world.comment()
    expired = world.link(expires_at=NOW, allow_status_edit=False)
    strict = world.link(allow_status_edit=False)
    both = {"text": "<", "status": "wrong"}
    assert put(api, expired.id, NOBODY, both, STRANGER)[0] == 403
    assert put(api, strict.id, NOBODY, both, STRANGER)[0] == 404
    assert put(api, strict.id, comment.id, both, STRANGER)[0] == 401
    assert put(api, strict.id, comment.id, both, REVIEWER)[0] == 403
    assert put(api, world.link().id, comment.id, both, REVIEWER)[0] == 400


@pytest.mark.parametrize("values", [{"status": "inactive"}, {"expires_at": NOW}])
def test_a_closed_link_takes_no_update(world: World, api: Api, values: dict[str, Any]) -> None:
    assert put(api, world.link(**values).id, world.comment().id, {"text": "late"})[0] == 403


def test_the_link_can_be_read_with_its_video_even_when_it_has_expired(world: World, api: Api) -> None:
    link = world.link(expires_at=NOW)
    status, shown = api("GET", f"/api/public-video-review/{link.id}?token={STRANGER}", token=None)
    assert (status, shown["id"], shown["video"]["title"]) == (200, str(link.id), "Interview")
    assert shown["video"]["length"] == 90


def test_comments_are_read_by_time_with_replies_under_their_parent(world: World, api: Api) -> None:
    late = world.comment(time=50, text="late")
    early = world.comment(time=5, text="early")
    world.comment(time=5, reply_to=early, text="reply", token=UUID(STRANGER))
    shown = api("GET", path(world.link().id, token=STRANGER), token=None)[1]
    assert [one["text"] for one in shown] == ["early", "reply", "late"]
    assert str(late.token) not in str(shown)


def test_resolved_ones_are_hidden_with_their_replies_where_the_link_hides_them(world: World, api: Api) -> None:
    done = world.comment(status="resolved", text="done")
    world.comment(reply_to=done, text="thanks")
    world.comment(text="open")
    hiding, showing = world.link(show_resolved=False), world.link()
    assert [one["text"] for one in api("GET", path(hiding.id), token=None)[1]] == ["open"]
    assert len(api("GET", path(showing.id), token=None)[1]) == 3
