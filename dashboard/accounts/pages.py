"""What sign-in says where it refuses."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def refused_sentence(words: str) -> str:
    """Why the token does not work, with the platform's own words."""
    sentence = _(
        "The platform does not know this token. Copy it again, whole, from the settings of your video account."
    )
    return f"{sentence} " + _("The platform says: “%(words)s”.") % {"words": words} if words else sentence


def other_sentence(name: str) -> str:
    """Why the token of another account, which is connected already, connects no sub-account."""
    return _("This is the token of “%(name)s”. Paste the token of the sub-account itself.") % {"name": name}


def wait_sentence(seconds: int) -> str:
    """How long to wait after too many attempts."""
    minutes = max(1, -(-seconds // 60))
    return ngettext(
        "Too many attempts. Wait %(count)s minute, then try again.",
        "Too many attempts. Wait %(count)s minutes, then try again.",
        minutes,
    ) % {"count": minutes}
