"""The frame around the editor's pages, and responses that replace parts of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_htmx.http import HttpResponseClientRedirect

from dashboard.ai_content import messages, sync, versions
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.messages import explain_refusal, get_step_name
from dashboard.ai_content.models import Version
from dashboard.ai_content.rules.package import Block
from dashboard.ai_content.sync import list_languages
from dashboard.ai_content.versions import find_open
from dashboard.platform_api.errors import CallError, Missing
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import own_path
from dashboard.writes.models import State as WriteState
from dashboard.writes.pages import OpenWrite, open_write

SECTIONS = (("ebook", Block.EBOOK), ("mindmap", Block.MINDMAP), ("quiz", Block.QUIZ))
RECENTLY_PUBLIC = 600
Part = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Pulse:
    """templates/ai_content/_pulse.html, polled: the state of the last save, and changes in other windows."""

    version: str
    spreading: str
    since: datetime | None
    sending: OpenWrite | None
    """The save that has not ended."""
    public: str
    elsewhere: str
    others: str


def render_page(editor: Editor, section: str, template: str, status: int = 200, **context: object) -> HttpResponse:
    """Render a page of the language inside its frame, templates/ai_content/frame.html."""
    document = editor.document
    frame = {
        **_build_bar(editor),
        "language": messages.get_language_name(editor.word),
        "tabs": _list_tabs(editor, section),
        "languages": _list_languages(editor, section),
        "notices": list(_list_notices(editor, section)),
        "pulse": build_pulse(editor, editor.request.headers.get("X-Tab", "")),
        "generate": address("ai_content:generate", document.video_id, lang=document.lang),
    }
    return render(editor.request, template, {**frame, **context}, status=status)


def _list_tabs(editor: Editor, section: str) -> list[tuple[str, str, bool, bool]]:
    """The address and name of each section, whether it is this one, and whether it has unsent changes."""
    tabs = [(editor.address(), _("Overview"), section == "language", False)]
    tabs += [
        (editor.address(name), messages.get_block_name(name), section == name, block in editor.drafts)
        for name, block in SECTIONS
    ]
    return [*tabs, (editor.address("versions"), _("Versions"), section == "versions", False)]


def _list_languages(editor: Editor, section: str) -> list[tuple[str, str, str]]:
    """The word, name and address of this page in each language."""
    try:
        video = sync.get_video(editor.request, editor.document.video_id)
    except CallError:
        return []
    places = {
        word: address(f"ai_content:{section}", editor.document.video_id, word)
        for word in list_languages(video, editor.word)
    }
    return [(word, messages.get_language_name(word), place) for word, place in places.items() if place]


def _list_notices(editor: Editor, section: str) -> Iterator[tuple[str, str, str, str]]:
    """Warnings and errors above the page: kind, text, and the address and words of a link."""
    if trouble := editor.opened.trouble:
        yield "warning", _format_trouble(editor, trouble), editor.request.get_full_path(), _("Try again")
    if editor.behind and section != "merge":
        text = _("Somebody else changed this language after you started. No changes are lost.")
        yield "warning", text, editor.address("merge"), _("Compare and merge")
    told_below = section == "save"
    if (refusal := editor.document.refusal) and not refusal.get("handle") and not told_below:
        yield "trouble", explain_refusal(refusal).whole, editor.address("save"), _("Review changes")


def _format_trouble(editor: Editor, error: CallError) -> str:
    when = formats.moment(editor.opened.version.at)
    if isinstance(error, Missing):
        return _("The platform has no file for this language now. You see the version of %(when)s.") % {"when": when}
    sentence = refusals.explain(error).sentence
    return f"{sentence} " + _("You edit the version of %(when)s; what you type is kept here.") % {"when": when}


def _build_bar(editor: Editor) -> dict[str, Any]:
    """What every part of the page gets, and the bar at the bottom: the unsent changes and what is undone next."""
    step = editor.last_step
    return {
        "editor": editor,
        "video_id": editor.document.video_id,
        "word": editor.word,
        "undo": step,
        "undo_words": get_step_name(step.code, step.label) if step else "",
        "bar_section": _get_section(editor),
    }


def _get_section(editor: Editor) -> str:
    """The section of the page that shows the bar, also in a partial response."""
    path = own_path(editor.request, editor.request.headers.get("HX-Current-URL", "")) or editor.request.path
    rest = path.removeprefix(editor.address()).partition("/")[0]
    return rest if rest in {"ebook", "mindmap", "quiz", "versions"} else "language"


def build_pulse(editor: Editor, tab: str = "", since: int | None = None) -> Pulse:
    """Build the polled part. Its `version` changes whenever there is something new to show.

    `since` is the revision that the window `tab` shows.
    """
    document, waiting = editor.document, editor.opened.waiting
    foreign = versions.get_foreign_change(document.pk, tab, since) if since is not None else None
    others = versions.list_others(document.pk, tab)
    spreading = waiting is not None and waiting.kind == Version.Kind.SAVED and waiting.public_at is None
    write = find_open(document)
    sending = open_write(write) if write is not None and write.state != WriteState.HELD else None
    is_public = waiting is not None and waiting.public_at is not None and _is_recent(waiting.public_at)
    progress = f"u{write.state}{sending.attempt}{sending.decide:d}" if write and sending else "s" if spreading else ""
    marks = [document.revision, progress, "p" if is_public else "", len(others)]
    return Pulse(
        version="-".join(str(mark) for mark in marks),
        spreading=_format_spreading(waiting) if spreading and waiting else "",
        since=waiting.at if spreading and waiting else None,
        sending=sending,
        public=_format_public(waiting) if is_public and waiting and not editor.drafts else "",
        elsewhere=_format_elsewhere(foreign) if foreign else "",
        others=_format_others(others),
    )


def _is_recent(at: datetime) -> bool:
    return (timezone.now() - at).total_seconds() < RECENTLY_PUBLIC


def _format_spreading(version: Version) -> str:
    return _("Saved at %(time)s. Viewers still get the previous version.") % {"time": _format_clock(version.at)}


def _format_public(version: Version) -> str:
    """When the public file was first read with this version; viewers may have had it earlier."""
    return _("Viewers have the version of %(time)s. Seen at %(seen)s.") % {
        "time": _format_clock(version.at),
        "seen": _format_clock(version.public_at or version.at),
    }


def _format_elsewhere(happened: versions.WindowChange) -> str:
    values = {"who": happened.actor, "when": formats.ago(datetime.fromtimestamp(happened.at, UTC))}
    if happened.place == "file":
        return _("The file changed on the platform. Load the page again to see it.")
    if happened.place == "saved":
        return _("%(who)s saved this language in another window, %(when)s.") % values
    return _("%(who)s changed something here in another window, %(when)s.") % values


def _format_others(others: list[str]) -> str:
    if not others:
        return ""
    text = ngettext("Also open in %(count)s other window", "Also open in %(count)s other windows", len(others))
    return text % {"count": len(others)} + f" ({', '.join(dict.fromkeys(others))})"


def _format_clock(at: datetime) -> str:
    return formats.time_of_day(at, seconds=True)


def redirect_to(editor: Editor, name: str, *more: object) -> HttpResponse:
    """Redirect to a page of this language, also for htmx."""
    address = editor.address(name, *more)
    return HttpResponseClientRedirect(address) if editor.request.htmx else redirect(address)


def render_parts(editor: Editor, *listed: Part, status: int = 200) -> HttpResponse:
    """Render parts of the page, each swapped in its own place, and the bar."""
    bar = _build_bar(editor)
    whole = [*listed, ("ai_content/_bar.html", {"answer": True})]
    text = "".join(render_to_string(template, {**bar, **context}, editor.request) for template, context in whole)
    return HttpResponse(text, status=status)
