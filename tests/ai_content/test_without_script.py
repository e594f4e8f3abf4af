"""The editor of AI content without script."""

from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox.models import AiFile
from tests.ai_content.packages import package
from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_quiz_is_saved_a_topic_moved_and_an_ebook_previewed(owner: Client, cast: dict[str, Any]) -> None:
    video = cast["videos"]["with_ai_content"]
    AiFile.objects.filter(video=video, lang="en").update(content=package(5))
    language = f"/dashboard/ai-content/{video}/en/"
    page = PlainBrowser(owner).open(f"{language}quiz/").follow("Question number 1?")
    page.fill("Question", "Without script?").press("Save to draft").press("Save Ctrl S")
    newest: Any = AiFile.objects.filter(video=video, lang="en").latest("id")
    assert newest.content["questions"][0]["enunciate"] == "Without script?"
    page.open(f"{language}mindmap/").check("Choose Cup").press("Move up")
    page.open(f"{language}ebook/").fill("Text in Markdown", "# Plain\n").press("Save to draft and preview")
    assert page.has("h1", "Plain")
