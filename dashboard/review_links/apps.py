"""Review links of the account's videos."""

from django.utils.translation import gettext_noop

from dashboard import feature


class ReviewLinksConfig(feature.Feature):
    """App of the owner's desk for review links."""

    name = "dashboard.review_links"
    registers = ("summaries", "tasks", "writes")
    places = (
        feature.Place(
            "", 20, "review_links:inbox", gettext_noop("Inbox"), "inbox",
            "dashboard.review_links.inbox_pages.count_waiting",
        ),
        feature.Place("share", 10, "review_links:review_links", gettext_noop("Review links"), "talk"),
    )  # fmt: skip
    actions = (
        feature.Action(15, gettext_noop("Open inbox"), "review_links:inbox", "inbox"),
        feature.Action(20, gettext_noop("Create review link"), "review_links:create", "talk"),
        feature.Action(60, gettext_noop("Import a review link"), "review_links:import", "talk"),
    )
    operation_names = {
        "review_links.create": gettext_noop("Review link created"),
        "review_links.set_preview": gettext_noop("Link preview changed"),
        "review_links.set_drawings": gettext_noop("Addresses of drawings changed"),
        "review_links.set_decisions": gettext_noop("Posting of decisions changed"),
    }
    demo = "dashboard.review_links.summaries.prepare_demo"
    annotated_operations = ("review_links.create",)
    tallies = {"waiting": "dashboard.review_links.inbox_items.count_waiting"}
