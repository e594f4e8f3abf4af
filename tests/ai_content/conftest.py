"""The editor against the embedded platform: one language of the demo's video with AI content, and hands to work on it."""

import html
import json
import re
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from dashboard.ai_content.models import Document, Version
from dashboard.ai_content.rules.package import Package
from dashboard.sandbox import clock
from dashboard.sandbox.models import AiFile, Video
from tests.ai_content.packages import package
from tests.conftest import AtPlatform
from tests.pages import one_line

HTMX = {"HTTP_HX_REQUEST": "true"}


@dataclass
class Hands:
    """A person at the editor of one language: what they see, what they send, and what the platform has."""

    client: Client
    video: Video
    lang: str = "en"

    @property
    def word(self) -> str:
        return self.lang or "legacy"

    def address(self, page: str = "") -> str:
        return f"/dashboard/ai-content/{self.video.pk}/{self.word}/{page}"

    def get(self, page: str = "", **headers: Any) -> Any:
        """A page, read anew: what was read a moment ago does not serve it."""
        cache.delete(f"read:ai-content:file:{self._account()}:{self.video.pk}:{self.lang}")
        cache.delete(f"read:ai-content:file:{self._account()}:{self.video.pk}:{self.lang}:public")
        return self.client.get(self.address(page), **headers)

    def _account(self) -> str:
        return str(self.client.session["account"])

    def text(self, page: str = "") -> str:
        answer = self.get(page)
        assert answer.status_code == 200, answer.content.decode()[:2000]
        return one_line(answer.content.decode())

    def post(self, page: str, data: dict[str, Any] | None = None, *, follow: bool = False, **headers: Any) -> Any:
        return self.client.post(self.address(page), data or {}, follow=follow, **headers)

    def part(self, page: str, data: dict[str, Any] | None = None, tab: str = "one") -> Any:
        """The same, as script sends it."""
        return self.client.post(self.address(page), data or {}, HTTP_X_TAB=tab, **HTMX)  # type: ignore[arg-type]

    def handle(self, number: int) -> str:
        """The handle of a question, by its number in the list."""
        return str(re.findall(r'data-handle="(\w+)"', self.text("quiz/"))[number - 1])

    def form(self, page: str, form_id: str = "question-form") -> dict[str, Any]:
        """The fields of a form as the page shows them."""
        return fields(self.text(page), form_id)

    def write(self, number: int, text: str, **more: Any) -> HttpResponse:
        """Change the text of a question and keep it."""
        page = f"quiz/questions/{self.handle(number)}/"
        answer: HttpResponse = self.post(page, {**self.form(page), "enunciate": text, **more})
        return answer

    def save(self, **data: Any) -> Any:
        return self.post("save/", data)

    @property
    def file(self) -> dict[str, Any]:
        """What the platform has now, past every cache."""
        content: dict[str, Any] = AiFile.objects.filter(video=self.video, lang=self.lang).latest("id").content
        return content

    def overwrite(self, content: Package) -> None:
        """Somebody else writes the file, outside Reelroom."""
        now = AiFile.objects.filter(video=self.video, lang=self.lang).latest("id").written_at
        AiFile.objects.create(video=self.video, lang=self.lang, content=content, written_at=now, published_at=now)

    @property
    def document(self) -> Document:
        return Document.objects.get(video_id=self.video.pk, lang=self.lang)

    @property
    def versions(self) -> list[Version]:
        return list(Version.objects.filter(document__video_id=self.video.pk).order_by("id"))


FIELD = re.compile(r"<(?P<tag>input|textarea|select)\b(?P<attrs>[^>]*)>(?:(?P<text>[^<]*)</textarea>)?", re.DOTALL)


def fields(page: str, form_id: str) -> dict[str, Any]:
    """What a browser would send of a form: lists where a name repeats; unticked boxes left out."""
    start = page.index(f'id="{form_id}"')
    inner = page[start : page.index("</form>", start)]
    found: dict[str, list[str]] = {}
    for match in FIELD.finditer(inner):
        attrs = dict(re.findall(r'([\w-]+)="([^"]*)"', match["attrs"]))
        boxed = attrs.get("type") in ("checkbox", "radio")
        if "name" not in attrs or (boxed and not re.search(r"\bchecked\b", match["attrs"])):
            continue
        value = match["text"].removeprefix("\n") if match["tag"] == "textarea" else attrs.get("value", "on")
        found.setdefault(attrs["name"], []).append(html.unescape(value))
    found.pop("csrfmiddlewaretoken", None)
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


@pytest.fixture
def hands(owner: Client, cast: dict[str, Any]) -> Hands:
    """The owner at the English content of the demo's video, which holds a package with everything in it."""
    video = Video.objects.get(pk=cast["videos"]["with_ai_content"])
    found = Hands(owner, video)
    found.overwrite(package(5))
    return found


@pytest.fixture
def platform_saw(at_platform: AtPlatform) -> list[dict[str, Any]]:
    """The bodies of every save that reached the platform."""
    bodies: list[dict[str, Any]] = []
    at_platform.arrives("ai_workflow.save_package", lambda request: bodies.append(json.loads(request.body)))
    return bodies


@pytest.fixture
def slow_cdn() -> ModuleType:
    """The CDN never shows a new version by itself, not even past its cache."""
    clock.set_option(clock.CDN_DELAY, 3600)
    clock.set_option(clock.CDN_IGNORES_QUERY, 1)
    return clock


@pytest.fixture
def video(cast: dict[str, Any]) -> Video:
    """A video without AI content."""
    return Video.objects.get(pk=cast["videos"]["plain"])
