"""What the frame of the editor gets: where one is, what is typed and not sent, and how far a save has come."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import drafts, messages, presence, summaries, sync, writes
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.models import Step, Version
from dashboard.ai_content.rules.package import Block
from dashboard.ai_content.sync import State
from dashboard.platform_api.errors import CallError, Missing
from dashboard.platform_api.records import Video
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import own_path
from dashboard.writes.models import State as WriteState
from dashboard.writes.pages import OpenWrite, open_write

SECTIONS = (("ebook", Block.EBOOK), ("mindmap", Block.MINDMAP), ("quiz", Block.QUIZ))


@dataclass(frozen=True)
class Link:
    """A link of a row: its words, where it leads, whether it is where one is."""

    words: str
    address: str
    current: bool
    mark: bool = False
    """Something typed there is not sent yet."""
    lang: str = ""


@dataclass(frozen=True)
class Notice:
    """A sentence above the page: information, warning or trouble, with at most one link."""

    kind: str
    text: str
    link: str = ""
    link_words: str = ""


@dataclass(frozen=True)
class Bar:
    """templates/ai_content/_bar.html: what is typed and not sent, and the button that sends it."""

    changes: str
    kept: str
    save: str
    review: str
    undo: str
    undo_words: str
    undo_block: str
    section: str
    saved: str


@dataclass(frozen=True)
class Pulse:
    """templates/ai_content/_pulse.html: polled; how far the save has come, and what other windows do."""

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
    tabs: tuple[Link, ...]
    languages: tuple[Link, ...]
    notices: tuple[Notice, ...]
    bar: Bar
    pulse: Pulse
    generate: str
    """Where what this language lacks can be generated."""
    scope: str
    """Names this language in the browser's own storage; never a token, never a title."""


def frame(editor: Editor, section: str) -> Frame:
    """The frame of one page."""
    document = editor.document
    return Frame(
        title=document.title or str(document.video_id),
        language=messages.language(editor.word),
        lang=document.lang,
        legacy=not document.lang,
        library=reverse("ai_content:ai_content"),
        overview=editor.address(),
        tabs=_tabs(editor, section),
        languages=_languages(editor, section),
        notices=tuple(_notices(editor, section)),
        bar=bar(editor),
        pulse=pulse(editor, editor.request.headers.get("X-Tab", "")),
        generate=address("ai_content:generate", document.video_id, lang=document.lang),
        scope=str(document.pk),
    )


def _tabs(editor: Editor, section: str) -> tuple[Link, ...]:
    tabs = [Link(_("Overview"), editor.address(), section == "language")]
    tabs += [
        Link(messages.block_name(name), editor.address(name), section == name, block in editor.drafts)
        for name, block in SECTIONS
    ]
    return (*tabs, Link(_("Versions"), editor.address("versions"), section == "versions"))


def _languages(editor: Editor, section: str) -> tuple[Link, ...]:
    """The other languages of the video, each at the same page where it can be."""
    try:
        video = sync.video_of(editor.request, editor.document.video_id)
    except CallError:
        return ()
    listed = languages_of(video, editor.word)
    places = {word: address(f"ai_content:{section}", editor.document.video_id, word) for word in listed}
    return tuple(
        Link(messages.language(word), place, word == editor.word, lang=word if word != sync.LEGACY else "")
        for word, place in places.items()
        if place
    )


def languages_of(video: Video, also: str = "") -> list[str]:
    """Words of the languages that have AI content, in the order the platform lists them, the legacy file last."""
    found = dict.fromkeys(resource.lang for resource in video.ai_resources if resource.lang)
    listed = list(found)
    if also and also != sync.LEGACY and also not in found:
        listed.append(also)
    return [*listed, sync.LEGACY] if video.ai_url or also == sync.LEGACY else listed


def _notices(editor: Editor, section: str) -> list[Notice]:
    found = []
    if trouble := editor.opened.trouble:
        found.append(Notice("warning", _trouble(editor, trouble), editor.request.get_full_path(), _("Try again")))
    if editor.behind and section != "merge":
        text = _("Somebody else changed this language after you began. Nothing of theirs or yours is lost.")
        found.append(Notice("warning", text, editor.address("merge"), _("Compare and merge")))
    told_below = section == "save"
    if (refusal := editor.document.refusal) and not refusal.get("handle") and not told_below:
        found.append(Notice("trouble", refused(refusal), editor.address("save"), _("Review changes")))
    return found


def refused(refusal: dict[str, object]) -> str:
    """The platform's refusal of the last save."""
    said = str(refusal.get("message") or "")
    if refusal.get("status") == 404:
        text = _("The platform does not have this video, or no AI content in this language any more.")
    else:
        text = _("The platform refused what was sent. Everything typed is kept.")
    return f"{text} " + _("It says: “%(words)s”.") % {"words": said} if said else text


def _trouble(editor: Editor, error: CallError) -> str:
    when = formats.moment(editor.opened.version.at, "short")
    if isinstance(error, Missing):
        return _("The platform has no file for this language now. You see the version of %(when)s.") % {"when": when}
    sentence = refusals.explain(error).sentence
    return f"{sentence} " + _("You edit the version of %(when)s; what you type is kept here.") % {"when": when}


def bar(editor: Editor, saved: str = "") -> Bar:
    """The bar at the foot. `saved` is a sentence about a save that has just ended."""
    found = editor.changes() if editor.drafts else ()
    newest = max((draft.updated_at for draft in editor.drafts.values()), default=None)
    undo_block, step = _last_step(editor)
    return Bar(
        changes=messages.count_of_changes(len(found)) if editor.drafts else "",
        kept=formats.ago(newest) if newest else "",
        save=editor.address("save"),
        review=editor.address("save"),
        undo=editor.address("undo") if step else "",
        undo_words=step_words(step.code, step.label) if step else "",
        undo_block=undo_block,
        section=_section(editor),
        saved=saved,
    )


def _section(editor: Editor) -> str:
    """The section whose page shows the bar, also when the bar is only a part of an answer."""
    shown = own_path(editor.request, editor.request.headers.get("HX-Current-URL", "")) or editor.request.path
    rest = shown.removeprefix(editor.address()).partition("/")[0]
    return rest if rest in {"ebook", "mindmap", "quiz", "versions"} else "language"


def _last_step(editor: Editor) -> tuple[str, Step | None]:
    steps = [(str(block), drafts.last_step(draft)) for block, draft in editor.drafts.items()]
    known = [(block, step) for block, step in steps if step is not None]
    return max(known, key=lambda pair: pair[1].pk, default=("", None))


def step_words(code: str, label: str) -> str:
    """What an undo takes back."""
    sentence = {
        "question_edited": _("Question edited: %(label)s"),
        "question_added": _("Question added"),
        "question_deleted": _("Question deleted: %(label)s"),
        "question_duplicated": _("Question duplicated: %(label)s"),
        "question_moved": _("Question moved: %(label)s"),
        "settings": _("Quiz settings changed"),
        "structure_copied": _("Structure copied from %(label)s"),
        "text": _("eBook text edited"),
        "summary": _("Summary edited"),
        "cover": _("Cover edited"),
        "html_kept": _("Text made from the HTML"),
        "markdown_kept": _("HTML made from the text"),
        "node_renamed": _("Topic renamed: %(label)s"),
        "node_moved": _("Topic moved: %(label)s"),
        "node_added": _("Topic added"),
        "node_deleted": _("Topic deleted: %(label)s"),
        "json": _("JSON edited"),
        "restored": _("Version restored: %(label)s"),
        "imported": _("Imported: %(label)s"),
    }.get(code, _("Edit"))
    return sentence % {"label": label}


def pulse(editor: Editor, tab: str = "", since: int | None = None) -> Pulse:
    """How far things have come. Its `version` changes whenever there is something new to show.

    `since` is the revision that the window `tab` shows.
    """
    document, waiting = editor.document, editor.opened.waiting
    foreign = presence.elsewhere(document, tab, since) if since is not None else None
    others = presence.others(document, tab)
    spreading = waiting is not None and waiting.kind == Version.Kind.SAVED and waiting.public_at is None
    write = writes.find_open(document)
    sending = open_write(write) if write is not None and write.state != WriteState.HELD else None
    done = waiting is not None and waiting.public_at is not None and _recent(waiting.public_at)
    stands = f"u{write.state}{sending.attempt}{sending.decide:d}" if write and sending else "s" if spreading else ""
    marks = [document.revision, stands, "p" if done else "", len(others)]
    return Pulse(
        address=editor.address("pulse"),
        version="-".join(str(mark) for mark in marks),
        spreading=_spreading(waiting) if spreading and waiting else "",
        since=waiting.at.isoformat() if spreading and waiting else "",
        sending=sending,
        arrived=editor.address("arrived"),
        again=editor.address("again"),
        public=_public(waiting) if done and waiting and not editor.drafts else "",
        elsewhere=_elsewhere(foreign) if foreign else "",
        reload=editor.address(),
        others=_others(others),
    )


RECENTLY_PUBLIC = 600


def _recent(at: datetime) -> bool:
    return (timezone.now() - at).total_seconds() < RECENTLY_PUBLIC


def _spreading(version: Version) -> str:
    return _("Saved at %(time)s and spreading: viewers still get the version before.") % {"time": _time(version.at)}


def _public(version: Version) -> str:
    """When the file was seen with this version: nobody knows when viewers got it first."""
    return _("Viewers have the version of %(time)s. Seen at %(seen)s.") % {
        "time": _time(version.at),
        "seen": _time(version.public_at or version.at),
    }


def _elsewhere(happened: presence.Happened) -> str:
    values = {"who": happened.actor, "when": formats.ago(datetime.fromtimestamp(happened.at, UTC))}
    if happened.place == "file":
        return _("The file changed on the platform. Load the page again to see it.")
    if happened.place == "saved":
        return _("%(who)s saved this language in another window, %(when)s.") % values
    return _("%(who)s changed something here in another window, %(when)s.") % values


def _others(others: list[str]) -> str:
    if not others:
        return ""
    text = ngettext("Also open in %(count)s other window", "Also open in %(count)s other windows", len(others))
    return text % {"count": len(others)} + f" ({', '.join(dict.fromkeys(others))})"


def _time(at: datetime) -> str:
    return formats.time_of_day(at, seconds=True)


def change_lines(editor: Editor) -> list[str]:
    """What saving would change, a sentence each."""
    return [messages.change(summaries.summary(change)) for change in editor.changes()]


def state_words(state: State) -> str:
    """A state as a word."""
    return {
        State.SETTLED: _("As viewers have it"),
        State.SPREADING: _("Spreading"),
        State.UNCONFIRMED: _("Not confirmed"),
        State.UNREAD: _("Not read"),
    }[state]
