"""A panel of analytics is built and drawn as soon as its own answers are there, while those of the others are out."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import UUID

import pytest
from django.http import QueryDict
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from dashboard.accounts.models import Account
from dashboard.analytics import panels
from dashboard.analytics.panels import PANEL_KINDS, PanelContext, build_panel
from dashboard.analytics.state import parse_state
from dashboard.upstream import parallel
from dashboard.upstream.figures import FigureAnswer, FigureQuery, read_figures
from tests import forgetting

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
Seen = Callable[..., str]
TOKEN = re.compile(r"\b[A-Za-z0-9]{64}\b")
"""Forms have another one on each page."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The panels in the order in which they are built."""
    names: list[str] = []

    def note(name: str, *arguments: Any) -> Any:
        names.append(name)
        return build_panel(name, *arguments)

    monkeypatch.setattr(panels, "build_panel", note)
    return names


def test_panels_are_drawn_once_as_their_answers_come_and_stand_where_they_always_do(
    seen: Seen, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = seen("?zone=UTC")
    in_order = list(drawn)
    drawn.clear()

    def answer(request: Any, asks: Mapping[str, FigureQuery], *, each: Any, **options: Any) -> dict[str, FigureAnswer]:
        answers = read_figures(request, asks, **options)
        names = [name for panel in ("ranking", "browsers") for name in answers if name.startswith(panel)]
        for name in names:
            assert name.partition(" ")[0] not in drawn, "not before its last answer"
            each(name, answers[name])
        assert drawn == ["ranking", "browsers"]
        each("something else", FigureAnswer(None))
        return answers

    monkeypatch.setattr(panels, "read_figures", answer)
    assert TOKEN.sub("", seen("?zone=UTC")) == TOKEN.sub("", usual)
    assert sorted(drawn) == sorted(in_order) and drawn[:2] == ["ranking", "browsers"]


def test_the_zip_holds_its_files_in_the_order_of_the_page(
    owner: Client, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = _list_files(owner)

    def answer(request: Any, asks: Mapping[str, FigureQuery], *, each: Any, **options: Any) -> dict[str, FigureAnswer]:
        answers = read_figures(request, asks, **options)
        for name in reversed(answers):
            each(name, answers[name])
        return answers

    monkeypatch.setattr(panels, "read_figures", answer)
    drawn.clear()
    files = _list_files(owner)
    assert files == usual and list(files) == list(usual)
    assert drawn == ["cities", "ranking", "referrers", "browsers", "events"]


def _list_files(owner: Client) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(owner.get("/dashboard/analytics/all.zip?zone=UTC").content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def page(owner: Client) -> Iterator[parallel.PageVisit]:
    here = parallel.begin_visit()
    yield here
    here.end()
    forgetting.forget_visit()


def test_what_the_account_did_is_loaded_while_answers_are_out(
    page: parallel.PageVisit, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    account = Account.objects.get()
    context = _build_context(account.pk, "")
    with django_assert_num_queries(0):
        PANEL_KINDS["events"].prepare(context)
    with django_assert_num_queries(1):
        page.prepare()
    with django_assert_num_queries(0):
        panels._load_events(context)
        assert panels._load_events(_build_context(account.pk, "video=" + str(account.pk))) == ()


def _build_context(account_id: UUID, query: str) -> PanelContext:
    state = parse_state(QueryDict(query), now=timezone.now(), zone="UTC").state
    assert state is not None
    return PanelContext(account_id, state)
