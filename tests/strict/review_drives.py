"""Drives of review comments, in the portal of a link that was created here (4.7, 4.8)."""

from tests.presses.browser import Answer, find_form
from tests.strict import world as names
from tests.strict.checks import UUID
from tests.strict.drives import HERE, Desk, drive, says
from tests.strict.person import Person

ROOM = f"/{names.LINK}"
COMMENTS = f"/base/public-video-review/{names.LINK}/comments"


def open_room(desk: Desk, language: str = "en") -> Person:
    """A reviewer without a cookie, at a link that the owner created. Nothing of that is in the journal."""
    page = f"{HERE}/review-links/create/?video={names.PLAIN}"
    desk.owner.press(desk.owner.form(page, "/review-links/create/", ""), {"name": "Cut 4", "closes": "7"})
    assert desk.platform.world.links, "the link was created"
    desk.platform.calls.clear()
    return Person(language=language)


def comment_on(desk: Desk, reviewer: Person) -> tuple[Answer, str]:
    """The room after a first comment, and the comment's id. Nothing of that is in the journal."""
    answer = reviewer.press(
        reviewer.form(ROOM, "/comments"), {"user_name": "Ana Prado", "text": "Louder here.", "time": "0:05"}
    )
    desk.platform.calls.clear()
    return answer, str(desk.platform.world.comments[0]["id"])


@drive("comments.create")
def post_a_comment(desk: Desk) -> None:
    reviewer = open_room(desk)
    typed = {"user_name": "Ana Prado", "text": "Louder here.", "time": "0:05"}
    answer = reviewer.press(reviewer.form(ROOM, "/comments"), typed)
    token = desk.platform.writes[0].token
    call = desk.arrived("comments.create", {"text": "Louder here.", "user_name": "Ana Prado", "time": 5}, token=token)
    assert call.path == COMMENTS and token and UUID.fullmatch(token) and token not in answer.text
    says(answer, "Louder here.", "Ana Prado")


@drive("comments.create")
def reply_to_a_comment(desk: Desk) -> None:
    reviewer = open_room(desk)
    _answer, comment = comment_on(desk, reviewer)
    page = f"{ROOM}?reply={comment}"
    form = next(form for form in reviewer.get(page).forms(page) if form.id == "reply")
    answer = reviewer.press((form, form.buttons[0]), {"user_name": "Ana Prado", "text": "And here."})
    token = desk.platform.writes[0].token
    body = {"text": "And here.", "user_name": "Ana Prado", "reply_to": comment}
    desk.arrived("comments.create", body, token=token)
    says(answer, "And here.")


@drive("comments.update")
def edit_ones_own_comment(desk: Desk) -> None:
    reviewer = open_room(desk)
    _answer, comment = comment_on(desk, reviewer)
    page = f"{ROOM}?edit={comment}"
    form = next(form for form in reviewer.get(page).forms(page) if form.id == "edit")
    answer = reviewer.press((form, form.buttons[0]), {"text": "Louder, please."})
    token = desk.platform.writes[0].token
    call = desk.arrived("comments.update", {"text": "Louder, please."}, token=token)
    assert call.path == f"{COMMENTS}/{comment}"
    says(answer, "Louder, please.")


@drive("comments.update")
def resolve_a_comment_as_another_reviewer(desk: Desk) -> None:
    author = open_room(desk)
    _answer, comment = comment_on(desk, author)
    other = Person()
    other.press(find_form(other.get(ROOM), ROOM, f"/comments/{comment}", "resolved"))
    token = desk.platform.writes[0].token
    desk.arrived("comments.update", {"status": "resolved"}, token=token)
    assert desk.platform.world.comments[0]["status"] == "resolved"


@drive("comments.create")
def answer_a_comment_as_the_owner(desk: Desk) -> None:
    _answer, comment = comment_on(desk, open_room(desk))
    page = f"{HERE}/review-links/{names.LINK}/?answer={comment}"
    answer = desk.owner.press(desk.owner.form(page, "/answers/"), {"text": "In cut 5."})
    sent = desk.platform.writes[0]
    desk.arrived(
        "comments.create",
        {"text": "In cut 5.", "user_name": sent.body["user_name"], "reply_to": comment},
        token=sent.token,
    )
    says(answer, "In cut 5.")
