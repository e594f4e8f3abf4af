"""Two choices for every chat, and for many of them at once: the chosen ones, a page, a folder, all that match."""

import pytest
from django.test import Client

from dashboard.assistants import queries
from dashboard.sandbox.models import Folder, Video
from tests.assistants.test_assistants import ADDRESS, chosen, press, state
from tests.due import run_due
from tests.pages import read_page
from tests.videos.test_videos import titles_within

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_every_chat_has_two_choices_and_a_look_at_one_that_is_not_known_changes_nothing(
    owner: Client, pair: tuple[str, str]
) -> None:
    cell = read_page(owner, f"{ADDRESS}?of={pair[1]}").split(f'id="chat-{pair[0]}-{pair[1]}"')[1].split("</div>")[0]
    assert "Unknown" in cell and cell.count('aria-pressed="false"') == 2
    assert [part.split('"')[0] for part in cell.split('value="')[1:]] == [f"{pair[0]} {pair[1]} {to}" for to in (1, 0)]
    press(owner, pair, show=False)
    cell = read_page(owner, f"{ADDRESS}?of={pair[1]}").split(f'id="chat-{pair[0]}-{pair[1]}"')[1].split("</div>")[0]
    shown, hidden = (part.split('"')[0] for part in cell.split('aria-pressed="')[1:])
    assert "Hidden" in cell and (shown, hidden) == ("false", "true")


def test_all_of_a_page_all_of_a_folder_and_all_that_match_are_switched_by_one_press(
    owner: Client, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "PAGE", 2)
    body = {"assistant": pair[0], "scope": "matching"}
    folder = next(one for one in Folder.objects.filter(children__videos__isnull=False) if one.videos.count() > 2)
    inside = [str(key) for key in Video.objects.filter(title__in=titles_within(folder.pk)).values_list("pk", flat=True)]
    assert len(inside) > folder.videos.count()
    page = read_page(owner, f"{ADDRESS}?folder={folder.pk}")
    assert "Videos of one folder and of the folders in it." in page and f"All that match ({len(inside)})" in page
    for visible, word in (("1", "Shown"), ("0", "Hidden")):
        owner.post(f"{ADDRESS}several/", {**body, "visible": visible, "folder": folder.pk})
        run_due(60)
        assert {state(owner, (pair[0], video)) for video in inside} == {word}
    first = chosen(owner, 2)
    owner.post(f"{ADDRESS}several/", {**body, "visible": "1", "scope": "page"})
    assert {state(owner, (pair[0], video)) for video in first} == {"Shown"}
    assert state(owner, (pair[0], inside[-1])) == ("Shown" if inside[-1] in first else "Hidden")
