"""Folders: the tree, opened up to one folder, and single levels for htmx."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from dashboard.folders import pages, queries, rules
from dashboard.folders.pages import FolderView
from dashboard.folders.rules import PER_PAGE, Forest, Node
from dashboard.platform_api.errors import CallError, PlatformError
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients

ROOT = "root"


@require_safe
def folders(request: OwnerRequest) -> HttpResponse:
    """The tree, and what is in the chosen folder, or what was found by name."""
    view = _parse_view(request)
    waits = bool(request.htmx) or request.GET.get("wait") == "1"
    try:
        forest = queries.read_forest(
            request, inactive=view.inactive, patience=clients.config().timeout if waits else None
        )
    except queries.Slow:
        return render(request, "folders/late.html", {"wait": view.address(wait=True), "view": view})
    except PlatformError as error:
        return _render_error(request, view, error)
    if request.htmx:  # the page that waited for the list: it is here now, and kept for a minute
        return HttpResponseClientRedirect(view.address())
    view, forest, ancestors = _open_folder(request, view, forest)
    forest = queries.load_levels(request, forest, ancestors, inactive=view.inactive)
    matches = rules.find_by_name(forest, view.find) if view.find else None
    current = ancestors[-1] if ancestors else None
    siblings = forest.children(view.folder)
    listed = matches.nodes if matches else siblings[view.start : view.start + PER_PAGE]
    ends = view.start + len(listed)
    tree_start = 0 if view.folder or matches else view.start
    context = {
        "view": view,
        "tree": pages.build_level(forest.children(""), forest, ancestors, start=tree_start),
        "title": _("Folders found") if matches else (current.name or current.id) if current else _("All folders"),
        "above": ancestors[:-1],
        "current": current,
        "rows": [(node, rules.format_path(forest.path(node.id)[:-1]) if matches else "") for node in listed],
        "matches": matches,
        "match_count": pages.format_match_count(matches) if matches else "",
        "total": len(siblings),
        "is_paged": not matches and len(siblings) > PER_PAGE,
        "first": view.start + 1,
        "last": ends,
        "previous": view.address(start=view.start - PER_PAGE) if view.start else "",
        "following": view.address(start=ends) if ends < len(siblings) else "",
        "switch": view.address(inactive=not view.inactive, start=0),
        "is_empty": not forest.nodes,
    }
    return render(request, "folders/folders.html", context)


def _render_error(request: OwnerRequest, view: FolderView, error: CallError) -> HttpResponse:
    """The page without its folders: the form keeps its input, and an error explains what failed."""
    context = {"explained": refusals.explain(error, reading=True), "again": view.address(), "view": view}
    template = "folders/_trouble.html" if request.htmx else "folders/trouble.html"
    return render(request, template, context, status=200 if request.htmx else refusals.status_of(error))


def _open_folder(
    request: OwnerRequest, view: FolderView, forest: Forest
) -> tuple[FolderView, Forest, tuple[Node, ...]]:
    """The path to the folder of the address, () for the root. An unlisted folder may be inactive or deeper."""
    if not view.folder:
        return view, forest, ()
    ancestors = queries.find_path(request, forest, view.folder)
    ancestors = ancestors or queries.search_path(request, forest, view.folder, inactive=view.inactive)
    if not ancestors and not view.inactive:
        view, forest = _with_inactive(request, view)
        ancestors = queries.find_path(request, forest, view.folder)
        ancestors = ancestors or queries.search_path(request, forest, view.folder, inactive=True)
    if not ancestors:
        raise Http404
    return view, forest, ancestors


def _with_inactive(request: OwnerRequest, view: FolderView) -> tuple[FolderView, Forest]:
    """Read again with inactive folders: a link may lead to one that was deactivated."""
    new = pages.parse_view(view.folder, view.find, "1", str(view.start))
    return new, queries.read_forest(request, inactive=True, patience=clients.config().timeout)


@require_safe
def children(request: OwnerRequest, folder_id: str) -> HttpResponse:
    """One level for the tree. Without htmx: redirect to the page of the folder."""
    view = _parse_view(request)
    if not request.htmx:
        return redirect(FolderView(folder="" if folder_id == ROOT else folder_id, inactive=view.inactive).address())
    timeout = clients.config().timeout
    forest = queries.read_forest(request, inactive=view.inactive, patience=timeout)
    if folder_id == ROOT:
        nodes = forest.children("")
    elif queries.find_path(request, forest, folder_id):
        nodes = queries.load_level(request, folder_id, inactive=view.inactive)
    else:
        raise Http404
    parent = "" if folder_id == ROOT else folder_id
    level = pages.build_level(nodes, forest, parent=parent, start=view.start)
    return render(request, "folders/_level.html", {"level": level, "view": view})


def _parse_view(request: OwnerRequest) -> FolderView:
    get = request.GET.get
    return pages.parse_view(get("folder") or "", get("find") or "", get("inactive") or "", get("start") or "")
