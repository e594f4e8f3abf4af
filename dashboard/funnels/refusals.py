"""The platform's refusals about funnels as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import Missing, NotAllowed, Refused
from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import Refusal, register

MESSAGES = {
    Message.FUNNEL_NEEDS_FIRST: Refusal(gettext_noop("Mark one video as the entry of the funnel."), "", "is_first"),
    Message.FUNNEL_ONE_FIRST: Refusal(gettext_noop("Only one video can be the entry of the funnel."), "", "is_first"),
    Message.FUNNEL_VIDEO_UNKNOWN: Refusal(
        gettext_noop("One of the videos is not in this account."), gettext_noop("Remove it and send again."), "videos"
    ),
}

register(
    messages=MESSAGES,
    conditions=(
        (
            "funnels.add_videos",
            Refused,
            r"\bvideos\b(?=.*\b(?:empty|at least|required)\b)|\bempty\W+videos\b",
            Refusal(gettext_noop("There is no video to add."), gettext_noop("Choose at least one video."), "videos"),
        ),
        (
            "funnels.add_videos",
            NotAllowed,
            r"\borgani[sz]ation\b",
            Refusal(
                gettext_noop("This funnel belongs to another organization."),
                gettext_noop("Sign in with an account of that organization."),
            ),
        ),
        (
            "funnels.add_videos",
            Missing,
            r"\bfunnel\b",
            Refusal(gettext_noop("This funnel was not found in this account."), gettext_noop("Go back to the list.")),
        ),
    ),
)
