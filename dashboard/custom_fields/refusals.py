"""The platform's refusals about custom fields as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import Missing, Refused
from dashboard.shared.refusals import Refusal, not_accepted, register

register(
    conditions=(
        (
            "custom_fields.update",
            Refused,
            r"duplicate|unique|already",
            Refusal(gettext_noop("Another field of this video has this key. Choose a different one."), "", "key"),
        ),
        (
            "custom_fields.update",
            Refused,
            r"\bvalue\b",
            not_accepted("value", gettext_noop("Write a value of up to 500 characters.")),
        ),
        (
            "custom_fields.update",
            Refused,
            r"\bkey\b",
            not_accepted("key", gettext_noop("Write a key of up to 200 characters.")),
        ),
        (
            "custom_fields.update",
            Missing,
            r"custom.?field",
            Refusal(gettext_noop("This custom field was not found in this account."), gettext_noop("Reload the page.")),
        ),
    )
)
