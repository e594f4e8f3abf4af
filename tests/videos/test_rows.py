"""The rows of the list: what a phone leaves out, and what is selected with all of them."""

import re

import pytest
from django.template import Context, Template
from django.test import Client
from django.test.signals import template_rendered

from dashboard.shared.addresses import address
from dashboard.videos import pages, rows
from tests.pages import read_page
from tests.videos.test_videos import LIST, titles

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_phone_leaves_out_what_is_not_there_unless_somebody_asked_for_it(whole: Client) -> None:
    absent = re.compile(r'<td( class="is-minor")? data-label="Quiz">\s*<span class="muted">No quiz')
    assert set(absent.findall(read_page(whole, LIST))) == {' class="is-minor"'}
    for query in ("?q=-has:quiz", "?q=-has:quiz,ebook&sort=plays"):
        assert set(absent.findall(read_page(whole, f"{LIST}{query}"))) == {""}
    there = re.findall(r'<td class="([^"]*)" data-label="Plays, 28 days">\s*<span>', read_page(whole, LIST))
    assert set(there) == {"number"}
    chosen = read_page(whole, f"{LIST}?columns=none&columns=chat")
    assert 'data-label="Chat">' in chosen and "is-minor" not in chosen, "a column that somebody chose stays"


def test_cells_of_a_page_that_say_the_same_are_drawn_once(whole: Client) -> None:
    drawn: list[rows.Cell] = []

    def note(template: Template, context: Context, **_signal: object) -> None:
        if template.name == "videos/_cell.html":
            drawn.append(context["cell"])

    template_rendered.connect(note)
    cells = re.findall(r'<td[^>]* data-label="', read_page(whole, LIST))
    assert len(set(drawn)) == len(drawn) < len(cells)


def test_change_of_a_count_leads_to_the_causes_of_its_own_video(whole: Client) -> None:
    rows = [row for row in read_page(whole, LIST).split("<tr") if "change__why" in row]
    assert len(rows) > 1
    for row in rows:
        (video,) = set(re.findall(r'href="/dashboard/videos/([0-9a-f-]{36})/"', row))
        assert set(re.findall(r"&video=([0-9a-f-]*)", row)) == {video}


def test_without_runs_pages_that_take_ids_get_all_that_are_selected_and_not_only_those_of_the_page(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "address", lambda name, **query: "" if name == "runs:check" else address(name, **query))
    monkeypatch.setattr(pages, "MOST_BY_ID", 75)
    text = read_page(owner, f"{LIST}?all=1")
    assert 'formaction="/dashboard/funnels/"' in text
    assert text.count('<input type="hidden" name="video"') == 75
    assert text.count("checked disabled") == len(titles(text)) == 40, "none can be left out without being told"
    monkeypatch.setattr(pages, "MOST_BY_ID", 74)
    text = read_page(owner, f"{LIST}?all=1")
    assert 'formaction="/dashboard/funnels/"' not in text and '<input type="hidden" name="video"' not in text
