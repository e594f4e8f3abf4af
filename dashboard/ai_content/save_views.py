"""Review, save, confirm or resend an unconfirmed save, and merge."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from dashboard.ai_content import pages, versions, writes
from dashboard.ai_content.ebook_html import Undecided
from dashboard.ai_content.editor import Editor, compose
from dashboard.ai_content.models import Draft, get_content
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.difference import (
    Absent,
    Conflict,
    Piece,
    Side,
    Value,
    diff_texts,
    list_changes,
    merge_packages,
)
from dashboard.ai_content.versions import FileState, OpenedLanguage, find_open, get_instead
from dashboard.ai_content.writes import SaveOutcome, SaveResult
from dashboard.shared import formats, http, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.models import State
from dashboard.writes.requests import is_current


def build_review(editor: Editor, result: SaveResult | None = None) -> dict[str, Any]:
    """What templates/ai_content/save.html shows; `result` is that of a save that failed."""
    trouble, trouble_next = format_trouble(result)
    return {
        "groups": pages.group_changes(editor.list_changes()),
        "problems": _list_problems(editor),
        "notes": _format_notes(editor),
        "drafts": [(str(block), pages.get_block_name(block)) for block in editor.drafts],
        "contents": _format_contents(editor),
        "trouble": trouble,
        "trouble_next": trouble_next,
        "instead": _get_instead(editor),
    }


def _get_instead(editor: Editor) -> str:
    """Value of `INSTEAD`, where an earlier save is not confirmed."""
    write = find_open(editor.document)
    return get_instead(write) if write is not None and write.state == State.UNCONFIRMED else ""


def _list_problems(editor: Editor) -> list[tuple[str, str]]:
    """List what the platform would refuse or has refused, and missing decisions, each with the address where to fix it."""
    problems = []
    content, document = editor.get_content(packages.Block.QUIZ), editor.document
    for finding in quiz.list_blocking(content.values) if content.draft is not None else ():
        handle = content.handles[finding.question or 0]
        problems.append((_format_note(finding), editor.address("question", handle)))
    if refusal := document.refusal:
        handle = str(refusal.get("handle") or "")
        place = editor.address("question", handle) if handle in content.handles else editor.address()
        problems.append((pages.explain_refusal(refusal).whole, place))
    try:
        package = compose(editor.package, editor.drafts)
        large = packages.list_large_parts(
            packages.build_payload(package, str(document.video_id), document.lang or None)
        )
        if large and editor.drafts:
            block = packages.get_block(large[0][0])
            problems.append(
                (_format_large(large), editor.address("language" if block is packages.Block.OTHER else str(block)))
            )
    except Undecided:
        problems.append((_("Text and HTML of the eBook differ: choose which to keep."), editor.address("ebook")))
    return problems


def _format_note(finding: quiz.Finding) -> str:
    values = {"number": (finding.question or 0) + 1, "sentence": pages.format_finding(finding)}
    return _("Question %(number)s: %(sentence)s") % values


def _format_large(parts: tuple[tuple[str, int], ...]) -> str:
    named = ", ".join(f"{key} {formats.file_size(size)}" for key, size in parts)
    return _("The file is larger than the %(most)s that the platform takes. Shorten its largest parts: %(parts)s") % {
        "most": formats.file_size(packages.BODY_MOST),
        "parts": named,
    }


def _format_notes(editor: Editor) -> str:
    findings = (
        quiz.lint_quiz(editor.get_content(packages.Block.QUIZ).values) if packages.Block.QUIZ in editor.drafts else ()
    )
    notes = [_format_note(each) for each in findings if not each.wrong][:3]
    return _("The quiz has notes that do not stop a save: %(notes)s") % {"notes": " ".join(notes)} if notes else ""


def _format_contents(editor: Editor) -> str:
    package = editor.package
    size = len(packages.format_json(package).encode("utf-8", "surrogatepass"))
    count = len(quiz.get_questions(package))
    return _(
        "The whole file is sent, changed or not: every block, %(questions)s questions, %(keys)s top-level keys, "
        "about %(size)s."
    ) % {"questions": formats.number(count), "keys": formats.number(len(package)), "size": formats.file_size(size)}


def format_trouble(result: SaveResult | None) -> tuple[str, str]:
    """Why a save failed, and what to do next; "" where its page says it otherwise."""
    if result is None:
        return "", ""
    if result.outcome is SaveOutcome.BUSY:
        return _("Somebody is saving this language right now."), _("Wait a moment, then save again.")
    if result.outcome is SaveOutcome.OPEN:
        return _("The last save of this language is not confirmed."), ""
    if result.error is not None and result.outcome in (SaveOutcome.UNREACHABLE, SaveOutcome.UNCONFIRMED):
        explained = refusals.explain(result.error)
        looked_after = result.outcome is SaveOutcome.UNCONFIRMED  # by the worker: its notice says so
        return explained.sentence, "" if looked_after else explained.next_step
    return "", ""


@dataclass(frozen=True)
class BlockMerge:
    """One block: the draft, its conflicts with the file, and the merged value for the choices made so far."""

    block: packages.Block
    draft: Draft
    conflicts: tuple[Conflict, ...]
    value: packages.Package


def merge_drafts(editor: Editor, choices: dict[str, Side] | None = None) -> list[BlockMerge]:
    """Merge each draft that is behind with the file; undecided conflicts take the draft's side."""
    merged = []
    for block, draft in editor.behind.items():
        result = merge_packages(draft.values_before, draft.values, packages.get_part(editor.package, block), choices)
        merged.append(BlockMerge(block, draft, result.conflicts, result.value))
    return merged


@dataclass(frozen=True)
class MergeQuestion:
    """One conflict of the merge page, with the side that was chosen; a side is None where it deleted the value."""

    key: str
    title: str
    base: str
    mine: tuple[Piece, ...] | None
    theirs: tuple[Piece, ...] | None
    side: Side | None


def build_questions(merges: list[BlockMerge], choices: dict[str, Side]) -> list[MergeQuestion]:
    """The conflicts, which the person decides."""
    return [
        MergeQuestion(
            key=conflict.key,
            title=_format_title(each, conflict),
            base=_format_side(conflict.base),
            mine=_diff_side(conflict.base, conflict.mine),
            theirs=_diff_side(conflict.base, conflict.theirs),
            side=choices.get(conflict.key),
        )
        for each in merges
        for conflict in each.conflicts
    ]


def _diff_side(base: Value, value: Value) -> tuple[Piece, ...] | None:
    return None if isinstance(value, Absent) else diff_texts(_format_side(base), _format_side(value))


def _format_side(value: Value) -> str:
    if isinstance(value, Absent):
        return ""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(f"{number}. {each}" for number, each in enumerate(value, start=1))
    return pages.format_value(value)


def _format_title(each: BlockMerge, conflict: Conflict) -> str:
    block = pages.get_block_name(str(each.block))
    path = list(conflict.place)
    if conflict.order:
        return _("%(block)s: the order") % {"block": block}
    if path[0] == "questions" and len(path) > 1:
        return _format_question_title(each, path)
    names = {
        "abstract": _("Text of the eBook"),
        "abstract_html": _("HTML of the eBook"),
        "abstract_summary": _("Summary"),
        "abstract_cover": _("Cover"),
        "mindmap": _("Mind map"),
        "questions_config": _("Quiz settings"),
        "time": _("time"),
    }
    rest = [piece.strip('"') for piece in path[1:] if not piece.startswith("§")]
    if path[0] == "mindmap" and rest[-1:] == ["time"]:
        rest[-1] = names["time"]
    return " › ".join([names.get(path[0], path[0]), *rest])


def _format_question_title(each: BlockMerge, path: list[str]) -> str:
    """Format the title of a question's conflict, by its number."""
    name = packages.name_by_keys("enunciate")
    base = packages.get_part(each.value, packages.Block.QUIZ)
    listed = quiz.get_questions(base)
    place = next((at for at, q in enumerate(listed) if path[1] in (packages.get_identifier(q), name(q))), None)
    parts = {"enunciate": _("text"), "options": _("answers"), "explanation": _("explanation")}
    rest = [parts.get(piece, piece.strip('"')) for piece in path[2:]]
    if place is None:
        return " › ".join([_("A question that one of you deleted"), *rest])
    return " › ".join([_("Question %(number)s") % {"number": place + 1}, *rest])


STATUS = {
    SaveOutcome.BLOCKED: 422,
    SaveOutcome.REFUSED: 422,
    SaveOutcome.BUSY: 409,
    SaveOutcome.OPEN: 409,
    SaveOutcome.UNREACHABLE: 503,
    SaveOutcome.UNCONFIRMED: 504,
}


@require_http_methods(["GET", "POST"])
def save(request: OwnerRequest, *args: object, **kwargs: object) -> HttpResponse:
    """The review page, and the save."""
    view = _send if request.method == "POST" else _render_review
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@pages.with_fresh_document
def _render_review(request: OwnerRequest, editor: Editor) -> HttpResponse:
    return _render_page(editor)


def _render_page(editor: Editor, result: SaveResult | None = None, **more: object) -> HttpResponse:
    editor.document.refresh_from_db()
    status = STATUS.get(result.outcome, 200) if result else 200
    return pages.render_page(editor, "save", "ai_content/save.html", status, **build_review(editor, result), **more)


@pages.with_known_document
def _send(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Save; errors are shown on the review page, drafts stay."""
    if http.is_dry_run(request):
        return _render_dry_run(editor)
    result = writes.save_drafts(request, editor.document)
    editor.reload_drafts()
    if result.outcome is SaveOutcome.CLASH:
        return pages.redirect_to(editor, "merge")
    if result.outcome is SaveOutcome.SAVED:
        return _render_saved(editor, result)
    if result.outcome is SaveOutcome.NOTHING:
        messages.info(request, _("No changes to send."))
        return _redirect_back(editor)
    if result.outcome is SaveOutcome.SENDING:  # the page says so, and follows
        return _redirect_back(editor)
    if request.htmx:
        _add_message(editor, result)
        return pages.redirect_to(editor, "save")
    return _render_page(editor, result)


def _render_dry_run(editor: Editor) -> HttpResponse:
    """Show the request without sending it."""
    try:
        package = compose(editor.package, editor.drafts)
    except Undecided:
        return _render_page(editor)
    body = packages.build_payload(package, str(editor.document.video_id), editor.document.lang or None)
    preview = clients.platform(editor.request).preview(lambda platform: platform.ai_workflow.save_package(body))
    return _render_page(editor, dry_run=http.show_request(preview))


def _add_message(editor: Editor, result: SaveResult) -> None:
    """Add a message with the error, which the review page after a redirect does not know."""
    trouble, trouble_next = format_trouble(result)
    if trouble:
        messages.error(editor.request, f"{trouble} {trouble_next}".strip())


def _render_saved(editor: Editor, result: SaveResult) -> HttpResponse:
    if result.version is not None:
        editor.opened = OpenedLanguage(editor.document, result.version, FileState.SPREADING, result.version)
    if not editor.request.htmx:
        messages.success(editor.request, _("Saved. Viewers will get it soon."))
        return _redirect_back(editor)
    pulse = pages.build_pulse(editor)
    response = pages.render_parts(editor, ("ai_content/_pulse.html", {"pulse": pulse, "answer": True}))
    return trigger_client_event(response, "ai-content:saved")


def _redirect_back(editor: Editor) -> HttpResponse:
    """Redirect to the section where Save was pressed."""
    section = editor.request.POST.get("section", "")
    name = section if section in ("ebook", "mindmap", "quiz", "versions") else "language"
    if editor.request.htmx:
        return pages.redirect_to(editor, name)
    return redirect(editor.address(name))


@require_POST
@pages.with_known_document
def arrived(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Confirm that an unconfirmed save arrived."""
    write = find_open(editor.document)
    if write is not None and is_current(request, write):
        outbox.confirm(write)
    return _redirect_back(editor)


@require_POST
@pages.with_known_document
def again(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Resend an unconfirmed save that did not arrive."""
    write = find_open(editor.document)
    if write is None or not is_current(request, write):
        return _redirect_back(editor)
    result = writes.resend(request, editor.document, write)
    if result.outcome is SaveOutcome.SAVED:
        messages.success(request, _("Saved. Viewers will get it soon."))
    elif result.outcome is SaveOutcome.CLASH:
        messages.warning(request, _("Somebody else changed this language after that save. It was not sent again."))
        return pages.redirect_to(editor, "merge")
    elif result.outcome in (SaveOutcome.REFUSED, SaveOutcome.UNREACHABLE) and result.error is not None:
        explained = refusals.explain(result.error)
        messages.error(request, explained.whole)
    return _redirect_back(editor)


@require_http_methods(["GET", "POST"])
@pages.with_fresh_document
def merge(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Merge drafts with somebody else's change; conflicts are decided on this page."""
    left = editor.behind
    if not left:
        return pages.redirect_to(editor, "save")
    merges = merge_drafts(editor)
    conflicts = [conflict for each in merges for conflict in each.conflicts]
    choices = {c.key: Side(request.POST[c.key]) for c in conflicts if request.POST.get(c.key) in set(Side)}
    moved_on = request.method == "POST" and request.POST.get("seen") != str(editor.opened.version.pk)
    missing = any(conflict.key not in choices for conflict in conflicts)
    if request.method == "GET" or moved_on or missing:
        questions, errors = build_questions(merges, choices), request.method == "POST" and not moved_on
        return pages.render_page(
            editor,
            "merge",
            "ai_content/merge.html",
            200 if request.method == "GET" else 409 if moved_on else 422,
            theirs=pages.group_changes(list_changes(get_content(next(iter(left.values())).base), editor.package)),
            mine=pages.group_changes(
                each for draft in left.values() for each in list_changes(draft.values_before, draft.values)
            ),
            questions=questions,
            errors=errors,
            missing=[each for each in questions if errors and each.side is None],
            moved_on=moved_on,
            when=formats.moment(editor.opened.version.at),
        )
    for each in merge_drafts(editor, choices):
        versions.rebase_draft(each.draft, editor.opened.version.blob, each.value)
    versions.note_change(editor.document, tab="", actor="", place="merged")
    if request.POST.get("then") == "save":
        return _send(request, editor.document.video_id, editor.word)
    messages.success(request, _("Merged into your draft. Review the changes, then save."))
    return redirect(editor.address("save"))
