"""Fields that count only with one choice beside them, such as a date under "At another time".

In the page `data-chooses="closes=custom"` on the field lets `js/other.js` choose it while somebody types. What comes filled in
with another choice all the same is asked about with this sentence, at the field: nothing that was typed is left out silently.
"""

from django.utils.translation import gettext as _


def describe_unused(choice: str) -> str:
    """What is said at a field that is filled in while something else is chosen. `choice`: the one that goes with it."""
    return _("You filled this in, but something else is chosen. Choose “%(choice)s”, or empty this field.") % {
        "choice": choice
    }
