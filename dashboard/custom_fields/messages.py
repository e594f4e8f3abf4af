"""Problems of fields, lines and files as sentences that say what to do."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.custom_fields.rules import BYTES_MAX, LINES_MAX, FieldProblem, FileProblem
from dashboard.platform_api.vocabulary import FIELD_KEY, FIELD_KEY_MAX, FIELD_VALUE_MAX
from dashboard.shared import formats


def format_problem(kind: FieldProblem, text: str = "") -> str:
    """What is wrong with `text`, and what to do."""
    match kind:
        case FieldProblem.KEY_EMPTY:
            return _("Enter a key.")
        case FieldProblem.KEY_LONG | FieldProblem.VALUE_LONG:
            most = FIELD_KEY_MAX if kind is FieldProblem.KEY_LONG else FIELD_VALUE_MAX
            over = max(len(text) - most, 1)
            return ngettext(
                "Remove %(over)s character. The limit is %(most)s.",
                "Remove %(over)s characters. The limit is %(most)s.",
                over,
            ) % {"over": formats.number(over), "most": most}
        case FieldProblem.KEY_CHARACTERS:
            return _format_characters(text)
        case FieldProblem.KEY_TAKEN:
            return _("Another field of this video has this key. Choose a different one.")
        case FieldProblem.VALUE_EMPTY:
            return _("Enter a value. It can't be empty.")
        case FieldProblem.NO_VIDEO_ID:
            return _("Enter the id of the video in the column video_id.")
        case FieldProblem.NO_VIDEO:
            return _("No video of this account has this id.")
        case FieldProblem.NO_FIELD:
            return _("The video has no field with this key. Create the field on the platform.")
        case FieldProblem.TWICE:
            return _("An earlier line has the same video and key. Keep one of them.")
        case FieldProblem.CHANGED_SINCE:
            return _("The field was changed in the meantime. It was not changed again.")


def _format_characters(text: str) -> str:
    for place, character in enumerate(text, start=1):
        if not FIELD_KEY.fullmatch(character):
            name = _("the space") if character.isspace() else f"“{character}”"
            return _("Remove %(character)s (character %(place)s). A key can only have letters and digits.") % {
                "character": name,
                "place": place,
            }
    return _("A key can only have letters and digits.")


def format_file_problem(kind: FileProblem, column: str = "") -> str:
    """Why a file cannot be read, and what to do."""
    return {
        FileProblem.EMPTY: _("This file has no lines. Choose another."),
        FileProblem.TOO_LARGE: _("The file is larger than %(size)s. Split it.")
        % {"size": formats.file_size(BYTES_MAX)},
        FileProblem.TOO_LONG: _("The file has more than %(count)s lines. Split it.")
        % {"count": formats.number(LINES_MAX)},
        FileProblem.NOT_TEXT: _("This isn't a CSV file in UTF-8. Save it from the spreadsheet as “CSV UTF-8”."),
        FileProblem.COLUMNS: _("The first line has to name the columns video_id, key and value."),
        FileProblem.COLUMN_TWICE: _("The first line names the column %(column)s twice. Delete or rename one of them.")
        % {"column": column},
    }[kind]
