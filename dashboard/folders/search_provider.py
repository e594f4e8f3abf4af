"""Search provider of folders: by name, with their path."""

from collections.abc import Iterator

from django.utils.translation import gettext_noop

from dashboard.folders import queries, rules
from dashboard.search.registry import MOST, Found, finds
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest


@finds("folders", title=gettext_noop("Folders"), order=40)
def folders(request: OwnerRequest, words: str) -> Iterator[Found]:
    """Active folders whose name contains what was typed."""
    forest = rules.build_forest(queries.list_active(request))
    for node in rules.find_by_name(forest, words, MOST).nodes:
        path = rules.format_path(forest.path(node.id)[:-1])
        yield Found(address("folders:folders", folder=node.id), "folder", node.name or node.id, path)
