"""What the tests of runs start from: videos of the demo, an assistant, and the steps of a person and of the worker."""

from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest
from django.test import Client

from dashboard.runs import sending
from dashboard.runs.models import Run
from dashboard.sandbox.models import ChatVisibility, Video
from tests.kept_rows import KeptRows
from tests.pages import one_line

CHECK = "/dashboard/runs/check/"


@dataclass
class Steps:
    """What a person does, and what the worker does."""

    client: Client
    assistant: str
    videos: list[str]

    def check(self, action: str = "hide_chat", count: int = 3, **fields: Any) -> Run:
        """Choose the first `count` videos and check the action."""
        form = {"assistant": self.assistant, **fields, "action": action, "check": "1"}
        answer = self.client.post(CHECK, form | {"video": self.videos[:count]})
        assert answer.status_code == 302, self.text(answer)
        return Run.objects.get(pk=answer["Location"].split("/")[-2])

    def start(self, action: str = "hide_chat", count: int = 3, **fields: Any) -> Run:
        """The same, and start it."""
        run = self.check(action, count, **fields)
        self.press(run, "start")
        return run

    def press(self, run: Run, word: str) -> None:
        """Press a button of the run's page."""
        address = f"/dashboard/runs/{run.pk}/"
        answer = self.client.post(f"{address}{word}/")
        assert (answer.status_code, answer["Location"]) == (302, address)
        run.refresh_from_db()

    def work(self, run: Run, times: int = 1) -> None:
        """Let the worker send the next groups, whenever they are due."""
        for _turn in range(times):
            Run.objects.filter(pk=run.pk).exclude(due_at=None).update(due_at=run.created_at)
            run.refresh_from_db()
            sending.advance(run)
            run.refresh_from_db()

    def send(self, run: Run) -> None:
        """Let the worker send the next group, and another worker be about to look how it ended."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sending, "follow", lambda _run: None)
            self.work(run)

    def page(self, run: Run) -> str:
        """The page of the run."""
        return self.text(self.client.get(f"/dashboard/runs/{run.pk}/"))

    @staticmethod
    def text(answer: Any) -> str:
        """An answer as it reads."""
        return unescape(one_line(answer.content.decode()))


@pytest.fixture
def steps(owner: Client, cast: dict[str, Any], kept_rows: KeptRows) -> Steps:
    """The demo's owner, the assistant, and 25 videos whose chat nobody has switched."""
    organization = Video.objects.get(pk=cast["videos"]["plain"]).organization
    assistant = str(cast["assistants"]["main"])
    ChatVisibility.objects.filter(assistant_id=assistant).delete()
    kept_rows.take(lambda: owner.get("/dashboard/assistants/"), owner)  # from now on the assistants are known
    ids = Video.objects.filter(organization=organization).order_by("created_at").values_list("pk", flat=True)[:25]
    return Steps(owner, assistant, [str(pk) for pk in ids])
