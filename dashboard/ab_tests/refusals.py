"""The platform's refusals about A/B tests as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import Refusal, register

MESSAGES = {
    Message.TYPE_NOT_SPECIFIED: Refusal(gettext_noop("The platform was not told what to do with the test.")),
}

register(messages=MESSAGES)
