"""The export menu of the room, of the closed link's list and of the finished review."""

from typing import Any

from django import template

from review_portal import export_files
from review_portal.context import parse_filter

register = template.Library()


@register.inclusion_tag("components/_comment_export.html", takes_context=True)
def export_menu(context: dict[str, Any]) -> dict[str, Any]:
    """Every kind of file of the comments that the page of `link` shows, with the filters of its address."""
    request, address = context["request"], f"/{context['link'].pk}"
    query = export_files.build_query(parse_filter(request.GET))
    return {"menu": export_files.build_menu(request, f"{address}/export", query, printed=f"{address}/print")}
