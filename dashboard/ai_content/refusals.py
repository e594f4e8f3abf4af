"""The platform's refusals about AI content as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import Missing, NotAllowed, Refused
from dashboard.shared.refusals import Refusal, register

register(
    conditions=(
        (
            "ai_workflow.save_package",
            Missing,
            "",
            Refusal(
                gettext_noop("The platform does not have this video, or no AI content in this language any more."),
                gettext_noop("Everything typed is kept."),
            ),
        ),
        (
            "ai_workflow.save_package",
            Refused,
            r"\benunciate\b",
            Refusal(
                gettext_noop("The platform refused a question, because of its text. Everything typed is kept."),
                gettext_noop("Give every question a text, then save again."),
            ),
        ),
        (
            "ai_workflow.save_package",
            Refused,
            r"\boptions?\b",
            Refusal(
                gettext_noop("The platform refused a question, because of its answers. Everything typed is kept."),
                gettext_noop("Check the answers of every question, then save again."),
            ),
        ),
        (
            "ai_workflow.save_package",
            (Refused, NotAllowed),
            "",
            Refusal(
                gettext_noop("The platform refused what was sent. Everything typed is kept."),
                gettext_noop("Check it, then save again."),
            ),
        ),
    ),
    not_offered={
        "ai_workflow.generate_package": Refusal(
            gettext_noop("This platform does not offer generating AI content over its API. Nothing was generated."),
            gettext_noop("Generate it on the platform itself; what it makes can be edited here."),
        ),
        "ai_workflow.delete_package": Refusal(
            gettext_noop("This platform does not offer deleting AI content over its API. Nothing was deleted."),
            gettext_noop("Delete it on the platform itself."),
        ),
    },
)
