"""The platform's refusals about custom fields as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.shared.refusals import Refusal, not_accepted, register

register(
    conditions=(
        (
            "custom_fields.update",
            r"duplicate|unique|already",
            Refusal(gettext_noop("Another field of this video has this key. Choose a different one."), "", "key"),
        ),
        ("custom_fields.update", r"\bvalue\b", not_accepted("value")),
        ("custom_fields.update", r"\bkey\b", not_accepted("key")),
    )
)
