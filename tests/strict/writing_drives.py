"""Drives of the operations that change what the account has (4.1 to 4.6, 4.9, 4.10, 4.13, 4.14)."""

from tests.forms import Typed
from tests.presses.browser import Answer, find_form
from tests.strict import world as names
from tests.strict.drives import HERE, Desk, drive, says

SUBTITLES_NEED_A_LIST = (
    "subtitles/rules.py: nothing can be made where the platform does not list the subtitles of a video"
)


@drive("lives.start")
def start_a_live(desk: Desk) -> None:
    page = f"{HERE}/lives/{names.LIVE}/start/"
    answer = desk.owner.press(desk.owner.form(page, page))
    call = desk.arrived("lives.start")
    assert call.path == f"/base/lives/{names.LIVE}/start"
    says(answer, "Start accepted", "Waiting for the encoder")


@drive("playlists.delete")
def delete_a_playlist(desk: Desk) -> None:
    page = f"{HERE}/playlists/{names.PLAYLIST}/delete/"
    form, button = desk.owner.form(page, page, "")
    name = "Best of the valley" if desk.platform.manner.has_reads else names.PLAYLIST
    held = desk.owner.press((form, button), {"name": name})
    assert desk.platform.writes == [], "it is held first"
    answer = desk.owner.press(find_form(held, page, "/send/"))
    call = desk.arrived("playlists.delete")
    assert call.path == f"/base/playlists/{names.PLAYLIST}"
    says(answer, "Deleted")


@drive("funnels.add_videos")
def add_a_video_to_a_funnel(desk: Desk) -> None:
    board = f"{HERE}/funnels/{names.FUNNEL}/"
    adding = desk.owner.get(f"{board}add/")
    answer = desk.owner.press(find_form(adding, f"{board}add/", "/add/"), {"video": names.SPOKEN})
    typed = {f"x-{names.SPOKEN}": "321", f"y-{names.SPOKEN}": "42", "entry": names.SPOKEN}
    desk.owner.press(find_form(answer, board, "/arrange/", "keep"), typed)
    sent = desk.owner.press(desk.owner.form(f"{board}review/", "/send/"))
    videos = [{"id": names.SPOKEN, "front_coordinates": {"x": 321, "y": 42}, "is_first": True}]
    desk.arrived("funnels.add_videos", {"id": names.FUNNEL, "videos": videos})
    says(sent, "Sent.")


@drive("assistants.switch")
def switch_a_chat(desk: Desk) -> None:
    page = f"{HERE}/assistants/?of={names.PLAIN}"
    if not desk.platform.manner.has_reads:
        desk.owner.press(desk.owner.form(f"{HERE}/assistants/", "/add/"), {"assistant_id": names.ASSISTANT})
    desk.owner.press(desk.owner.form(page, "/switch/"))
    body = {"assistant_id": names.ASSISTANT, "video_id": names.PLAIN}
    shown = desk.platform.writes[0].body["chat_is_visible"]
    desk.arrived("assistants.switch", {**body, "chat_is_visible": shown})


@drive("organizations.create")
def create_a_sub_account(desk: Desk) -> None:
    page = f"{HERE}/sub-accounts/create/"
    typed = {
        "name": "Marca do Cliente", "tax_id": "529.982.247-25", "phone": "+55 11 91234-5678", "currency": "brl",
        "user_name": "Ana Prado", "user_email": "ana@example.com",
    }  # fmt: skip
    answer = desk.owner.press(desk.owner.form(page, page, ""), typed)
    phone = desk.platform.writes[0].body["phone"]
    body = {
        "name": "Marca do Cliente", "currency": "brl", "phone": phone, "tax_id": "52998224725",
        "user": {"name": "Ana Prado", "email": "ana@example.com"},
    }  # fmt: skip
    desk.arrived("organizations.create", body, action="create-sub-account")
    says(answer, "Marca do Cliente", names.SUB_ACCOUNT)


def by_id(desk: Desk) -> str:
    """What the form under the list asks for where the platform lists no fields."""
    return "" if desk.platform.manner.has_reads else f"?id={names.FIELD}"


@drive("custom_fields.update")
def change_a_custom_field(desk: Desk) -> None:
    page = f"{HERE}/custom-fields/videos/{names.SPOKEN}/{by_id(desk)}"
    answer = desk.owner.press(desk.owner.form(page, f"/{names.FIELD}/", ""), {"value": "bright"})
    call = desk.arrived("custom_fields.update", {"value": "bright"}, custom_fields=None, id=names.FIELD)
    assert call.path == f"/base/videos/{names.SPOKEN}"
    says(answer, "Saved.", "bright")


@drive("custom_fields.update")
def rename_a_custom_field(desk: Desk) -> None:
    page = f"{HERE}/custom-fields/videos/{names.SPOKEN}/{by_id(desk)}"
    desk.owner.press(desk.owner.form(page, f"/{names.FIELD}/", ""), {"key": "tone", "value": "calm"})
    desk.arrived("custom_fields.update", {"key": "tone", "value": "calm"}, custom_fields=None, id=names.FIELD)


@drive("comparisons.create")
def create_a_test(desk: Desk) -> None:
    page = f"{HERE}/ab-tests/create/"
    typed: Typed = {"name": "Valley", "video_ids": [names.PLAIN, names.SPOKEN]}
    answer = desk.owner.press(desk.owner.form(page, page, ""), typed)
    sent = desk.platform.writes[0].body
    assert sent.get("description", "") == ""
    desk.arrived("comparisons.create", {**sent, "name": "Valley", "video_ids": [names.PLAIN, names.SPOKEN]})
    says(answer, "Valley")


@drive("comparisons.change")
def start_a_test(desk: Desk) -> None:
    page = f"{HERE}/ab-tests/{names.DRAFT}/start/"
    answer = desk.owner.press(desk.owner.form(page, page), {"sure": "on"})
    desk.arrived("comparisons.change", type="start")
    says(answer, "In progress", "Day 1")


@drive("comparisons.change")
def rename_a_test(desk: Desk) -> None:
    page = f"{HERE}/ab-tests/{names.RUNNING}/edit/"
    answer = desk.owner.press(desk.owner.form(page, page, ""), {"name": "Last words"})
    desk.arrived("comparisons.change", {"name": "Last words"}, type="update")
    says(answer, "Last words")


@drive("comparisons.change")
def finish_a_test(desk: Desk) -> None:
    page = f"{HERE}/ab-tests/{names.RUNNING}/finish/"
    answer = desk.owner.press(desk.owner.form(page, page), {"winner": names.SPOKEN, "reason": "Because"})
    desk.arrived("comparisons.change", {"winner_video_id": names.SPOKEN}, type="finish")
    says(answer, names.TITLES[names.SPOKEN])


@drive("comparisons.delete")
def delete_a_test(desk: Desk) -> None:
    page = f"{HERE}/ab-tests/{names.DRAFT}/delete/"
    answer = desk.owner.press(desk.owner.form(page, page), {"name": "Openings"})
    desk.arrived("comparisons.delete", {"id": names.DRAFT})
    says(answer, "Deleted")


@drive("review_links.create")
def create_a_review_link(desk: Desk) -> None:
    page = f"{HERE}/review-links/create/?video={names.PLAIN}"
    form, button = desk.owner.form(page, "/review-links/create/", "")
    form.values = [(name, value) for name, value in form.values if name != "allow_status_edit"]
    answer = desk.owner.press((form, button), {"name": "Cut 4", "closes": "7"})
    closes = desk.platform.writes[0].body["expires_at"]
    switches = {"allow_comment": True, "allow_status_edit": False, "show_resolved": True}
    call = desk.arrived("review_links.create", {"link_name": "Cut 4", "expires_at": closes, **switches}, action="link")
    assert call.path == f"/base/video-review/{names.PLAIN}" and closes > 10**12, "milliseconds"
    says(answer, "Cut 4", "Created")
    assert names.LINK in answer.text


@drive("ai_workflow.create")
def transcribe_in_two_languages(desk: Desk) -> None:
    page = f"{HERE}/subtitles/?type=TRANSCRIPTION&tier=advanced&from_lang=pt-BR&to_lang=en&video={names.PLAIN}"
    answer = _make_subtitles(desk, page)
    body = {"type": "TRANSCRIPTION", "video_id": names.PLAIN, "from_lang": "pt-BR", "tier": "advanced"}
    desk.arrived("ai_workflow.create", {**body, "additional_langs": [{"lang": "en"}]})
    says(answer, names.TITLES[names.PLAIN])


@drive("ai_workflow.create")
def translate_into_two_languages(desk: Desk) -> None:
    page = f"{HERE}/subtitles/?type=TRANSLATION&tier=pro&from_lang=pt-BR&to_lang=it&to_lang=fr&video={names.SPOKEN}"
    answer = _make_subtitles(desk, page)
    one = {"type": "TRANSLATION", "video_id": names.SPOKEN, "from_lang": "pt-BR", "tier": "pro"}
    desk.arrived("ai_workflow.create", [{**one, "to_lang": lang} for lang in ("fr", "it")])
    says(answer, names.TITLES[names.SPOKEN])


@drive("ai_workflow.create")
def generate_the_content_of_a_language(desk: Desk) -> None:
    page = f"{HERE}/ai-content/{names.SPOKEN}/generate/"
    answer = desk.owner.press(desk.owner.form(page, page), {"lang": "it"})
    desk.arrived("ai_workflow.create", {"video_id": names.SPOKEN, "from_lang": "it", "type": "ALL_TEXT_ITEMS"})
    says(answer, "Requested.")


def _make_subtitles(desk: Desk, page: str) -> Answer:
    """The page of the batch that was planned, checked and sent."""
    form, _last = desk.owner.form(page, "/plan/")
    check = next(button for button in form.buttons if button.name == "check")
    checked = desk.owner.press((form, check))
    return desk.owner.press(find_form(checked, page, "/send/"))


@drive("ai_workflow.save")
def save_a_quiz(desk: Desk) -> None:
    page = f"{HERE}/ai-content/{names.TAUGHT}/en/"
    handle = next(link for link in desk.owner.get(f"{page}quiz/").links() if "/questions/" in link)
    form = desk.owner.form(handle, handle.partition("?")[0])
    desk.owner.press(form, {"enunciate": "What is the first?"})
    answer = desk.owner.press(desk.owner.form(f"{page}save/", "/save/"))
    questions = names.quiz()
    questions[0]["enunciate"] = "What is the first?"
    body = {**names.content(), "video_id": names.TAUGHT, "lang": "en", "questions": questions}
    desk.arrived("ai_workflow.save", body)
    says(answer, "Saved.")
