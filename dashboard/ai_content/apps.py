"""AI content of videos: eBook, mind map and quiz, in every language."""

from django.utils.translation import gettext_noop

from dashboard import feature


class AiContentConfig(feature.Feature):
    """App of AI content."""

    name = "dashboard.ai_content"
    registers = ("refusals", "writes")
    places = (feature.Place("make", 20, "ai_content:ai_content", gettext_noop("AI content"), "book"),)
    operation_names = {
        "ai_workflow.generate_package": gettext_noop("AI content ordered"),
        "ai_workflow.delete_package": gettext_noop("AI content deleted"),
        "ai_workflow.save_package": gettext_noop("AI content saved"),
    }
