"""The platform's refusals about AI content as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.shared.refusals import Refusal, register

register(
    not_offered={
        "ai_workflow.generate_package": Refusal(
            gettext_noop("This platform does not offer generating AI content over its API. Nothing was generated."),
            gettext_noop("Generate it on the platform itself; what it makes can be edited here."),
        ),
        "ai_workflow.delete_package": Refusal(
            gettext_noop("This platform does not offer deleting AI content over its API. Nothing was deleted."),
            gettext_noop("Delete it on the platform itself."),
        ),
    }
)
