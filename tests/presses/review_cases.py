"""The forms of review links, in the portal and at the owner's desk, whose press leads to a call of the platform."""

from dashboard.sandbox import faults
from review_portal import cuts
from review_portal.models import Comment
from tests.forms import Typed
from tests.presses.browser import Found, find_form
from tests.presses.cases import Press, Room, World, case, undecided

POST, CHANGE = "public_review.create_comment", "public_review.update_comment"


@case("review_portal/_composer.html", script=True)
def post_a_first_comment(world: World) -> Press:
    room, person = world.room(), world.stranger()
    typed: Typed = {"user_name": "Ana", "text": "My first.", "time": "0:05"}
    return Press(person, person.form(room.path, f"{room.path}/comments"), typed, sends=(POST,), holds=True)


@case("review_portal/_reply.html", script=True)
def reply_to_a_comment(world: World) -> Press:
    room = world.room()
    person, _mine = room.reviewer()
    comment = room.comment()
    answer = person.get(f"{room.path}?reply={comment}")
    form = next(form for form in answer.forms(room.path) if form.id == "reply")
    return Press(person, (form, form.buttons[0]), {"user_name": "Ana", "text": "Agreed."}, sends=(POST,), holds=True)


@case("review_portal/_edit.html", script=True)
def edit_ones_own_comment(world: World) -> Press:
    room = world.room()
    person, mine = room.reviewer()
    form = next(form for form in person.get(f"{room.path}?edit={mine}").forms(room.path) if form.id == "edit")
    return Press(person, (form, form.buttons[0]), {"text": "Louder, please."}, sends=(CHANGE,))


@case("review_portal/_withdraw.html", script=True)
def withdraw_ones_own_comment(world: World) -> Press:
    room = world.room()
    person, mine = room.reviewer()
    form = next(form for form in person.get(f"{room.path}?withdraw={mine}").forms(room.path) if form.id == "withdraw")
    return Press(person, (form, form.buttons[0]), sends=(CHANGE,))


@case("review_portal/room.html", script=True)
def resolve_a_comment_at_a_first_visit(world: World) -> Press:
    room, person = world.room(), world.stranger()
    comment = room.comment()
    return Press(person, person.form(room.path, f"/comments/{comment}", "resolved"), sends=(CHANGE,))


def held(room: Room) -> Press:
    """A comment that is held, and the form under it."""
    person, _mine = room.reviewer()
    form, button = person.form(room.path, f"{room.path}/comments")
    typed = {"user_name": "Ana", "text": "Hold this.", "time": "0:06", "hold": "1"}
    answer = person.post((form, button), typed, script=True)
    return Press(person, find_form(answer, room.path, f"/submissions/{answer.headers['reelroom-submission']}", "send"))


@case("review_portal/_outbox.html", script=True)
def send_a_held_comment_now(world: World) -> Press:
    press = held(world.room())
    press.sends = (POST,)
    return press


@case("review_portal/_outbox.html", script=True)
def undo_a_held_comment(world: World) -> Press:
    press = held(world.room())
    form, _send = press.found
    press.found = form, next(button for button in form.buttons if button.value == "undo")
    return press


@case("review_portal/_outbox.html", script=True)
def send_an_unconfirmed_comment_again(world: World) -> Press:
    room = world.room()
    person, _mine = room.reviewer()
    form, button = person.form(room.path, f"{room.path}/comments")
    faults.set(POST, broken="lost", times=1)
    person.post((form, button), {"user_name": "Ana", "text": "Lost.", "time": "0:06"})
    undecided(POST)
    return Press(person, person.form(room.path, "/submissions/[^/]+", "again"), sends=(POST,), lost="dropped")


@case("review_links/_thread.html", script=True)
def resolve_a_comment_as_the_owner(world: World) -> Press:
    room = world.room()
    comment = room.comment()
    return Press(world.owner, world.owner.form(room.desk, f"/comments/{comment}/", "resolved"), sends=(CHANGE,))


@case("review_links/_changed.html", script=True)
def undo_a_resolve_from_its_toast(world: World) -> Press:
    room = world.room()
    form, button = world.owner.form(room.desk, f"/comments/{room.comment()}/", "resolved")
    answer = world.owner.post((form, button), script=True)
    undo = answer.forms(room.desk)[-1]
    return Press(world.owner, (undo, undo.buttons[0]), sends=(CHANGE,))


@case("review_links/_answer.html")
def answer_a_comment_as_the_owner(world: World) -> Press:
    room = world.room()
    page = f"{room.desk}?answer={room.comment()}"
    return Press(world.owner, world.owner.form(page, "/answers/"), {"text": "In cut 4."}, sends=(POST,))


@case("review_links/_edit.html")
def edit_the_owner_s_answer(world: World) -> Press:
    press = answer_a_comment_as_the_owner(world)
    answer = world.owner.post(press.found, press.typed)
    page = answer.headers["location"].partition("#")[0]
    edit = next(link for link in world.owner.get(page).links() if "edit=" in link)
    form = next(form for form in world.owner.get(edit).forms(edit) if form.id == "edit")
    return Press(world.owner, (form, form.buttons[0]), {"text": "In cut 5."}, sends=(CHANGE,))


@case("review_links/link.html")
def send_an_unconfirmed_comment_again_as_the_owner(world: World) -> Press:
    room = world.room()
    page = f"{room.desk}?answer={room.comment()}"
    faults.set(POST, broken="lost", times=1)
    world.owner.post(world.owner.form(page, "/answers/"), {"text": "In cut 4."})
    undecided(POST)
    return Press(world.owner, world.owner.form(room.desk, "/writes/[^/]+/", "again"), sends=(POST,), lost="dropped")


@case("review_links/create.html")
def create_a_link(world: World) -> Press:
    page = f"/dashboard/review-links/create/?video={world.video().pk}"
    found = world.owner.form(page, "/review-links/create/", "")
    return Press(world.owner, found, {"name": "Cut 4", "closes": "7"}, sends=("review_links.create",))


@case("review_links/_attempt.html")
def create_a_link_again(world: World) -> Press:
    press = create_a_link(world)
    faults.set("review_links.create", broken="lost", times=1)
    page = world.owner.post(press.found, press.typed).headers["location"]
    undecided("review_links.create")
    press.found, press.typed, press.lost = world.owner.form(page, page, "again"), {}, "dropped"
    return press


INBOX = "/dashboard/review-links/inbox/"


@case("review_links/_inbox_card.html", script=True)
def resolve_an_open_row_of_the_inbox(world: World) -> Press:
    return Press(world.owner, open_row(world, world.room().comment()), sends=(CHANGE,))


def open_row(world: World, comment: str) -> Found:
    """The form of the open row, with its button that resolves."""
    forms = world.owner.get(f"{INBOX}{comment}/").forms(INBOX)
    form = next(form for form in forms if ("from", comment) in form.filled({}))
    return form, next(button for button in form.buttons if button.value == "resolve")


@case("review_links/_inbox_list.html", script=True)
def resolve_a_selected_row_of_the_inbox(world: World) -> Press:
    comment = world.room().comment()
    form = next(form for form in world.owner.get(INBOX).forms(INBOX) if form.id == "picks")
    button = next(button for button in form.buttons if button.value == "resolve")
    return Press(world.owner, (form, button), {"pick": comment}, sends=(CHANGE,))


@case("review_links/_inbox_answer.html", script=True)
def answer_a_row_of_the_inbox(world: World) -> Press:
    comment = world.room().comment()
    form = next(form for form in world.owner.get(f"{INBOX}{comment}/").forms(INBOX) if form.id == "answer")
    button = next(button for button in form.buttons if (button.name, button.value) == ("then", ""))
    return Press(world.owner, (form, button), {"text": "In cut 4."}, sends=(POST,))


@case("review_links/_inbox_done.html")
def undo_what_the_inbox_resolved(world: World) -> Press:
    press = resolve_an_open_row_of_the_inbox(world)
    world.owner.post(press.found)
    form = next(form for form in world.owner.get(INBOX).forms(INBOX) if ("undo", "1") in form.filled({}))
    return Press(world.owner, (form, form.buttons[0]), sends=(CHANGE,))


@case("review_links/_inbox_undo.html", script=True)
def undo_what_the_inbox_resolved_from_its_toast(world: World) -> Press:
    press = resolve_an_open_row_of_the_inbox(world)
    answer = world.owner.post(press.found, script=True)
    form = next(form for form in answer.forms(INBOX) if ("undo", "1") in form.filled({}))
    return Press(world.owner, (form, form.buttons[0]), sends=(CHANGE,))


@case("review_portal/_checks.html", alike=False)
def add_what_is_not_fixed_to_the_next_cut(world: World) -> Press:
    earlier, room, person = world.room(), world.room(), world.stranger()
    comment = Comment.objects.get(comment_id=earlier.comment())
    assert cuts.place_after(world.account, room.link, earlier.link) is None
    page = f"{room.path}/from-cut"
    form = next(form for form in person.get(page).forms(page) if form.id == "carry")
    row = next(name.removeprefix("was-") for name, _value in form.filled({}) if name.startswith("was-"))
    typed: Typed = {f"answer-{row}": "not", "user_name": "Ana"}
    assert comment.link_id == earlier.link.pk
    return Press(person, (form, form.buttons[-1]), typed, sends=(POST,))
