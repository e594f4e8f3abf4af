"""Undo a save from Activity: send the version before it, with every check of a save."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard.activity.recorder import NotUndone, undoes
from dashboard.ai_content import restore
from dashboard.ai_content.decorators import open_editor
from dashboard.ai_content.languages import get_word
from dashboard.ai_content.models import Version
from dashboard.ai_content.save import submit
from dashboard.ai_content.save.queries import find_by_form, find_open
from dashboard.ai_content.writes import SaveOutcome
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest
from dashboard.writes.requests import form_key

if TYPE_CHECKING:
    from dashboard.activity.models import Entry
    from dashboard.writes.models import Write


@undoes("ai_workflow.save_package")
def undo_save(request: HttpRequest, entry: "Entry") -> "Write | None":
    """Send the version before the save; drafts are kept as a version. Raises `NotUndone` or a `PlatformError`.

    Returns the write; None where the platform has that version already.
    """
    owner: OwnerRequest = request  # type: ignore[assignment]  # the Activity page is a page of the account
    pk = entry.before.get("version") if isinstance(entry.before, dict) else None
    versions = Version.objects.filter(pk=int(pk or 0), document__account_id=owner.account.pk).select_related(
        "document", "blob"
    )
    version = versions.first()
    if version is None:
        raise NotUndone(_("That version is no longer stored."))
    document = version.document
    mine = find_by_form(document, form_key(owner))
    if mine is None and find_open(document) is not None:
        raise NotUndone(_("An earlier save of this language is not confirmed: wait until it is, then undo."))
    editor = open_editor(owner, document.video_id, get_word(document.lang))
    if mine is None and editor.behind:
        raise NotUndone(
            _("Nothing was sent: somebody else has changed this language. Merge the changes in AI content first.")
        )
    if mine is None:
        restore.restore_version(editor, version, formats.moment(version.at, "short"))
    result = submit.save_drafts(owner, editor.document, undoes=entry)
    if result.outcome in (SaveOutcome.SAVED, SaveOutcome.NOTHING, SaveOutcome.SENDING, SaveOutcome.UNCONFIRMED):
        return result.write
    if result.error is not None:
        raise result.error
    raise NotUndone(_("The previous version could not be sent. It is kept as a draft, in AI content."))
