"""The platform's refusals about funnels as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import Refusal, register

MESSAGES = {
    Message.FUNNEL_NEEDS_FIRST: Refusal(gettext_noop("Mark one video as the entry of the funnel."), "", "is_first"),
    Message.FUNNEL_ONE_FIRST: Refusal(gettext_noop("Only one video can be the entry of the funnel."), "", "is_first"),
    Message.FUNNEL_VIDEO_UNKNOWN: Refusal(
        gettext_noop("One of the videos is not in this account."), gettext_noop("Remove it and send again."), "videos"
    ),
}

register(messages=MESSAGES)
