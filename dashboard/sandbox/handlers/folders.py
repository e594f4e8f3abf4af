"""Folders [2.7, 4.11]; what one contains is assumed (gaps 7, 8)."""

from django.db.models import Count, Prefetch

from dashboard.sandbox import serializers
from dashboard.sandbox.http_types import Answer, SandboxRequest, as_uuid, not_found, ok
from dashboard.sandbox.models import FunnelVideo
from dashboard.sandbox.validators import Choice, Uuid, query_value

STATUS = Choice(("true", "false"))


def list_folders(request: SandboxRequest) -> Answer:
    """GET /folders: the whole tree as an object, or the direct children of a folder as an array.

    The specification allows both forms [4.11]; answering with both keeps readers honest.
    """
    query = request.query
    active = query_value(query, "status", STATUS) != "false"
    parent = query_value(query, "parent_folder_id", Uuid())
    folders = request.organization.folders.filter(active=active).annotate(held=Count("videos")).order_by("name", "id")
    if parent is None:
        return ok({"folders": [serializers.folder(folder, folder.held) for folder in folders]})
    return ok([serializers.folder(folder, folder.held) for folder in folders.filter(parent_id=parent)])


def contents(request: SandboxRequest) -> Answer:
    """GET /folders/{folder_id}: the folder with its funnels."""
    identifier = as_uuid(request.arguments["folder_id"])
    every = request.organization.folders.annotate(held=Count("videos"))
    folder = every.filter(pk=identifier).first() if identifier else None
    if folder is None:
        raise not_found("Folder not found")
    placed = Prefetch("placed", FunnelVideo.objects.select_related("video").order_by("-is_first", "id"))
    funnels = request.organization.funnels.filter(folder=folder).prefetch_related(placed).order_by("-created_at", "id")
    return ok(serializers.folder(folder, folder.held) | {"funnels": [serializers.funnel(funnel) for funnel in funnels]})
