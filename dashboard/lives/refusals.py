"""The platform's refusals about lives as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import Refused
from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import Refusal, register

MESSAGES = {
    Message.LIVE_ALREADY_STARTED: Refusal(
        gettext_noop("The live has been started already, or was never scheduled."),
        gettext_noop("Check its state below."),
    ),
    Message.LIVE_NOT_FOR_TRIAL: Refusal(
        gettext_noop("Trial accounts cannot start lives."), gettext_noop("Start a subscription on the platform.")
    ),
    Message.LIVE_ID_INVALID: Refusal(
        gettext_noop("This is not the id of a live."), gettext_noop("Open it from the list.")
    ),
    Message.LIVE_NOT_FOUND: Refusal(
        gettext_noop("The platform has no such live in this account."), gettext_noop("Open it from the list.")
    ),
    Message.LIVE_INGEST_FAILED: Refusal(
        gettext_noop("The platform could not open the live’s input, so it was not started."),
        gettext_noop("Try again in a minute."),
    ),
    Message.LIVE_SUBSCRIPTION_UNREAD: Refusal(
        gettext_noop("The platform could not read the account’s subscription, so the live was not started."),
        gettext_noop("Try again in a minute."),
    ),
}

register(
    messages=MESSAGES,
    conditions=(
        ("lives.start", Refused, "subscription", MESSAGES[Message.LIVE_SUBSCRIPTION_UNREAD]),
        ("lives.start", Refused, "ingest", MESSAGES[Message.LIVE_INGEST_FAILED]),
    ),
    not_offered={
        "lives.create": Refusal(
            gettext_noop("This platform does not offer to create lives over its API, so no live was created."),
            gettext_noop("Create the live on the platform’s own pages."),
        ),
        "lives.finish": Refusal(
            gettext_noop("This platform does not offer to finish lives over its API, so the live was not finished."),
            gettext_noop("Finish the live on the platform’s own pages."),
        ),
    },
)
