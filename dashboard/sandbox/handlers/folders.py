"""Folders [2.7, 4.11]."""

from django.db.models import Count

from dashboard.sandbox import shapes
from dashboard.sandbox.fields import Choice, Uuid, query_value
from dashboard.sandbox.wire import Answer, SandboxRequest, ok

STATUS = Choice(("true", "false"))


def listed(request: SandboxRequest) -> Answer:
    """GET /folders: the whole tree as an object, or the direct children of a folder as an array.

    The specification allows both forms [4.11]; answering with both keeps readers honest.
    """
    query = request.query
    active = query_value(query, "status", STATUS) != "false"
    parent = query_value(query, "parent_folder_id", Uuid())
    found = request.organization.folders.filter(active=active).annotate(held=Count("videos")).order_by("name", "id")
    if parent is None:
        return ok({"folders": [shapes.folder(one, one.held) for one in found]})
    return ok([shapes.folder(one, one.held) for one in found.filter(parent_id=parent)])
