"""What the pages of AI content share: sentences, the editor that each view gets, and the frame around the editor's pages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_htmx.http import HttpResponseClientRedirect

from dashboard.ai_content import versions
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.exchange import FILE_MOST
from dashboard.ai_content.models import Version
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.difference import Change, Piece, diff_texts, summarize
from dashboard.ai_content.rules.package import TEXT_MOST, Block, NotAPackage, format_json
from dashboard.ai_content.rules.quiz import Finding, FindingCode, parse_question
from dashboard.ai_content.versions import FileState, build_opened, find_open, get_lang, list_languages
from dashboard.platform_api import errors
from dashboard.platform_api.errors import CallError, Missing
from dashboard.platform_api.values import JSON
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, own_path
from dashboard.shared.refusals import Explained
from dashboard.upstream import reads
from dashboard.writes.models import State as WriteState
from dashboard.writes.pages import open_write

BLOCKS = {
    "ebook": lambda: _("eBook"),
    "mindmap": lambda: _("Mind map"),
    "quiz": lambda: _("Quiz"),
    "other": lambda: _("Other content"),
}


def get_block_name(block: str) -> str:
    """Format the name of a block, such as “Mind map”."""
    return BLOCKS[block]() if block in BLOCKS else block


def get_letter(place: int) -> str:
    """Format the letter of an answer: 0 is A, 26 is AA."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(65 + rest) + name
    return name


def format_change(change: Change) -> str:
    """Format a change, such as “Question 4: text changed”."""
    if change.question:
        return _format_quiz_change(change)
    if change.what in ("node", "node_label", "node_place", "node_time"):
        return _format_node_change(change)
    if change.what in ("setting", "cover"):
        name = {"setting": _("Setting “%(key)s”"), "cover": _("Cover: %(key)s")}[change.what]
        return _format_kind(name % {"key": " › ".join(change.path)}, change.kind)
    named = {
        "ebook_text": _("Text of the eBook"),
        "ebook_html": _("HTML of the eBook"),
        "summary": _("Summary"),
    }
    name = named.get(change.what) or _("“%(path)s”") % {"path": " › ".join(change.path)}
    return _format_kind(name, change.kind)


def _format_kind(name: str, kind: str) -> str:
    sentence = {
        "added": _("%(name)s: added"),
        "removed": _("%(name)s: removed"),
        "moved": _("%(name)s: moved"),
    }.get(kind, _("%(name)s: changed"))
    return sentence % {"name": name}


def _format_quiz_change(change: Change) -> str:
    values = {
        "number": change.question,
        "letter": get_letter(change.option - 1) if change.option else "",
        "old": change.before,
    }
    sentences = {
        ("question", "added"): _("Question %(number)s: added"),
        ("question", "removed"): _("Question %(number)s: deleted"),
        ("question_place", "moved"): _("Question %(number)s: moved from place %(old)s"),
        ("option", "added"): _("Question %(number)s: answer %(letter)s added"),
        ("option", "removed"): _("Question %(number)s: answer %(letter)s deleted"),
        ("option_place", "moved"): _("Question %(number)s: answer %(letter)s moved"),
    }
    if (change.what, change.kind) in sentences:
        return sentences[change.what, change.kind] % values
    if change.what == "question_text":
        return _("Question %(number)s: text changed") % values
    if change.what == "option_text":
        return _("Question %(number)s: text of answer %(letter)s changed") % values
    if change.what == "option_correct":
        right = change.after == "true"
        now = _("Question %(number)s: answer %(letter)s is correct now")
        not_now = _("Question %(number)s: answer %(letter)s is not correct any more")
        return (now if right else not_now) % values
    return _("Question %(number)s: “%(key)s” changed") % {**values, "key": " › ".join(change.path) or "JSON"}


def _format_node_change(change: Change) -> str:
    if change.what == "node_label":
        return _("Mind map: “%(old)s” is called “%(new)s” now") % {"old": change.before, "new": change.after}
    label = change.path[-1] if change.path else ""
    if change.what == "node_time":
        old, new = (maps.parse_time(str(time)) for time in (change.before, change.after))
        sentence = {
            "added": _("Mind map: time %(new)s added to “%(label)s”"),
            "removed": _("Mind map: time %(old)s removed from “%(label)s”"),
        }.get(change.kind, _("Mind map: time of “%(label)s” changed from %(old)s to %(new)s"))
        is_within_a_second = old is not None and new is not None and int(old) == int(new)
        times = (change.before, change.after) if is_within_a_second else map(formats.clock, (old or 0, new or 0))
        return sentence % {"label": label, **dict(zip(("old", "new"), times, strict=True))}
    sentence = {
        "added": _("Mind map: “%(label)s” added"),
        "removed": _("Mind map: “%(label)s” deleted"),
    }.get(change.kind, _("Mind map: “%(label)s” moved"))
    return sentence % {"label": label}


def format_changes(summaries: Sequence[Change], count: int, most: int = 3) -> str:
    """Format the first changes and the count of the others, in one line."""
    if not count:
        return _("No change in content")
    listed = [format_change(each) for each in summaries[:most]]
    rest = count - len(listed)
    if rest > 0:
        listed.append(ngettext("and %(count)s more change", "and %(count)s more changes", rest) % {"count": rest})
    return "; ".join(listed)


def format_finding(finding: Finding) -> str:
    """Format a finding, with what to do."""
    values = {
        "letter": get_letter(finding.option) if finding.option is not None else "",
        "other": formats.number(finding.other) if finding.other is not None else "",
        "other_letter": get_letter(finding.other) if finding.other is not None else "",
        "number": (finding.other or 0) + 1,
    }
    return _FINDINGS[finding.code]() % values


_FINDINGS = {
    FindingCode.BROKEN: lambda: _("This question cannot be edited as a form. Fix its JSON."),
    FindingCode.NO_TEXT: lambda: _("Write the question. The platform refuses one without text."),
    FindingCode.NO_OPTIONS: lambda: _("Add answers. The platform refuses a question without them."),
    FindingCode.ONE_OPTION: lambda: _("Add a second answer."),
    FindingCode.EMPTY_OPTION: lambda: _("Answer %(letter)s is empty."),
    FindingCode.NO_CORRECT: lambda: _("No answer is marked as correct."),
    FindingCode.SEVERAL_CORRECT: lambda: _(
        "%(other)s answers are marked as correct. Only the first one, %(letter)s, counts."
    ),
    FindingCode.ALL_CORRECT: lambda: _("Every answer is marked as correct. Only the first one, %(letter)s, counts."),
    FindingCode.SAME_OPTION: lambda: _("Answer %(letter)s has the same text as answer %(other_letter)s."),
    FindingCode.SAME_QUESTION: lambda: _("Same text as question %(number)s."),
    FindingCode.LONG_QUESTION: lambda: _("Long for a phone: %(other)s characters."),
    FindingCode.LONG_OPTION: lambda: _("Answer %(letter)s is long for a phone: %(other)s characters."),
    FindingCode.TOO_FEW: lambda: _("Too few answers: the quiz needs %(other)s."),
}


_REASONS = {
    "not_json": lambda: _("This is not JSON. Look for a missing comma, quote or bracket."),
    "not_object": lambda: _("This is JSON, but not an object: it has to begin with { and end with }."),
    "too_deep": lambda: _("The JSON is nested deeper than 100 levels. Reduce the levels."),
    "not_finite": lambda: _("The file contains a number that JSON does not allow, such as NaN or 1e999."),
    "too_large": lambda: (
        _("The file is larger than %(most)s. Split it, and import one part after the other.")
        % {"most": formats.file_size(FILE_MOST)}
    ),
    "empty": lambda: _("The file is empty."),
    "two_sources": lambda: _("You chose a file and pasted text. Empty the text, or send it without a file."),
    "not_text": lambda: _("This is not a text file in UTF-8."),
    "no_rows": lambda: _("The file has no questions: it needs a header row and at least one more row."),
    "no_question_column": lambda: _("No column is called “question”."),
    "column_twice": lambda: _("Two columns mean the same: “%(detail)s”. Delete or rename one of them."),
    "no_answer_columns": lambda: _("No column is called “answer 1”."),
    "not_yes_or_no": lambda: _("“%(detail)s” is neither yes nor no. Write 1 or 0 in the columns “correct”."),
    "too_many_rows": lambda: _("The file has more than %(detail)s rows. Split it into several quizzes."),
    "not_csv": lambda: _("This is not CSV: %(detail)s."),
    "not_xml": lambda: _("This is not XML."),
    "document_type": lambda: _("The file declares a document type, which is not allowed. Delete that line."),
    "not_opml": lambda: _("This is not OPML."),
    "no_outline": lambda: _("The file has no outline."),
    "too_many_nodes": lambda: _("The file has more than %(detail)s topics. Split it into several mind maps."),
    "text_too_long": lambda: format_ebook_limit(),
    "too_many_questions": lambda: _("The quiz has more than %(detail)s questions. Delete some."),
    "front_matter": lambda: _("The front matter cannot be read: “%(detail)s”. Write one “key: value” per line."),
    "unknown_kind": lambda: _("Choose the file type: it cannot be detected from the file name."),
}


def format_ebook_limit() -> str:
    """Format the error of an eBook that is too long."""
    sentence = _("The text has more than %(most)s characters. Shorten it, or make two eBooks of it.")
    return sentence % {"most": formats.number(TEXT_MOST)}


def format_reason(code: str, detail: str = "", line: int = 0) -> str:
    """Format why something cannot be read, with its line."""
    sentence = _REASONS[code]() % {"detail": detail}
    return _("Line %(line)s: %(sentence)s") % {"line": line, "sentence": sentence} if line else sentence


def get_language_name(word: str) -> str:
    """Format the name of a language of an address, also of the legacy file."""
    return _("Single file") if word == "legacy" else formats.language_name(word)


SHOWN = 300


def group_changes(changes: Iterable[Change]) -> list[tuple[str, list[tuple[str, tuple[Piece, ...]]], int]]:
    """Group changes by block: its name, its first changes in words and as differences, and the number of the others."""
    listed = list(changes)
    groups = []
    for block in Block:
        own = [change for change in listed if change.block is block]
        if own:
            lines = [(format_change(summarize(each)), _diff_change(each)) for each in own[:SHOWN]]
            groups.append((get_block_name(block), lines, len(own) - len(lines)))
    return groups


def _diff_change(change: Change) -> tuple[Piece, ...]:
    if change.kind == "moved" or change.what == "node_time":
        return ()
    return diff_texts(format_value(change.before), format_value(change.after))


def format_value(value: JSON) -> str:
    """Format a value: text unchanged, a question as its text and answers, anything else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "options" in value:
        question = parse_question(value)
        if question.broken is None:
            answers = [f"{'☑' if option.correct else '☐'} {option.text}" for option in question.options]
            return "\n".join([question.text, *answers])
    return format_json(value, indent=2)


def explain_refusal(refusal: dict[str, Any]) -> Explained:
    """The platform's refusal of the last save, as its document keeps it."""
    status, message = refusal.get("status") or 400, str(refusal.get("message") or "")
    kind = errors.error_for("ai_workflow.save_package", status, message, frozenset())
    return refusals.explain(kind("ai_workflow.save_package", status, message))


def get_step_name(code: str, label: str) -> str:
    """Format what an undo reverts."""
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
        "node_time": _("Time changed: %(label)s"),
        "node_moved": _("Topic moved: %(label)s"),
        "node_added": _("Topic added"),
        "node_deleted": _("Topic deleted: %(label)s"),
        "json": _("JSON edited"),
        "restored": _("Version restored: %(label)s"),
        "imported": _("Imported: %(label)s"),
    }.get(code, _("Edit"))
    return sentence % {"label": label}


def get_state_name(state: FileState) -> str:
    """Format a sync state."""
    return {
        FileState.SETTLED: _("Viewers have this version"),
        FileState.SPREADING: _("Publishing"),
        FileState.UNCONFIRMED: _("Not confirmed"),
        FileState.UNREAD: _("Not loaded"),
    }[state]


P = ParamSpec("P")
Inner = Callable[Concatenate[OwnerRequest, Editor, P], HttpResponse]
Outer = Callable[Concatenate[OwnerRequest, UUID, str, P], HttpResponse]


def with_fresh_document(view: Inner[P]) -> Outer[P]:
    """Call the view with the editor after the file was read, or with its newest stored version where it cannot be."""
    return _with_editor(view, open_editor)


def with_stored_document(view: Inner[P]) -> Outer[P]:
    """Call the view with the editor at the newest stored version: for edits, which do not wait for the platform."""
    return _with_editor(view, resume_editor)


def with_document(view: Inner[P]) -> Outer[P]:
    """Like `with_fresh_document` for a page, like `with_stored_document` for what it sends."""
    return _with_editor(view, lambda *args: (resume_editor if args[0].method == "POST" else open_editor)(*args))


def with_known_document(view: Inner[P]) -> Outer[P]:
    """Like `with_stored_document`; 404 where no document is stored."""
    return _with_editor(view, get_known_editor)


def _with_editor(view: Inner[P], open_: Callable[[OwnerRequest, UUID, str], Editor]) -> Outer[P]:
    @wraps(view)
    def wrapper(request: OwnerRequest, video_id: UUID, lang: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            editor = open_(request, video_id, lang)
        except NotAPackage as error:
            return _render_unreadable(request, video_id, lang, error)
        except Missing as error:
            if error.operation != "ai_workflow.read_package":
                raise
            return _render_no_file(request, video_id, lang)
        if reads.is_page(request):
            versions.check_public(request, editor.opened)
        return view(request, editor, *args, **kwargs)

    return cast(Outer[P], wrapper)


def _render_unreadable(request: OwnerRequest, video_id: UUID, lang: str, error: NotAPackage) -> HttpResponse:
    """502: the file cannot be edited without losing something."""
    context = {
        "title": versions.get_video(request, video_id).title,
        "language": get_language_name(lang),
        "reason": format_reason(error.code),
        "again": request.get_full_path(),
    }
    return render(request, "ai_content/unreadable.html", context, status=502)


def _render_no_file(request: OwnerRequest, video_id: UUID, lang: str) -> HttpResponse:
    """404: the video has no file of this language."""
    try:
        video = versions.get_video(request, video_id)
    except CallError:
        video = None
    words = list_languages(video) if video else []
    links = [
        (get_language_name(word), place)
        for word in words
        if word != lang and (place := address("ai_content:language", video_id, word))
    ]
    context = {
        "title": video.title if video else "",
        "language": get_language_name(lang),
        "announced": lang in words,
        "links": links,
        "again": request.get_full_path(),
        "generate": address("ai_content:generate", video_id, lang=get_lang(lang)) if video else "",
    }
    return render(request, "ai_content/no_file.html", context, status=404)


def open_editor(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Read the file and return the editor. Raises a `CallError`, or `NotAPackage`."""
    return Editor(request, versions.open_language(request, video_id, get_lang(lang)), lang)


def resume_editor(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Return the editor at the newest stored version; reads the file where none is stored."""
    document = versions.get_document(request, video_id, get_lang(lang))
    version = None if document is None else versions.get_settled(document)
    if document is None or version is None:
        return open_editor(request, video_id, lang)
    return Editor(request, build_opened(document, version), lang)


def get_known_editor(request: OwnerRequest, video_id: UUID, lang: str) -> Editor:
    """Like `resume_editor`; 404 where no document is stored."""
    document = versions.get_document(request, video_id, get_lang(lang))
    if document is None:
        raise Http404
    return resume_editor(request, video_id, lang)


SECTIONS = (("ebook", Block.EBOOK), ("mindmap", Block.MINDMAP), ("quiz", Block.QUIZ))
RECENTLY_PUBLIC = 600
Part = tuple[str, Mapping[str, Any]]


def render_page(editor: Editor, section: str, template: str, status: int = 200, **context: object) -> HttpResponse:
    """Render a page of the language inside its frame, templates/ai_content/frame.html."""
    document = editor.document
    frame = {
        **_build_bar(editor),
        "language": get_language_name(editor.word),
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
        (editor.address(name), get_block_name(name), section == name, block in editor.drafts)
        for name, block in SECTIONS
    ]
    return [*tabs, (editor.address("versions"), _("Versions"), section == "versions", False)]


def _list_languages(editor: Editor, section: str) -> list[tuple[str, str, str]]:
    """The word, name and address of this page in each language."""
    try:
        video = versions.get_video(editor.request, editor.document.video_id)
    except CallError:
        return []
    places = {
        word: address(f"ai_content:{section}", editor.document.video_id, word)
        for word in list_languages(video, editor.word)
    }
    return [(word, get_language_name(word), place) for word, place in places.items() if place]


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


def build_pulse(editor: Editor, tab: str = "", since: int | None = None) -> dict[str, Any]:
    """What templates/ai_content/_pulse.html shows, which is polled.

    Its `version` changes whenever there is something new to show; `since` is the revision that the window `tab` shows.
    """
    document, waiting = editor.document, editor.opened.waiting
    foreign = versions.get_foreign_change(document.pk, tab, since) if since is not None else None
    others, write = versions.list_others(document.pk, tab), find_open(document)
    public_at = waiting.public_at if waiting else None
    sending = open_write(write) if write is not None and write.state != WriteState.HELD else None
    is_spreading = waiting is not None and waiting.kind == Version.Kind.SAVED and public_at is None
    is_public = public_at is not None and (timezone.now() - public_at).total_seconds() < RECENTLY_PUBLIC
    progress = (
        f"u{write.state}{sending.attempt}{sending.decide:d}" if write and sending else "s" if is_spreading else ""
    )
    marks = [document.revision, progress, "p" if is_public else "", len(others)]
    return {
        "version": "-".join(str(mark) for mark in marks),
        "waiting": waiting,
        "saved": formats.time_of_day(waiting.at, seconds=True) if waiting else "",
        "is_spreading": is_spreading,
        "sending": sending,
        # when the public file was first read with this version; viewers may have had it earlier
        "seen": formats.time_of_day(public_at, seconds=True) if public_at and is_public and not editor.drafts else "",
        "elsewhere": _format_elsewhere(foreign) if foreign else "",
        "others": len(others),
        "names": ", ".join(dict.fromkeys(others)),
    }


def _format_elsewhere(happened: versions.WindowChange) -> str:
    values = {"who": happened.actor, "when": formats.ago(datetime.fromtimestamp(happened.at, UTC))}
    if happened.place == "file":
        return _("The file changed on the platform. Load the page again to see it.")
    if happened.place == "saved":
        return _("%(who)s saved this language in another window, %(when)s.") % values
    return _("%(who)s changed something here in another window, %(when)s.") % values


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
