"""Find anything: one search over videos, folders, tests, links, pages and actions, as a page and as a palette."""

from dashboard import feature


class SearchConfig(feature.Feature):
    """App of the search."""

    name = "dashboard.search"
    registers = ("search_provider",)
