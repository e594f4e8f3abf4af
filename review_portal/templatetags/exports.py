"""The export menu of the room, of the closed link's list and of the finished review."""

from typing import Any

from django import template

from review_portal import exporting
from review_portal.visits import choice_of

register = template.Library()


@register.inclusion_tag("components/_comment_export.html", takes_context=True)
def export_menu(context: dict[str, Any]) -> dict[str, Any]:
    """Every kind of file of the comments that the page of `link` shows, with the filters of its address."""
    request, here = context["request"], f"/{context['link'].pk}"
    query = exporting.query_of(choice_of(request.GET))
    return {"menu": exporting.menu(request, f"{here}/export", query, printed=f"{here}/print")}
