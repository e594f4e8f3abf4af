"""Responses of the room: the whole page, the part that changes, or a refusal that keeps everything typed."""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from dashboard.shared.formats import clock
from dashboard.shared.http import allow_media
from dashboard.shared.text import parse_uuid
from dashboard.upstream.parallel import page_patience
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import find
from review_portal import (
    captions,
    constants,
    drawing_forms,
    finder_pages,
    messages,
    pages,
    rules,
    transcript_pages,
    viewings,
)
from review_portal.context import Visit, create_key
from review_portal.forms import Post
from review_portal.frames import FrameTime
from review_portal.outbox_pages import build_item
from review_portal.pages import Composer
from review_portal.preview import build_preview
from review_portal.rules import LinkState, Problem, Reason
from review_portal.writes import CREATE

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
    stage = pages.build_stage(visit.shown, captions.list_captions(link, visit.shown), parse_start(visit))
    talk = pages.build_talk(visit, pages.build_surroundings(visit, forms), since=0, polls=True)
    context = {
        "link": link,
        "head": pages.build_head(link, visit.shown, visit.now),
        "stage": stage,
        "talk": talk,
        "tabs": transcript_pages.build_tabs(visit),
        "transcript": _build_transcript(visit) if transcript_pages.is_transcript(visit) else None,
        "viewing": viewings.get_viewing(visit.reviewer),
        "finder": finder_pages.build_finder(visit),
        "composer": composer or build_composer(visit),
        "reply": _build_blank_reply(visit),
        "allowed_status": rules.why_no_status(link, visit.now) is None,
        "said": message,
        "undo": _get_undo_key(visit),
        "welcome": visit.reviewer.name if "device" in request.GET and visit.reviewer else "",
        "preview": build_preview(visit),
        "carry": pages.build_query(visit.choice),
        "keys_list": constants.render_key_list(),
        "act_key": create_key(),
        "suffix": count_suffix(visit),
        "drawable": stage.kind == "native",
        "words": constants.render_script_words(),
    }
    video = visit.shown
    response = render(request, "review_portal/room.html", context, status=status)
    return allow_media(response, video.poster, video.mp4_url, video.hls_url, video.player_url)


def _build_transcript(visit: Visit) -> transcript_pages.TranscriptPage:
    return transcript_pages.build_transcript_page(visit, page_patience())


def render_transcript(visit: Visit) -> HttpResponse:
    """The transcript alone: what script puts beside the video that plays."""
    context = {"link": visit.link, "transcript": _build_transcript(visit)}
    return render(visit.request, "review_portal/_transcript.html", context)


def render_live(
    visit: Visit, since: int, *, status: int = 200, errors: tuple[str, ...] = (), polls: bool = True
) -> HttpResponse:
    """The part that changes, for a reader who has version `since`."""
    context = {
        "talk": pages.build_talk(visit, pages.build_surroundings(visit), since=since, polls=polls),
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
    back = _load_returned_text(visit, request.GET.get("again", "")) or transcript_pages.build_quote(visit)
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
    stills = drawing_forms.get_stills_address(visit.request, visit.link)
    return len(f"\n{stills}{drawing_forms.create_short()}") if stills else 0


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
        "talk": pages.build_talk(visit, pages.build_surroundings(visit), since=0, polls=False),
        "finder": finder_pages.build_finder(visit),
        "carry": pages.build_query(visit.choice),
        "on_its_way": visit.on_its_way,
    }
    return render(visit.request, "review_portal/reading.html", context)
