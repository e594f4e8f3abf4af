"""A quiz of 200 questions: what opening, editing and saving cost; and the eBook's preview."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode
from uuid import UUID

from django.test import Client
from django.utils.module_loading import import_string

from dashboard.sandbox.models import AiFile
from dashboard.sandbox.transport import SandboxTransport
from tests.ai_content.test_autosave import patch as patch_of
from tests.ai_content.test_large_maps import branched
from tests.bench.figure import Figure, cpu, wall
from tests.forgetting import forget

QUESTIONS = 200
URLENCODED = "application/x-www-form-urlencoded"
HTMX = {"HTTP_HX_REQUEST": "true", "HTTP_X_TAB": "bench", "HTTP_ACCEPT_ENCODING": "gzip"}


def package() -> dict[str, object]:
    """A language with 200 questions of four answers, about 60 kB."""
    return {
        "questions": [
            {
                "id": f"q-{number}",
                "enunciate": f"Question number {number}: what happens to the bean at step {number} of the way to the cup?",
                "options": [
                    {"text": f"Answer {letter} of question {number}, long enough to be read", "correct": letter == "a"}
                    for letter in "abcd"
                ],
            }
            for number in range(QUESTIONS)
        ],
        "questions_config": {"num_answers": 4, "show_results": True},
        "abstract": "# Book\n\nText.\n",
        "abstract_html": "<h1>Book</h1>\n<p>Text.</p>\n",
    }


class Bench:
    """The owner at the quiz."""

    def __init__(self) -> None:
        roles = import_string("dashboard.sandbox.seed.demo.cast")()
        self.client = Client()
        self.client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
        video = roles["videos"]["with_ai_content"]
        AiFile.objects.filter(video=video, lang="en").update(content=package())
        self.root = f"/dashboard/ai-content/{video}/en/"
        page = self.client.get(f"{self.root}quiz/").content.decode()
        handle = page.split('data-handle="')[100].split('"')[0]
        self.question = f"{self.root}quiz/questions/{handle}/"
        self.edits = 0

    def open(self) -> None:
        """The list of all questions, the file read anew."""
        forget()
        assert self.client.get(f"{self.root}quiz/", HTTP_ACCEPT_ENCODING="gzip").status_code == 200

    def edit(self) -> int:
        """Open one question, change it, keep it: bytes of both answers and of what was sent."""
        form = self.client.get(self.question, HTTP_HX_TARGET="question", **HTMX)  # type: ignore[arg-type]
        self.edits += 1
        texts = [f"Answer {number}" for number in range(4)]
        data = {
            "enunciate": f"Edited {self.edits} times?",
            "option": ["0", "1", "2", "3"],
            "text": texts,
            "correct": ["0"],
            "do": "keep",
        }
        kept = self.client.post(self.question, data, **HTMX)  # type: ignore[arg-type]
        assert kept.status_code == 200
        sent = int(kept.request.get("CONTENT_LENGTH") or 0)
        return len(form.content) + len(kept.content) + sent

    def save(self) -> int:
        """Keep an edit and send everything; bytes of the answer to Save."""
        self.edit()
        saved = self.client.post(f"{self.root}save/", {"section": "quiz"}, **HTMX)  # type: ignore[arg-type]
        assert saved.status_code == 200
        return len(saved.content)

    def library(self) -> None:
        """The first page of the library."""
        assert self.client.get("/dashboard/ai-content/").status_code == 200

    def preview(self) -> None:
        """Keep 5 kB of Markdown and get how it reads."""
        self.edits += 1
        text = (
            f"# Book {self.edits}\n\n"
            + "Some *words* of a book, with a [link](https://x.example).\n\n- one\n- two\n\n" * 60
        )
        answer = self.client.post(f"{self.root}ebook/", {"part": "text", "abstract": text[:5000]}, **HTMX)  # type: ignore[arg-type]
        assert answer.status_code == 200

    def autosave(self) -> int:
        """Bytes of a form that keeps one sentence typed in the middle of an eBook of 568 kB."""
        before = ("Some words of a long book.\n" * 21_037)[:568_000]
        self.client.post(f"{self.root}ebook/", {"part": "text", "abstract": before}, **HTMX)  # type: ignore[arg-type]
        page = self.client.get(f"{self.root}ebook/").content.decode()
        seen = page.split('id="seen-text" value="')[1].split('"')[0]
        data = {"part": "text", "seen": seen, **patch_of(before, f"{before[:300_000]}A sentence.{before[300_000:]}")}
        answer = self.client.post(f"{self.root}ebook/", urlencode(data), content_type=URLENCODED, **HTMX)  # type: ignore[arg-type]
        assert answer.status_code == 200
        return int(answer.request["CONTENT_LENGTH"])

    def large_map(self) -> tuple[int, int]:
        """A map of 1,998 topics: bytes of its page, and of the form that moves one topic."""
        video = UUID(self.root.split("/")[3])
        AiFile.objects.filter(video=video, lang="en").update(content={"mindmap": branched()})
        self.client.post(f"{self.root}discard/", {"block": "ebook"})
        forget()
        page = self.client.get(f"{self.root}mindmap/").content
        seen = page.decode().split('id="seen-map" value="')[1].split('"')[0]
        data = {"seen": seen, "at": "", "from": "0", "node": "3", "do": "down"}
        answer = self.client.post(f"{self.root}mindmap/", urlencode(data), content_type=URLENCODED, **HTMX)  # type: ignore[arg-type]
        assert answer.status_code == 200
        return len(page), int(answer.request["CONTENT_LENGTH"])


def calls(act: Callable[[], object]) -> int:
    """How many questions reach the platform."""
    asked: list[str] = []
    send = SandboxTransport.handle_request

    def counted(self: SandboxTransport, request: Any) -> Any:
        asked.append(request.url.path)
        return send(self, request)

    with patch.object(SandboxTransport, "handle_request", counted):
        act()
    return len(asked)


def figures() -> list[Figure]:
    """What editing costs, and what the library asks: the platform's list does not say which AI content there is."""
    bench = Bench()
    forget()
    cold, warm = calls(bench.library), calls(bench.library)
    opened = cpu(bench.open)
    moved = bench.edit() + bench.save()
    edited = cpu(bench.edit)
    saved = cpu(bench.save) - edited
    preview, pause = wall(bench.preview), bench.autosave()
    page, move = bench.large_map()
    return [
        Figure(f"quiz of {QUESTIONS} questions opens", opened, 60, "ms CPU"),
        Figure(f"quiz of {QUESTIONS} questions saves, embedded platform included", saved, 60, "ms CPU"),
        Figure("editing and saving one of them moves", moved / 1000, 10, "kB"),
        Figure("library of 20 videos asks, side by side, when nothing is known", cold, 24, "calls"),
        Figure("the same within five minutes", warm, 0, "calls"),
        Figure("a pause in an eBook of 568 kB sends", pause / 1000, 1, "kB"),
        Figure("keeping 5 kB of eBook answers with its preview", preview, 50, "ms"),
        Figure("the page of a mind map of 2,000 topics", page / 1000, 300, "kB"),
        Figure("moving one of its topics sends", move / 1000, 1, "kB"),
    ]
