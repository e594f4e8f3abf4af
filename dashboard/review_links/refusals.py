"""The platform's refusals about review links as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import Missing, Refused
from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import KNOWN, Refusal, not_accepted, register

MESSAGES = {
    Message.EXPIRY_TOO_FAR: Refusal(
        gettext_noop("A review link can be open for 30 days at most."),
        gettext_noop("Choose an earlier end."),
        "expires_at",
    ),
}

register(
    messages=MESSAGES,
    conditions=(
        (
            "review_links.create",
            Refused,
            "link.?name",
            not_accepted("link_name", gettext_noop("Use letters, digits, spaces and - _ . in the name.")),
        ),
        (
            "review_links.create",
            Refused,
            "expires.?at",
            not_accepted("expires_at", gettext_noop("Choose another end.")),
        ),
        ("review_links.create", Missing, r"^video\b|\bvideo\b.*\bnot found\b", KNOWN[Message.VIDEO_NOT_FOUND]),
    ),
)
