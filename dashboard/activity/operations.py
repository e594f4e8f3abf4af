"""What each recorded operation is called where people see it. Names are those of the platform client's methods."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

NAMES: dict[str, str] = {
    "ai_workflow.create": gettext_noop("Subtitles ordered"),
    "ai_workflow.generate_package": gettext_noop("AI content ordered"),
    "ai_workflow.delete_package": gettext_noop("AI content deleted"),
    "ai_workflow.save_package": gettext_noop("AI content saved"),
    "organizations.create_sub_account": gettext_noop("Sub-account created"),
    "review_links.create": gettext_noop("Review link created"),
    "public_review.create_comment": gettext_noop("Comment posted"),
    "public_review.update_comment": gettext_noop("Comment changed"),
    "comparisons.create": gettext_noop("A/B test created"),
    "comparisons.start": gettext_noop("A/B test started"),
    "comparisons.update": gettext_noop("A/B test changed"),
    "comparisons.finish": gettext_noop("A/B test finished"),
    "comparisons.delete": gettext_noop("A/B test deleted"),
    "custom_fields.update": gettext_noop("Custom field changed"),
    "lives.create": gettext_noop("Live created"),
    "lives.start": gettext_noop("Live started"),
    "lives.finish": gettext_noop("Live finished"),
    "funnels.add_videos": gettext_noop("Funnel sent"),
    "playlists.delete": gettext_noop("Playlist deleted"),
    "assistants.update_chat_visibility": gettext_noop("Chat switched"),
}


def name_of(operation: str) -> str:
    """“A/B test finished”; an operation nobody named as it is."""
    return _(NAMES[operation]) if operation in NAMES else operation
