"""The platform's refusals about playlists as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import Refusal, register

MESSAGES = {
    Message.PLAYLIST_NOT_FOUND: Refusal(gettext_noop("The platform does not have this playlist any more.")),
    Message.PLAYLIST_NOT_OWNED: Refusal(
        gettext_noop("This playlist belongs to another account."), gettext_noop("Only its owner can delete it.")
    ),
}

register(messages=MESSAGES)
