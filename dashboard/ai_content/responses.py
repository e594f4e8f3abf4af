"""Answers of the editor's forms: a page to go on with, or the parts of it that changed."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django_htmx.http import HttpResponseClientRedirect

from dashboard.ai_content import pages
from dashboard.ai_content.editor import Editor

Part = tuple[str, Mapping[str, Any]]


def go(editor: Editor, name: str, *more: object) -> HttpResponse:
    """Lead on to a page of this language."""
    address = editor.address(name, *more)
    return HttpResponseClientRedirect(address) if editor.request.htmx else redirect(address)


def parts(editor: Editor, *listed: Part, status: int = 200) -> HttpResponse:
    """Parts of the page, each swapped in its own place, and the bar as it is now."""
    whole = [*listed, ("ai_content/_bar.html", {"bar": pages.bar(editor), "answer": True})]
    text = "".join(render_to_string(template, dict(context), editor.request) for template, context in whole)
    return HttpResponse(text, status=status)


def toast(editor: Editor, sentence: str, step: int | None = None, block: str = "") -> Part:
    """A sentence that leaves by itself, with an undo where there is a step to take back."""
    context = {
        "sentence": sentence,
        "step": step,
        "block": block,
        "undo": editor.address("undo"),
        "put_back": editor.address("put_back"),
    }
    return ("ai_content/_toast.html", context)
