"""A/B tests: creating, starting, judging and finishing them."""

from django.utils.translation import gettext_noop

from dashboard import feature


class AbTestsConfig(feature.Feature):
    """App of the A/B tests."""

    name = "dashboard.ab_tests"
    registers = ("overview_items", "refusals", "report_lines", "search_provider", "writes")
    places = (feature.Place("share", 30, "ab_tests:ab_tests", gettext_noop("A/B tests"), "ab"),)
    actions = (
        feature.Action(30, gettext_noop("Create A/B test"), "ab_tests:create", "ab"),
        feature.Action(130, gettext_noop("Export A/B tests as CSV"), "ab_tests:tests", "ab"),
    )
    operation_names = {
        "comparisons.create": gettext_noop("A/B test created"),
        "comparisons.start": gettext_noop("A/B test started"),
        "comparisons.update": gettext_noop("A/B test changed"),
        "comparisons.finish": gettext_noop("A/B test finished"),
        "comparisons.delete": gettext_noop("A/B test deleted"),
    }
    annotated_operations = ("comparisons.start", "comparisons.finish")
