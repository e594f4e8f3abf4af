"""Replace all drafts by a version or an import."""

from functools import partial

from dashboard.activity.recorder import actor_of
from dashboard.ai_content.ebook.texts import EXACT
from dashboard.ai_content.editor import BlockContent, Edit, Editor, describe_block
from dashboard.ai_content.models import Version, get_content
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.package import Block, Package, get_part, is_same
from dashboard.ai_content.versions import store


def restore_version(editor: Editor, version: Version, label: str) -> int:
    """Replace the drafts by the content of a version; returns how many blocks changed.

    What was typed before is kept as a version, and the edit of each block can be undone.
    """
    package = get_content(version.blob)
    typed = editor.get_typed_package()
    if is_same(package, typed):
        return 0
    if editor.drafts:
        store.keep_aside(editor.document, typed, actor_of(editor.request, editor.request.account), editor.package)
    count = 0
    for block in Block:
        if not is_same(get_part(package, block), get_part(typed, block)):
            editor.edit(block, partial(_build_edit, values=get_part(package, block), version=version, label=label))
            count += 1
    return count


def _build_edit(content: BlockContent, values: Package, version: Version, label: str) -> Edit:
    imported = version.kind == Version.Kind.IMPORTED
    handles = None
    if content.block is Block.QUIZ:
        handles = quiz.carry_handles(content.questions, content.handles, quiz.get_questions(values))
    choice = EXACT if content.block is Block.EBOOK and not imported else None
    code = "imported" if imported else "restored"
    return Edit(
        values, code, label, handles=handles, place=describe_block(content), before=content.values, choice=choice
    )
