"""Every refusal of section 7 of a write: what the platform answers, in which form it comes back, and what has to be said."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.forms import Typed
from tests.presses.browser import Answer, find_form
from tests.strict import world as names
from tests.strict.drives import HERE, Desk
from tests.strict.person import Person
from tests.strict.review_drives import ROOM, comment_on, open_room
from tests.strict.world import Record


@dataclass(frozen=True)
class Refusal:
    """One row of section 7. `said`: a part of what the page says in English; `at`: the field of the form that it is at."""

    status: int
    message: str
    said: str
    at: str = ""
    key: str = "message"

    @property
    def body(self) -> Record:
        """Live start's body is documented; the public shape of the others is `message` or `errMsg`."""
        if self.key == "errMsg":
            return {"errCode": {400: "BadRequest", 404: "NotFound"}.get(self.status, "Error"), "errMsg": self.message}
        return {self.key: self.message}


@dataclass(frozen=True)
class Pressed:
    """What a press was answered, and what had been typed."""

    answer: Answer
    typed: Typed = field(default_factory=dict)


Opened = Callable[[str], Pressed]
"""Presses the form in a language."""


@dataclass(frozen=True)
class Form:
    """A form of the product with the refusals that it may meet. `open`: comes to it once, and gives its press."""

    operation: str
    open: Callable[[Desk], Opened]
    refusals: tuple[Refusal, ...]

    def __str__(self) -> str:
        return self.open.__name__


def _pressing(person: Person, page: str, to: str, typed: Typed, button: str | None = None) -> Opened:
    """Fills and presses the form that `page` has."""

    def press(language: str) -> Pressed:
        found = person.form(page, to, button)
        person.language = language
        answer = person.press(found, typed)
        person.language = "en"
        return Pressed(answer, typed)

    return press


def start_a_live(desk: Desk) -> Opened:
    page = f"{HERE}/lives/{names.LIVE}/start/"
    return _pressing(desk.owner, page, page, {})


def add_videos_to_a_funnel(desk: Desk) -> Opened:
    board = f"{HERE}/funnels/{names.FUNNEL}/"
    desk.owner.press(desk.owner.form(f"{board}add/", "/add/"), {"video": names.SPOKEN})
    typed = {f"x-{names.SPOKEN}": "321", "entry": names.SPOKEN}
    desk.owner.press(desk.owner.form(board, "/arrange/", "keep"), typed)
    return _pressing(desk.owner, f"{board}review/", "/send/", {})


def delete_a_playlist(desk: Desk) -> Opened:
    page = f"{HERE}/playlists/{names.PLAYLIST}/delete/"

    def press(language: str) -> Pressed:
        held = desk.owner.press(desk.owner.form(page, page, ""), {"name": "Best of the valley"})
        desk.owner.language = language
        answer = desk.owner.press(find_form(held, page, "/send/"))
        desk.owner.language = "en"
        return Pressed(answer)

    return press


def create_a_sub_account(desk: Desk) -> Opened:
    page = f"{HERE}/sub-accounts/create/"
    typed = {
        "name": "Marca do Cliente", "tax_id": "529.982.247-25", "phone": "+55 11 91234-5678", "currency": "usd",
        "user_name": "Ana Prado", "user_email": "ana@example.com",
    }  # fmt: skip
    return _pressing(desk.owner, page, page, typed)


def create_a_review_link(desk: Desk) -> Opened:
    page = f"{HERE}/review-links/create/?video={names.PLAIN}"
    return _pressing(desk.owner, page, "/review-links/create/", {"name": "Cut 4", "closes": "14"}, "")


def change_a_custom_field(desk: Desk) -> Opened:
    page = f"{HERE}/custom-fields/videos/{names.SPOKEN}/"
    return _pressing(desk.owner, page, f"/{names.FIELD}/", {"key": "tone", "value": "bright"}, "")


def edit_a_test(desk: Desk) -> Opened:
    page = f"{HERE}/ab-tests/{names.RUNNING}/edit/"
    return _pressing(desk.owner, page, page, {"name": "Last words"}, "")


def make_subtitles(desk: Desk) -> Opened:
    page = f"{HERE}/subtitles/?type=TRANSLATION&tier=pro&from_lang=pt-BR&to_lang=it&video={names.SPOKEN}"

    def press(language: str) -> Pressed:
        form, _last = desk.owner.form(page, "/plan/")
        check = next(button for button in form.buttons if button.name == "check")
        checked = desk.owner.press((form, check))
        desk.owner.language = language
        answer = desk.owner.press(find_form(checked, page, "/send/"))
        desk.owner.language = "en"
        return Pressed(answer)

    return press


def save_ai_content(desk: Desk) -> Opened:
    page = f"{HERE}/ai-content/{names.TAUGHT}/en/"
    handle = next(link for link in desk.owner.get(f"{page}quiz/").links() if "/questions/" in link)
    desk.owner.press(desk.owner.form(handle, handle.partition("?")[0]), {"enunciate": "What is the first?"})
    return _pressing(desk.owner, f"{page}save/", "/save/", {})


def post_a_comment(desk: Desk) -> Opened:
    reviewer, count = open_room(desk), iter(range(100))

    def press(language: str) -> Pressed:
        typed = {"user_name": "Ana Prado", "text": f"Louder here, please ({next(count)}).", "time": "0:05"}
        return Pressed(_pressing(reviewer, ROOM, "/comments", typed)(language).answer, {"text": typed["text"]})

    return press


def edit_a_comment(desk: Desk) -> Opened:
    reviewer = open_room(desk)
    _answer, comment = comment_on(desk, reviewer)
    page = f"{ROOM}?edit={comment}"

    def press(language: str) -> Pressed:
        form = next(form for form in reviewer.get(page).forms(page) if form.id == "edit")
        reviewer.language = language
        answer = reviewer.press((form, form.buttons[0]), {"text": "Softer here."})
        reviewer.language = "en"
        return Pressed(answer, {"text": "Softer here."})

    return press


def resolve_a_comment(desk: Desk) -> Opened:
    reviewer = open_room(desk)
    _answer, comment = comment_on(desk, reviewer)
    return _pressing(reviewer, ROOM, f"/comments/{comment}", {}, "resolved")


LIVE = f"{names.LIVE}"
FORMS = (
    Form(
        "lives.start",
        start_a_live,
        (
            Refusal(400, "live already started", "has been started already", key="errMsg"),
            Refusal(400, "live is not available for trial accounts", "Trial accounts cannot start", key="errMsg"),
            Refusal(400, f"invalid live id: {LIVE}", "not the id of a live", key="errMsg"),
            Refusal(404, f"Live with id: {LIVE} was not found", "no such live", key="errMsg"),
            Refusal(500, "subscription status unreadable", "could not read the account’s subscription", key="errMsg"),
            Refusal(500, "ingest channel failed to start", "could not open the live’s input", key="errMsg"),
        ),
    ),
    Form(
        "funnels.add_videos",
        add_videos_to_a_funnel,
        (
            Refusal(400, "At least one video must be setted as first.", "Mark one video as the entry"),
            Refusal(400, "Only one video can be setted as first.", "Only one video can be the entry"),
            Refusal(400, "Video does not exist.", "One of the videos is not in this account"),
            Refusal(400, "videos must not be empty", "There is no video to add"),
            Refusal(403, "User does not belong to the organization", "belongs to another organization"),
            Refusal(404, "Funnel not found", "This funnel was not found in this account"),
        ),
    ),
    Form(
        "playlists.delete",
        delete_a_playlist,
        (
            Refusal(500, "Unauthorized: You do not own this playlist", "belongs to another account"),
            Refusal(400, "Playlist not found", "does not have this playlist any more"),
        ),
    ),
    Form(
        "organizations.create",
        create_a_sub_account,
        (
            Refusal(400, "tax_id is invalid", "does not accept this", "tax_id"),
            Refusal(400, "user.email must be a valid e-mail", "does not accept this", "user_email"),
            Refusal(400, "user.name is required", "does not accept this", "user_name"),
            Refusal(400, "Sub-accounts cannot create sub-accounts.", "A sub-account cannot create"),
            Refusal(400, "Organization is not active to create sub-accounts.", "This account is not active"),
            Refusal(
                400, "Organization in trial or inactive subscription cannot create sub-accounts.", "Accounts in trial"
            ),
            Refusal(403, "Verify permissions for the action", "This token may not create"),
        ),
    ),
    Form(
        "review_links.create",
        create_a_review_link,
        (
            Refusal(400, "link_name pattern violation", "does not accept this", "name"),
            Refusal(400, "expires_at cannot be greater than 30 days", "A review link can be open", "closes"),
            Refusal(404, "User not found", "It was not found on the platform"),
            Refusal(404, "Video not found", "was not found in this account"),
        ),
    ),
    Form(
        "custom_fields.update",
        change_a_custom_field,
        (
            Refusal(400, "duplicate key", "Another field of this video has this key", "key"),
            Refusal(400, "Key already exists for this video", "Another field of this video has this key", "key"),
            Refusal(400, "value cannot be empty", "does not accept this", "value"),
            Refusal(404, "Custom field not found", "This custom field was not found in this account"),
            Refusal(404, f"Video with id {names.SPOKEN} not found", "was not found in this account"),
        ),
    ),
    Form("comparisons.change", edit_a_test, (Refusal(400, "Type not specified", "not told what to do with the test"),)),
    Form(
        "ai_workflow.create",
        make_subtitles,
        (
            Refusal(400, "from_lang is required", "Choose the source language"),
            Refusal(400, "to_lang is required for TRANSLATION", "Choose at least one target language"),
            Refusal(400, "tier is required", "Choose a tier"),
            Refusal(400, "You need to create a from_lang subtitle first", "no subtitles in the source language"),
            Refusal(400, "You need to delete the to_lang subtitle first", "already has subtitles in that language"),
            Refusal(
                400,
                "Subtitles already exist for this lang, please delete them first",
                "already has subtitles in its source",
            ),
            Refusal(
                400,
                f"There is already a transcription work in progress for video {names.SPOKEN}",
                "being transcribed already",
            ),
            Refusal(400, "There is already a translation in progress for this video", "being translated into that"),
            Refusal(400, "Organization not found for user", "no organization for this token"),
            Refusal(403, "Language 'auto' is not available for the Essential tier", "cannot detect the language"),
            Refusal(404, f"Video with id {names.SPOKEN} not found", "was not found in this account"),
        ),
    ),
    Form(
        "ai_workflow.save",
        save_ai_content,
        (
            Refusal(400, "invalid payload", "The platform refused"),
            Refusal(400, "question without enunciate", "because of its text"),
            Refusal(400, "malformed options", "because of its answers"),
            Refusal(404, "video or resource not found in the given language", "The platform does not have"),
        ),
    ),
    Form(
        "comments.create",
        post_a_comment,
        (
            Refusal(400, "limit of 30 main comments reached", "as many comments as the platform allows"),
            Refusal(400, "limit of 30 replies reached", "as many replies as the platform allows"),
            Refusal(400, "time missing on a top-level comment", "wants a time"),
            Refusal(400, "time is greater than the video duration", "after the end of the video"),
            Refusal(400, "reply_to is not a valid sibling", "not on this link any more"),
            Refusal(400, "invalid body", "did not accept it as it was written"),
            Refusal(400, "not in section 7", "did not accept it"),
            Refusal(404, "link not found", "does not know this link"),
            Refusal(403, "allow_comment is false", "Comments are switched off on this link"),
            Refusal(403, "link expired or inactive", "has closed or was switched off"),
        ),
    ),
    Form(
        "comments.update",
        edit_a_comment,
        (
            Refusal(401, "wrong token", "Only the person who wrote this comment"),
            Refusal(400, "invalid body", "did not accept it as it was written"),
            Refusal(400, "not in section 7", "did not accept the change"),
            Refusal(404, "comment not found", "does not have this comment"),
            Refusal(403, "link expired or inactive", "has closed or was switched off"),
        ),
    ),
    Form(
        "comments.update",
        resolve_a_comment,
        (Refusal(403, "allow_status_edit is false", "cannot be resolved or reopened"),),
    ),
)
