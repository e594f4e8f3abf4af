"""What the tests of a batch's calls start from: accounts with a token, batches, cells, writes, and the platform's answers."""

import uuid
from typing import Any

import pytest

from dashboard.accounts.models import Account
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.request import Request
from dashboard.subtitles import rules, writes
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.writes.models import Write
from dashboard.writes.operations import registered
from tests.answering import answer_with

VIDEO, OTHER_VIDEO = "0198a3a0-0000-4000-8000-000000000001", "0198a3a0-0000-4000-8000-000000000002"
OPERATION = registered(writes.CREATE)
READS = ("videos.subtitles", "ai_workflow.jobs")


def account_of(name: str = "Studio", parent: Account | None = None) -> Account:
    account = Account(name=name, parent=parent)
    account.keep_token(f"token of {name}")
    account.save()
    return account


@pytest.fixture
def account() -> Account:
    return account_of()


def batch_of(account: Account, kind: str = "TRANSLATION") -> Batch:
    return Batch.objects.create(account=account, actor="Ana", type=kind, tier="pro", from_lang="pt-BR")


@pytest.fixture
def batch(account: Account) -> Batch:
    return batch_of(account)


@pytest.fixture
def transcription(account: Account) -> Batch:
    return batch_of(account, "TRANSCRIPTION")


def cell_of(batch: Batch, lang: str, kind: str = "", **about: Any) -> PlannedCell:
    """A cell of the video; one in another language than the source of a transcription is an extra one."""
    kind = kind or ("EXTRA" if batch.type == "TRANSCRIPTION" and lang != "pt-BR" else batch.type)
    usual = {"batch": batch, "position": PlannedCell.objects.count(), "video_id": VIDEO, "title": "Film", "lang": lang}
    return PlannedCell.objects.create(**usual | {"kind": kind, "work": rules.work_of(kind, lang)} | about)


def write_of(batch: Batch, video: str = VIDEO, **about: Any) -> Write:
    usual = {"scope": str(batch.account_id), "account": batch.account, "key": uuid.uuid4(), "subject": video}
    sends = {"batch": str(batch.pk), "video_id": video}
    return Write.objects.create(**usual | {"operation": writes.CREATE, "request": sends} | about)


def job(lang: str, job_id: str = "new", *, kind: str = "TRANSLATION", **about: Any) -> dict[str, Any]:
    """A job as the platform tells it; the language of a transcription is its source."""
    langs = {"from_lang": lang, "to_lang": None} if kind == "TRANSCRIPTION" else {"from_lang": "pt-BR", "to_lang": lang}
    return {"id": job_id, "video_id": VIDEO, "type": kind, "status": "QUEUE", **langs, **about}


def records(*jobs: dict[str, Any]) -> list[Job]:
    return [Job.from_json(one) for one in jobs]


def answer(
    monkeypatch: pytest.MonkeyPatch, *, langs: Any = ("pt-BR",), jobs: Any = (), created: Any = ()
) -> list[tuple[str, Any]]:
    """How the video reads, and what the call brings; an error is raised. Gives the operations that left, with their bodies."""
    left: list[tuple[str, Any]] = []

    def make(request: Request) -> Any:
        left.append((request.operation, request.body))
        value = {"videos.subtitles": langs, "ai_workflow.jobs": jobs}.get(request.operation, created)
        if isinstance(value, Exception):
            raise value
        if request.operation == "videos.subtitles":
            return [{"lang": lang, "label": lang} for lang in value]
        return {"workflows": list(value)}

    answer_with(monkeypatch, make, *READS, writes.CREATE)
    return left


def states(*cells: PlannedCell) -> list[str]:
    return [PlannedCell.objects.get(pk=cell.pk).status for cell in cells]


def told(cell: PlannedCell) -> tuple[str, str]:
    cell.refresh_from_db()
    return cell.status, cell.reason
