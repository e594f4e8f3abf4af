"""The frame around the editor's pages, and responses that replace parts of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_htmx.http import HttpResponseClientRedirect

from dashboard.ai_content import drafts, messages, pages, presence, sync
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.languages import LEGACY, PageLink, list_languages
from dashboard.ai_content.messages import explain_refusal, get_step_name
from dashboard.ai_content.models import Step, Version
from dashboard.ai_content.rules.package import Block
from dashboard.ai_content.save.queries import find_open
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
class Notice:
    """A message above the page: information, warning or error, with at most one link."""

    kind: str
    text: str
    link: str = ""
    link_words: str = ""


@dataclass(frozen=True)
class Bar:
    """templates/ai_content/_bar.html: the unsent changes and their Save button."""

    changes: str
    draft_time: str
    save: str
    review: str
    undo: str
    undo_words: str
    undo_block: str
    section: str
    saved: str


@dataclass(frozen=True)
class Pulse:
    """templates/ai_content/_pulse.html, polled: the state of the last save, and changes in other windows."""

    address: str
    version: str
    spreading: str
    since: str
    sending: OpenWrite | None
    """The save that has not ended."""
    arrived: str
    again: str
    public: str
    elsewhere: str
    reload: str
    others: str


@dataclass(frozen=True)
class Frame:
    """templates/ai_content/frame.html, around every page of a language."""

    title: str
    language: str
    lang: str
    legacy: bool
    library: str
    overview: str
    tabs: tuple[PageLink, ...]
    languages: tuple[PageLink, ...]
    notices: tuple[Notice, ...]
    bar: Bar
    pulse: Pulse
    generate: str
    """Address of the page that generates missing content."""
    scope: str
    """Key of this language in the browser's storage; never a token or a title."""


def build_frame(editor: Editor, section: str) -> Frame:
    """Build the frame of one page."""
    document = editor.document
    return Frame(
        title=document.title or str(document.video_id),
        language=messages.get_language_name(editor.word),
        lang=document.lang,
        legacy=not document.lang,
        library=reverse("ai_content:ai_content"),
        overview=editor.address(),
        tabs=_build_tabs(editor, section),
        languages=_build_languages(editor, section),
        notices=tuple(_list_notices(editor, section)),
        bar=build_bar(editor),
        pulse=build_pulse(editor, editor.request.headers.get("X-Tab", "")),
        generate=address("ai_content:generate", document.video_id, lang=document.lang),
        scope=str(document.pk),
    )


def _build_tabs(editor: Editor, section: str) -> tuple[PageLink, ...]:
    tabs = [PageLink(_("Overview"), editor.address(), section == "language")]
    tabs += [
        PageLink(messages.get_block_name(name), editor.address(name), section == name, block in editor.drafts)
        for name, block in SECTIONS
    ]
    return (*tabs, PageLink(_("Versions"), editor.address("versions"), section == "versions"))


def _build_languages(editor: Editor, section: str) -> tuple[PageLink, ...]:
    """Link the same page of the other languages."""
    try:
        video = sync.get_video(editor.request, editor.document.video_id)
    except CallError:
        return ()
    listed = list_languages(video, editor.word)
    places = {word: address(f"ai_content:{section}", editor.document.video_id, word) for word in listed}
    return tuple(
        PageLink(messages.get_language_name(word), place, word == editor.word, lang=word if word != LEGACY else "")
        for word, place in places.items()
        if place
    )


def _list_notices(editor: Editor, section: str) -> list[Notice]:
    notices = []
    if trouble := editor.opened.trouble:
        notices.append(
            Notice("warning", _format_trouble(editor, trouble), editor.request.get_full_path(), _("Try again"))
        )
    if editor.behind and section != "merge":
        text = _("Somebody else changed this language after you started. No changes are lost.")
        notices.append(Notice("warning", text, editor.address("merge"), _("Compare and merge")))
    told_below = section == "save"
    if (refusal := editor.document.refusal) and not refusal.get("handle") and not told_below:
        notices.append(Notice("trouble", explain_refusal(refusal).whole, editor.address("save"), _("Review changes")))
    return notices


def _format_trouble(editor: Editor, error: CallError) -> str:
    when = formats.moment(editor.opened.version.at, "short")
    if isinstance(error, Missing):
        return _("The platform has no file for this language now. You see the version of %(when)s.") % {"when": when}
    sentence = refusals.explain(error).sentence
    return f"{sentence} " + _("You edit the version of %(when)s; what you type is kept here.") % {"when": when}


def build_bar(editor: Editor, saved: str = "") -> Bar:
    """Build the bar at the bottom. `saved` is a message about a save that has just ended."""
    changes = editor.list_changes() if editor.drafts else ()
    newest = max((draft.updated_at for draft in editor.drafts.values()), default=None)
    undo_block, step = _get_last_step(editor)
    return Bar(
        changes=messages.format_change_count(len(changes)) if editor.drafts else "",
        draft_time=formats.ago(newest) if newest else "",
        save=editor.address("save"),
        review=editor.address("save"),
        undo=editor.address("undo") if step else "",
        undo_words=get_step_name(step.code, step.label) if step else "",
        undo_block=undo_block,
        section=_get_section(editor),
        saved=saved,
    )


def _get_section(editor: Editor) -> str:
    """The section of the page that shows the bar, also in a partial response."""
    path = own_path(editor.request, editor.request.headers.get("HX-Current-URL", "")) or editor.request.path
    rest = path.removeprefix(editor.address()).partition("/")[0]
    return rest if rest in {"ebook", "mindmap", "quiz", "versions"} else "language"


def _get_last_step(editor: Editor) -> tuple[str, Step | None]:
    steps = [(str(block), drafts.get_last_step(draft)) for block, draft in editor.drafts.items()]
    known = [(block, step) for block, step in steps if step is not None]
    return max(known, key=lambda pair: pair[1].pk, default=("", None))


def build_pulse(editor: Editor, tab: str = "", since: int | None = None) -> Pulse:
    """Build the polled part. Its `version` changes whenever there is something new to show.

    `since` is the revision that the window `tab` shows.
    """
    document, waiting = editor.document, editor.opened.waiting
    foreign = presence.get_foreign_change(document.pk, tab, since) if since is not None else None
    others = presence.list_others(document.pk, tab)
    spreading = waiting is not None and waiting.kind == Version.Kind.SAVED and waiting.public_at is None
    write = find_open(document)
    sending = open_write(write) if write is not None and write.state != WriteState.HELD else None
    is_public = waiting is not None and waiting.public_at is not None and _is_recent(waiting.public_at)
    progress = f"u{write.state}{sending.attempt}{sending.decide:d}" if write and sending else "s" if spreading else ""
    marks = [document.revision, progress, "p" if is_public else "", len(others)]
    return Pulse(
        address=editor.address("pulse"),
        version="-".join(str(mark) for mark in marks),
        spreading=_format_spreading(waiting) if spreading and waiting else "",
        since=waiting.at.isoformat() if spreading and waiting else "",
        sending=sending,
        arrived=editor.address("arrived"),
        again=editor.address("again"),
        public=_format_public(waiting) if is_public and waiting and not editor.drafts else "",
        elsewhere=_format_elsewhere(foreign) if foreign else "",
        reload=editor.address(),
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


def _format_elsewhere(happened: presence.WindowChange) -> str:
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
    whole = [*listed, ("ai_content/_bar.html", {"bar": pages.build_bar(editor), "answer": True})]
    text = "".join(render_to_string(template, dict(context), editor.request) for template, context in whole)
    return HttpResponse(text, status=status)


def build_toast(editor: Editor, sentence: str, step: int | None = None, block: str = "") -> Part:
    """Build a message that disappears by itself, with an undo button where there is a step."""
    context = {
        "sentence": sentence,
        "step": step,
        "block": block,
        "undo": editor.address("undo"),
        "put_back": editor.address("put_back"),
    }
    return ("ai_content/_toast.html", context)
