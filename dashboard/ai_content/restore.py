"""Taking over a whole content into the drafts: an older version, or a file that was imported."""

from functools import partial

from dashboard.activity.recorder import actor_of
from dashboard.ai_content import conflicts, undo_steps
from dashboard.ai_content.drafts import Made, Working
from dashboard.ai_content.ebook.texts import EXACT
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.models import Version
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.package import Block, Package, part, same
from dashboard.ai_content.versions import store


def take_over(editor: Editor, version: Version, label: str) -> int:
    """Let the drafts hold what the version holds; returns how many blocks changed.

    What was typed before is put aside as a version, and each block's edit can be undone.
    """
    package = store.content(version.blob)
    typed = conflicts.with_drafts(editor.opened, editor.drafts)
    if same(package, typed):
        return 0
    if editor.drafts:
        store.put_aside(editor.document, typed, actor_of(editor.request, editor.request.account), editor.package)
    count = 0
    for block in Block:
        if not same(part(package, block), part(typed, block)):
            editor.edit(block, partial(_taken, values=part(package, block), version=version, label=label))
            count += 1
    return count


def _taken(work: Working, values: Package, version: Version, label: str) -> Made:
    imported = version.kind == Version.Kind.IMPORTED
    handles = None
    if work.block is Block.QUIZ:
        handles = quiz.carried(work.questions, work.handles, quiz.questions_of(values))
    choice = EXACT if work.block is Block.EBOOK and not imported else None
    code = "imported" if imported else "restored"
    return Made(values, code, label, handles=handles, place=undo_steps.whole(work), before=work.values, choice=choice)


def working_package(editor: Editor) -> Package:
    """The file with everything typed, for comparing."""
    return conflicts.with_drafts(editor.opened, editor.drafts)
