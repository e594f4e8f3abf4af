"""Folders: the tree from both answer forms, the way up, inactive ones, names; never another account's."""

import re
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.folders import queries
from dashboard.platform_api.request import Request
from dashboard.sandbox.models import Folder, Organization, Video
from dashboard.upstream import parallel
from tests.answering import answer_with, asked_of, count_calls
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.forms import PlainBrowser
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def branches(text: str) -> list[str]:
    return re.findall(r'class="tree__name">([^<]+)<', text)


def make(parent: Folder | None, name: str, organization: Organization, **values: Any) -> Folder:
    user = organization.users.get()
    now = timezone.now()
    return Folder.objects.create(
        organization=organization, user=user, parent=parent, name=name, created_at=now, updated_at=now, **values
    )


@pytest.fixture
def organization(cast: dict[str, Any]) -> Organization:
    found: Organization = Folder.objects.get(pk=cast["folders"]["root"]).organization
    return found


def test_the_root_is_shown_closed_with_counts(owner: Client) -> None:
    text = read_page(owner, "/dashboard/folders/")
    assert "Lançamento 2026" in branches(text) and "Vertical 9x16" not in branches(text)
    assert "Arquivo 2023" not in text, "it is inactive"
    assert re.search(r"Lançamento 2026</span>\s*<span class=\"tree__count\">\d+ videos", text)


def test_the_way_to_a_folder_is_open_and_its_crumbs_lead_up(owner: Client, cast: dict[str, Any]) -> None:
    text = read_page(owner, f"/dashboard/folders/?folder={cast['folders']['nested']}")
    for name in ("Lançamento 2026", "Redes sociais", "Vertical 9x16"):
        assert name in branches(text)
    crumbs = text.split("Path to this folder")[1].split("</nav>")[0]
    assert crumbs.index("Lançamento 2026") < crumbs.index("Redes sociais")
    tree = text.split("data-tree>")[1].split("</nav>")[0]
    links = re.findall(r'<a class="tree__link[^>]*>', tree)
    assert [cast["folders"]["nested"] in link for link in links if 'aria-current="page"' in link] == [True]
    assert f"/dashboard/videos/?folder={cast['folders']['nested']}" in text


def test_inactive_folders_come_with_the_switch(owner: Client) -> None:
    text = read_page(owner, "/dashboard/folders/?inactive=1")
    assert "Arquivo 2023" in branches(text)
    found = PlainBrowser(owner).open("/dashboard/folders/?inactive=1").fill("Name contains", "Arquivo").press("Search")
    assert "Arquivo 2023" in found.text, "searching keeps the switch"
    assert "Hide inactive folders" in text and ">Inactive</span>" in text.replace("\n", "")


def test_a_link_to_an_inactive_folder_shows_it_and_says_so(owner: Client, cast: dict[str, Any]) -> None:
    text = read_page(owner, f"/dashboard/folders/?folder={cast['folders']['inactive']}")
    assert "This folder is inactive." in text and "Hide inactive folders" in text


def test_names_are_found_with_the_way_to_them(owner: Client) -> None:
    text = read_page(owner, "/dashboard/folders/?find=vertical")
    assert "1 folder" in text and "Lançamento 2026 / Redes sociais" in text


def test_a_name_nobody_has_says_that_inactive_ones_were_not_searched(owner: Client) -> None:
    assert "Inactive folders were not searched." in read_page(owner, "/dashboard/folders/?find=xyzzy")


def test_one_level_is_fetched_by_its_parent(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_page(owner, "/dashboard/folders/")
    forget()
    asked = count_calls(monkeypatch, "folders.list")
    address = f"/dashboard/folders/{cast['folders']['root']}/children/"
    part = owner.get(address, headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<ul class="tree__level">') and branches(part) == ["Cortes", "Redes sociais"]
    assert cast["folders"]["root"] in {str(asked_of(one).get("parent_folder_id")) for one in asked}


def test_the_address_of_a_level_opened_by_hand_leads_to_the_page(owner: Client, cast: dict[str, Any]) -> None:
    root = cast["folders"]["root"]
    assert owner.get(f"/dashboard/folders/{root}/children/?inactive=1")["Location"].endswith(
        f"?folder={root}&inactive=1"
    )
    assert owner.get("/dashboard/folders/root/children/")["Location"] == "/dashboard/folders/"


def test_a_platform_that_lists_only_the_root_is_read_level_by_level_and_the_way_is_remembered(
    owner: Client, cast: dict[str, Any], organization: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, partial(only_roots_of, organization), "folders.list")
    forget()
    assert "Lançamento 2026" in branches(read_page(owner, "/dashboard/folders/"))
    nested = Folder.objects.get(pk=cast["folders"]["nested"])
    for folder_id in (cast["folders"]["root"], str(nested.parent_id)):
        owner.get(f"/dashboard/folders/{folder_id}/children/", headers={"HX-Request": "true"})
    text = read_page(owner, f"/dashboard/folders/?folder={nested.pk}")
    assert branches(text).count("Vertical 9x16") == 1 and "Redes sociais" in branches(text)
    crumbs = text.split("Path to this folder")[1].split("</nav>")[0]
    assert crumbs.index("Lançamento 2026") < crumbs.index("Redes sociais")


def test_a_link_twelve_levels_down_opens_where_only_the_root_is_listed(
    owner: Client, organization: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain: list[Folder] = []
    for number in range(12):
        chain.append(make(chain[-1] if chain else None, f"Deep {number:02}", organization))
    answer_with(monkeypatch, partial(only_roots_of, organization), "folders.list")
    forget()
    text = read_page(owner, f"/dashboard/folders/?folder={chain[-1].pk}")
    crumbs = text.split("Path to this folder")[1].split("</nav>")[0]
    assert re.findall(r">Deep (\d\d)<", crumbs) == [f"{number:02}" for number in range(11)]
    assert "Deep 11" in branches(text)
    assert owner.get("/dashboard/folders/?folder=00000000-0000-4000-8000-00000000dead").status_code == 404
    forget()
    monkeypatch.setattr(queries, "SOUGHT", 5)
    assert owner.get(f"/dashboard/folders/?folder={chain[-1].pk}").status_code == 404, "a link costs no more calls"


def only_roots_of(organization: Organization, request: Request) -> list[dict[str, Any]]:
    asked = asked_of(request)
    found = organization.folders.filter(active=asked["status"] == "true", parent_id=asked.get("parent_folder_id"))
    return [{"id": str(one.pk), "name": one.name, "parent_folder_id": None} for one in found]


def test_a_level_of_hundreds_is_cut_and_can_be_read_on(owner: Client, organization: Organization) -> None:
    parent = make(None, "AAA", organization)
    for number in range(230):
        make(parent, f"Child {number:03}", organization)
    forget()
    text = read_page(owner, f"/dashboard/folders/?folder={parent.pk}")
    assert "130 more folders" in text and "1 to 100 of 230" in text
    address = re.search(r'data-tree-more="([^"]+)"', text)
    assert address
    part = owner.get(address[1].replace("&amp;", "&"), headers={"HX-Request": "true"}).content.decode()
    assert branches(part)[0] == "Child 100" and "30 more folders" in part
    assert "Child 229" in read_page(owner, f"/dashboard/folders/?folder={parent.pk}&start=200"), (
        "the same without script"
    )


@pytest.mark.parametrize("query", ["?folder=nothing", "?folder=00000000-0000-4000-8000-00000000dead"])
def test_a_folder_that_is_not_there_is_no_page(owner: Client, query: str) -> None:
    assert owner.get(f"/dashboard/folders/{query}").status_code == 404


def test_another_accounts_folder_is_not_found(client: Client, cast: dict[str, Any], owner: Client) -> None:
    read_page(owner, f"/dashboard/folders/?folder={cast['folders']['nested']}")
    other = signed_in(Client(), cast["tokens"]["other"])
    root = cast["folders"]["root"]
    assert other.get(f"/dashboard/folders/?folder={root}").status_code == 404
    assert other.get(f"/dashboard/folders/{root}/children/", headers={"HX-Request": "true"}).status_code == 404


def test_an_account_without_folders_is_told_where_they_come_from(client: Client, cast: dict[str, Any]) -> None:
    token = cast["tokens"]["no_permission"]
    Video.objects.filter(organization__users__tokens__value=token).update(folder=None)
    Folder.objects.filter(organization__users__tokens__value=token).delete()
    assert "No folders yet" in read_page(signed_in(client, token), "/dashboard/folders/")


def test_a_slow_platform_shows_a_page_that_waits(owner: Client, late: Callable[..., None]) -> None:
    late("*")
    text = read_page(owner, "/dashboard/folders/?find=vertical")
    wait = "/dashboard/folders/?find=vertical&wait=1"
    assert f'hx-get="{wait}" hx-trigger="load"' in text and f'href="{wait}"' in text
    waited = owner.get("/dashboard/folders/?find=vertical&wait=1", headers={"HX-Request": "true"})
    assert waited["HX-Redirect"] == "/dashboard/folders/?find=vertical"


def test_a_folder_below_the_root_that_is_never_answered_is_a_page_and_no_crash(
    owner: Client, organization: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = parallel.gather

    def slow_below(patience: float | None = None, **reads: Any) -> dict[str, parallel.Outcome]:
        return real(patience, **reads) if "active" in reads else {name: parallel.Late() for name in reads}

    answer_with(monkeypatch, partial(only_roots_of, organization), "folders.list")
    monkeypatch.setattr(queries, "gather", slow_below)
    forget()
    answer = owner.get("/dashboard/folders/?folder=00000000-0000-4000-8000-00000000dead")
    assert answer.status_code == 504 and "Try again" in answer.content.decode()


@pytest.mark.parametrize(("fault", "status"), [(403, 403), (404, 404), (429, 503), (500, 502)])
def test_a_list_that_fails_says_what_to_do(owner: Client, faults: ModuleType, fault: int, status: int) -> None:
    forget()
    faults.set("folders.list", status=fault)
    answer = owner.get("/dashboard/folders/?find=curso&inactive=1")
    assert answer.status_code == status
    text = answer.content.decode()
    assert 'name="find" value="curso"' in text and 'name="inactive" value="1"' in text, "what was typed stands"
    assert 'href="/dashboard/folders/?find=curso&amp;inactive=1">Try again<' in text
    assert 'id="palette"' in text, "and so does the frame with its ways on"


def test_a_wait_that_ends_in_a_failure_says_so_in_its_place(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("folders.list", status=500)
    part = owner.get("/dashboard/folders/?wait=1", headers={"HX-Request": "true"})
    assert part.status_code == 200 and part.content.decode().startswith('<section class="panel" id="folders">')
    assert "Try again" in part.content.decode()


def test_a_refused_token_leads_to_sign_in(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("folders.list", status=401)
    assert owner.get("/dashboard/folders/")["Location"].startswith("/sign-in/")
