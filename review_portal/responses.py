"""Responses of the room: the whole page, the part that changes, or a refusal that keeps everything typed.

Beside them what all readers of a language share, rendered once per process and language: keyboard shortcuts and the
sentences of scripts. In `SHEET`, `press` is the key as browsers name it; `while_typing` keys work in text fields, all
others only outside of them; a test presses every one.

`?reply=<id>`, `?edit=<id>` and `?withdraw=<id>` each open one form under its comment, without script.
"""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from dashboard.shared.formats import clock
from dashboard.shared.http import allow_media
from dashboard.shared.text import parse_uuid
from dashboard.upstream.parallel import page_patience
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import find
from review_portal import messages, outbox, pages, rules, transcripts, viewings
from review_portal.context import Visit, create_key
from review_portal.decisions import DecisionPage, build_decision_page
from review_portal.drawings import strip_address
from review_portal.forms import Post
from review_portal.models import Comment
from review_portal.pages import Composer, EmailPanel, Head, build_email_panel, build_item, build_preview
from review_portal.rules import LinkState, Problem, Reason
from review_portal.threads import Entry, Thread
from review_portal.videos import FrameTime
from review_portal.writes import CREATE


@dataclass(frozen=True)
class Key:
    """A key, or keys held together: as browsers name it, and as people read it."""

    press: str
    shown: str


@dataclass(frozen=True)
class ShortcutRow:
    """A line of the sheet."""

    keys: tuple[Key, ...]
    does: str
    while_typing: bool = False


Sheet = tuple[tuple[tuple[tuple[str, str], ...], str, bool], ...]

SHEET: Sheet = (
    ((("Space", gettext_noop("Space")),), gettext_noop("Play or pause"), False),
    ((("j", "J"), ("k", "K"), ("l", "L")), gettext_noop("Back, stop, forward; again for faster"), False),
    ((("k+j", "K J"), ("k+l", "K L")), gettext_noop("One frame back or forward: hold K"), False),
    ((("<", "<"), (">", ">"), ("Shift+K", "Shift K")), gettext_noop("Slower, faster, normal speed"), False),
    ((("ArrowLeft", "←"), ("ArrowRight", "→")), gettext_noop("Back or forward 5 seconds"), False),
    (
        (("Shift+ArrowLeft", "Shift ←"), ("Shift+ArrowRight", "Shift →")),
        gettext_noop("Back or forward 1 second"),
        False,
    ),
    (((",", ","), (".", ".")), gettext_noop("One frame back or forward, while paused"), False),
    ((("n", "N"), ("p", "P")), gettext_noop("Next or previous comment"), False),
    ((("c", "C"),), gettext_noop("Comment at this moment"), False),
    ((("d", "D"),), gettext_noop("Draw on this frame"), False),
    ((("g", "G"),), gettext_noop("Transcript, or back to the comments"), False),
    ((("r", "R"),), gettext_noop("Reply to the current comment"), False),
    ((("e", "E"),), gettext_noop("Edit the current comment, if it is yours"), False),
    ((("x", "X"), ("Shift+X", "Shift X")), gettext_noop("Resolve or reopen; resolve and go to the next"), False),
    ((("i", "I"), ("o", "O"), ("u", "U")), gettext_noop("Start a range, end it, clear it"), False),
    ((("m", "M"), ("t", "T"), ("f", "F")), gettext_noop("Sound, captions, full screen"), False),
    ((("0", "0"), ("9", "9")), gettext_noop("Jump to a tenth of the video, 0 to 9"), False),
    (
        (("Home", gettext_noop("Home")), ("End", gettext_noop("End"))),
        gettext_noop("Jump to the start or the end"),
        False,
    ),
    ((("/", "/"),), gettext_noop("Search comments"), False),
    ((("?", "?"),), gettext_noop("Show this list"), False),
    ((("Control+Enter", gettext_noop("Ctrl Enter")),), gettext_noop("Post, while typing"), True),
    ((("Escape", gettext_noop("Esc")),), gettext_noop("Leave the box and keep the draft"), True),
    ((("Alt+k", "Alt K"),), gettext_noop("Play or pause, while typing"), True),
    ((("Alt+j", "Alt J"), ("Alt+l", "Alt L")), gettext_noop("Back or forward 5 seconds, while typing"), True),
)
COMPARE: Sheet = (
    ((("Space", gettext_noop("Space")), ("k", "K")), gettext_noop("Play or pause"), False),
    ((("ArrowLeft", "←"), ("ArrowRight", "→")), gettext_noop("Back or forward 5 seconds"), False),
    (
        (("Shift+ArrowLeft", "Shift ←"), ("Shift+ArrowRight", "Shift →")),
        gettext_noop("Back or forward 1 second"),
        False,
    ),
    (
        (("Home", gettext_noop("Home")), ("End", gettext_noop("End"))),
        gettext_noop("Jump to the start or the end"),
        False,
    ),
    ((("m", "M"), ("f", "F")), gettext_noop("Sound, full screen"), False),
)
COMPARE_FRAMES: Sheet = (
    (((",", ","), (".", ".")), gettext_noop("One frame back or forward"), False),
    ((("[", "["), ("]", "]")), gettext_noop("Shift one cut by a frame, earlier or later"), False),
    ((("w", "W"),), gettext_noop("Side by side, or wipe"), False),
)
"""Where both videos can be set to one frame."""
COMPARE_ANSWERS: Sheet = (
    ((("y", "Y"), ("Shift+Y", "Shift Y")), gettext_noop("Fixed, or not fixed; then the next comment"), False),
)
"""Where comments of the cut before are checked."""
HELP: Sheet = (((("?", "?"),), gettext_noop("Show this list"), False),)


def list_compare_shortcuts(*, is_exact: bool, has_checks: bool) -> tuple[ShortcutRow, ...]:
    """What works while two cuts are compared."""
    return list_shortcuts(
        COMPARE + (COMPARE_FRAMES if is_exact else ()) + (COMPARE_ANSWERS if has_checks else ()) + HELP
    )


def list_check_shortcuts() -> tuple[ShortcutRow, ...]:
    """What works in the list of what was open on the cut before."""
    return list_shortcuts(COMPARE_ANSWERS + HELP)


def list_shortcuts(sheet: Sheet = SHEET) -> tuple[ShortcutRow, ...]:
    """A sheet in the reader's language."""
    return tuple(
        ShortcutRow(tuple(Key(press, _(label) if len(label) > 2 else label) for press, label in keys), _(does), typing)
        for keys, does, typing in sheet
    )


def render_key_list() -> SafeString:
    """The dialog that lists the keyboard shortcuts."""
    return _render_cached("review_portal/_keys.html")


def render_script_words() -> SafeString:
    """The sentences that script shows."""
    return _render_cached("review_portal/_words.html")


def _render_cached(template: str) -> SafeString:
    language = get_language() or ""
    if settings.DEBUG:  # a template that is being written shows at once
        return _render.__wrapped__(template, language)
    return _render(template, language)


@lru_cache
def _render(template: str, language: str) -> SafeString:
    """`language` is the active one: it is named only to keep one rendering for each."""
    context = {"keys_sheet": list_shortcuts(), "repairs": json.dumps(rules.REPAIRS, ensure_ascii=False)}
    return render_to_string(template, context)


PART = "Reelroom-Part"
"""Request header of our script: it asks for the part that changes, not for the page."""

ATTEMPT = "Reelroom-Submission"
"""Response header with the write's key: script may then delete the text it saved."""
STATE = "Reelroom-State"
"""Response header with the write's state."""

STATUS_OF = {
    Reason.LINK_EXPIRED: 410,
    Reason.LINK_INACTIVE: 403,
    Reason.VIEW_ONLY: 403,
    Reason.STATUS_LOCKED: 403,
    Reason.NOT_YOURS: 403,
    Reason.TOO_OFTEN: 429,
    Reason.SAME_WORDS: 409,
    Reason.CHANGED_SINCE: 409,
    Reason.CUTS_MOVED: 409,
}
"""Response status by reason; every other problem of a form is 422."""


def wants_part(request: HttpRequest) -> bool:
    return PART in request.headers


def render_room(
    visit: Visit,
    *,
    status: int = 200,
    composer: Composer | None = None,
    forms: Mapping[uuid.UUID, SafeString] | None = None,
    message: str = "",
) -> HttpResponse:
    """The whole page; with `forms`, those stand open in their threads, and `said` is one sentence above the list."""
    link, request = visit.link, visit.request
    stage = pages.build_stage(visit.shown, transcripts.list_captions(link, visit.shown), parse_start(visit))
    talk = pages.build_talk(visit, since=0, polls=True)
    context = {
        "link": link,
        "head": pages.build_head(link, visit.shown, visit.now),
        "stage": stage,
        "talk": talk,
        "around": pages.build_surroundings(visit, forms),
        "tabs": True,
        "transcript": _build_transcript(visit) if transcripts.is_transcript(visit) else None,
        "viewing": viewings.get_viewing(visit.reviewer),
        "people": pages.list_people(visit),
        "composer": composer or build_composer(visit),
        "reply": _build_blank_reply(visit),
        "allowed_status": rules.why_no_status(link, visit.now) is None,
        "said": message,
        "undo": _get_undo_key(visit),
        "welcome": visit.reviewer.name if "device" in request.GET and visit.reviewer else "",
        "preview": build_preview(visit),
        "carry": pages.build_query(visit.choice),
        "keys_list": render_key_list(),
        "act_key": create_key(),
        "suffix": count_suffix(visit),
        "drawable": stage.kind == "native",
        "words": render_script_words(),
    }
    video = visit.shown
    response = render(request, "review_portal/room.html", context, status=status)
    return allow_media(response, video.poster, video.mp4_url, video.hls_url, video.player_url)


def _build_transcript(visit: Visit) -> transcripts.TranscriptPage:
    return transcripts.build_transcript_page(visit, page_patience())


def render_transcript(visit: Visit) -> HttpResponse:
    """The transcript alone: what script puts beside the video that plays."""
    context = {"link": visit.link, "transcript": _build_transcript(visit)}
    return render(visit.request, "review_portal/_transcript.html", context)


def render_live(
    visit: Visit, since: int, *, status: int = 200, errors: tuple[str, ...] = (), polls: bool = True
) -> HttpResponse:
    """The part that changes, for a reader who has version `since`."""
    context = {
        "talk": pages.build_talk(visit, since=since, polls=polls),
        "around": pages.build_surroundings(visit),
        "link": visit.link,
        "errors": errors,
        "key": create_key(),
        "composer": composer if (composer := build_composer(visit)).why_not else None,
    }
    return render(visit.request, "review_portal/_live.html", context, status=status)


def render_outbox(visit: Visit, *, status: int = 200) -> HttpResponse:
    """Only the outbox: what shows a held comment at once."""
    items = tuple(build_item(visit.link, write, visit.now) for write in visit.outbox)
    context = {"outbox": items, "key": create_key(), "link": visit.link}
    return render(visit.request, "review_portal/_outbox.html", context, status=status)


def render_outcome(visit: Visit, write: Write) -> HttpResponse:
    """What became of a form that was sent before, on a link that was switched off since: nothing of the link is shown."""
    if wants_part(visit.request):
        return render(visit.request, "review_portal/_outbox.html", {"outbox": (), "key": ""})
    return render_closed(
        visit, visit.state, text="" if write.state == State.DONE else visit.request.POST.get("text", "")
    )


def build_composer(visit: Visit) -> Composer:
    """The composer at the foot, with what the address brings.

    `?t=` is its time, `?again=` a text that came back, `?quote=` a line of the transcript.
    """
    reviewer, request = visit.reviewer, visit.request
    why_not = rules.why_no_comment(visit.link, visit.now)
    full = rules.check_quota(visit.main_count, None)
    back = _load_returned_text(visit, request.GET.get("again", "")) or transcripts.build_quote(visit)
    seconds = int(parse_start(visit))
    return Composer(
        action=f"/{visit.link.pk}/comments",
        key=create_key(),
        text=back.get("text", ""),
        time=back.get("time", "") or clock(seconds),
        frame=back.get("frame", ""),
        drawing=back.get("drawing", ""),
        suffix=count_suffix(visit),
        name=reviewer.name if reviewer else "",
        named=bool(reviewer and reviewer.name),
        why_not=messages.describe_problem(Problem("", why_not))
        if why_not
        else messages.describe_problem(full)
        if full
        else "",
        replies_only=not why_not and full is not None,
    )


def _load_returned_text(visit: Visit, key: str) -> dict[str, str]:
    """The words of an attempt that was undone or refused, for the box."""
    write_key = parse_uuid(key)
    write = find(str(visit.link.pk), write_key) if write_key else None
    is_own = write is not None and write.operation == CREATE and write.author == _get_author(visit)
    request = write.request if write is not None and is_own else {}
    if not request or request["reply_to"]:
        return {}
    frame = FrameTime.from_kept(request.get("frame"))
    return {
        "text": request["text"],
        "time": clock(request["time"]),
        "frame": str(frame.microseconds) if frame else "",
        "drawing": json.dumps(request["drawing"]["sketch"]) if "drawing" in request else "",
    }


def count_suffix(visit: Visit) -> int:
    """Characters of the address that follows a comment with a drawing on the platform, and of the line break before it."""
    stills = outbox.get_stills_address(visit.request, visit.link)
    return len(f"\n{stills}{outbox.create_short()}") if stills else 0


def _get_author(visit: Visit) -> str:
    return str(visit.reviewer.pk) if visit.reviewer else "nobody"


def build_refused_composer(visit: Visit, post: Post) -> Composer:
    """The composer with everything that was typed, and what is wrong at each field."""
    reviewer = visit.reviewer
    problems: dict[str, tuple[str, ...]] = {}
    for problem in post.problems:
        problems[problem.field] = (*problems.get(problem.field, ()), messages.describe_problem(problem))
    return Composer(
        action=f"/{visit.link.pk}/comments",
        key=create_key(),
        text=post.typed.get("text", ""),
        time=post.typed.get("time", ""),
        frame=post.typed.get("frame", ""),
        drawing=post.typed.get("drawing", ""),
        suffix=count_suffix(visit),
        reply_to=post.typed.get("reply_to", ""),
        name=post.typed.get("user_name", ""),
        named=bool(reviewer and reviewer.name) and "user_name" not in problems,
        repeat=any(problem.reason == Reason.SAME_WORDS for problem in post.problems),
        errors=problems,
    )


def _build_blank_reply(visit: Visit) -> Composer:
    """What script copies when somebody answers."""
    reviewer = visit.reviewer
    name = reviewer.name if reviewer else ""
    return Composer(action=f"/{visit.link.pk}/comments", key="", reply_to="-", name=name, named=bool(name))


def render_reply_form(visit: Visit, composer: Composer) -> SafeString:
    context = {"composer": composer, "link": visit.link}
    return render_to_string("review_portal/_reply.html", context, request=visit.request)


def render_problems(request: HttpRequest, problems: list[Problem], key: str = "") -> HttpResponse:
    """The problems alone, which script puts at the fields of the form that is still open."""
    first = problems[0].reason
    rows = [(problem.field, messages.describe_problem(problem), problem) for problem in problems]
    response = render(
        request, "review_portal/_problems.html", {"problems": rows, "key": key}, status=STATUS_OF.get(first, 422)
    )
    if first == Reason.TOO_OFTEN:
        response.headers["Retry-After"] = str(problems[0].limit)
    return response


def parse_start(visit: Visit) -> float:
    """The moment that the address names, in seconds; 0 without one."""
    return rules.parse_moment(visit.request.GET.get("t", ""))


def _get_undo_key(visit: Visit) -> str:
    """Where script is off: the comment that was just resolved and is hidden now can be reopened."""
    key = parse_uuid(visit.request.GET.get("resolved", ""))
    return str(key) if key and rules.why_no_status(visit.link, visit.now) is None else ""


def render_closed(visit: Visit, state: LinkState, text: str = "") -> HttpResponse:
    """The page of a closed link; comments of an expired one stay readable. `text`: what was being sent."""
    refused = next((write for write in visit.outbox if write.state == State.REFUSED and write.message), None)
    context = {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "expired": state == LinkState.EXPIRED,
        "refusal": messages.describe_write(refused) if refused else "",
        "count": len(visit.threads) if state == LinkState.EXPIRED else 0,
        "on_its_way": visit.on_its_way,
        "kept": [line for line in (text, *map(_get_text, visit.outbox)) if line],
    }
    status = STATUS_OF[Reason.LINK_EXPIRED if state == LinkState.EXPIRED else Reason.LINK_INACTIVE]
    return render(visit.request, "review_portal/closed.html", context, status=status)


def _get_text(write: Write) -> str:
    """The words of a comment, or of an edit of one."""
    request = write.request
    return str(request.get("text") or request.get("changes", {}).get("text", ""))


def render_unknown(request: HttpRequest) -> HttpResponse:
    """The page of an unknown link."""
    return render(request, "review_portal/unknown.html", {"head": None}, status=404)


def render_unavailable(request: HttpRequest) -> HttpResponse:
    """The page of a link that is not stored here while the platform does not answer."""
    return render(request, "review_portal/away.html", {"head": None, "again": request.get_full_path()}, status=503)


def render_reading(visit: Visit) -> HttpResponse:
    """The comments of a closed link, to read."""
    context: dict[str, Any] = {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "talk": pages.build_talk(visit, since=0, polls=False),
        "around": pages.build_surroundings(visit),
        "people": pages.list_people(visit),
        "carry": pages.build_query(visit.choice),
        "on_its_way": visit.on_its_way,
    }
    return render(visit.request, "review_portal/reading.html", context)


def render_open_forms(visit: Visit) -> dict[uuid.UUID, SafeString]:
    """The open forms by the comment they stand under."""
    query = visit.request.GET
    if "reply" in query and rules.why_no_comment(visit.link, visit.now) is None:
        return render_reply(visit, query["reply"])
    comment = _find_comment(visit, query.get("edit", "") or query.get("withdraw", ""))
    may = rules.why_no_writing(visit.link, visit.now) is None
    if comment is None or not may or visit.reviewer is None or comment.reviewer_id != visit.reviewer.pk:
        return {}
    return render_edit(visit, comment) if "edit" in query else render_withdraw(visit, comment)


def render_reply(visit: Visit, comment_id: str) -> dict[uuid.UUID, SafeString]:
    """An empty reply; to a reply it begins with the name, and stands under the parent."""
    parent = _find_comment(visit, comment_id)
    if parent is None:
        return {}
    name = visit.reviewer.name if visit.reviewer else ""
    composer = Composer(
        action=f"/{visit.link.pk}/comments",
        key=create_key(),
        reply_to=str(parent.comment_id),
        to=parent.user_name,
        text=f"@{parent.user_name} " if parent.reply_to else "",
        name=name,
        named=bool(name),
    )
    return {parent.reply_to or parent.comment_id: render_reply_form(visit, composer)}


def find_thread(visit: Visit, comment_id: str) -> uuid.UUID | None:
    """The thread that a refused reply belongs to."""
    parent = _find_comment(visit, comment_id)
    return (parent.reply_to or parent.comment_id) if parent else None


def render_edit(visit: Visit, comment: Comment, message: str = "") -> dict[uuid.UUID, SafeString]:
    """The comment as a form; after a refusal with what was typed."""
    data = visit.request.POST
    drawing = visit.reading.drawings.get(comment.comment_id)
    words = strip_address(comment.text, drawing.short) if drawing else comment.text
    context = {
        "link": visit.link,
        "comment": comment,
        "opened": words,
        "text": data.get("text", words),
        "time": "" if comment.reply_to else data.get("time", clock(comment.time)),
        "timed": comment.reply_to is None,
        "key": create_key(),
        "suffix": count_suffix(visit),
        "said": message,
    }
    return {comment.comment_id: render_to_string("review_portal/_edit.html", context, request=visit.request)}


def render_withdraw(visit: Visit, comment: Comment) -> dict[uuid.UUID, SafeString]:
    """What withdrawing does, and the button."""
    context = {
        "link": visit.link,
        "key": create_key(),
        "action": f"/{visit.link.pk}/comments/{comment.comment_id}",
        "resolves": comment.reply_to is None and visit.link.allow_status_edit,
    }
    return {comment.comment_id: render_to_string("review_portal/_withdraw.html", context, request=visit.request)}


def _find_comment(visit: Visit, comment_id: str) -> Comment | None:
    key = parse_uuid(comment_id)
    return Comment.objects.filter(link=visit.link, comment_id=key).first() if key else None


@dataclass(frozen=True)
class FinishPage:
    """`length` in whole seconds: what was watched is known to the browser alone, which writes it in."""

    head: Head
    mine: list[tuple[Thread, Entry]]
    open: list[Thread]
    length: int
    wrote: str
    total: int
    decision: DecisionPage
    email: EmailPanel | None


def build_finish_page(
    visit: Visit,
    typed: Mapping[str, str] | None = None,
    problems: list[Problem] | None = None,
    email: tuple[str, str] = ("", ""),
) -> FinishPage:
    """Everything of the page but what was watched.

    `typed` and `problems`: of a decision that was refused; `email`: an address that was, and why.
    """
    threads = visit.threads
    return FinishPage(
        head=pages.build_head(visit.link, visit.shown, visit.now),
        mine=[(thread, entry) for thread in threads for entry in thread.entries if entry.mine],
        open=[thread for thread in threads if thread.is_open],
        length=visit.shown.last_second or 0,
        wrote=pages.describe_own_comments(threads),
        total=len(threads),
        decision=build_decision_page(visit, typed, problems),
        email=build_email_panel(visit, *email),
    )
