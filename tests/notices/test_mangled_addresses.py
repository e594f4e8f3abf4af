"""Addresses that go out by e-mail or are pasted lead to their page, whatever a mail program or a scanner left around them."""

import uuid
from urllib.parse import quote, unquote, urlsplit

import pytest
from django.test import Client

from dashboard.notices import letters
from dashboard.notices.models import Subscription
from review_portal.models import ReviewLink
from tests.notices.conftest import leave_address
from tests.review_portal.conftest import Reviewer

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ENDS = [
    ".", ",", ")", ">", "&gt;", "&gt", '"', "'", "”", "»", "。", "\u200b", "\u00a0", "\u200e", "\ufeff", "\r\n", ").", ">,", "…",
    "|Open", "*", "](", "=20", "%20", "%2E", "\\", "&amp;", ";", "__;!!Nc-1a!Zq$",
]  # fmt: skip
PLACES = [
    "/dashboard/review-links/{link}/", "/dashboard/review-links/{link}/export.csv", "/dashboard/review-links/inbox/",
    "/dashboard/notices/settings/", "/dashboard/reports/", "/dashboard/videos/{link}/", "/dashboard/activity/{link}/",
    "/sign-in/", "/accounts/", "/dashboard/", "/", "/{link}", "/{link}/device", "/{link}/comments/{link}", "/{link}/d/Ab3dE",
    "/{link}/finish", "/{link}/decision", "/dashboard/lives/64f1a2/", "/dashboard/playlists/64f1a2/", "/dashboard/folders/",
]  # fmt: skip


def ask(client: Client, path: str) -> tuple[int, str]:
    answer = client.get(quote(path, safe="/:;&=%?"))
    return answer.status_code, answer.headers.get("Location", "")


@pytest.mark.parametrize("end", ENDS)
def test_address_with_something_behind_it_leads_to_the_address(owner: Client, end: str) -> None:
    for place in PLACES:
        path = place.format(link=uuid.UUID(int=7 << 100 | 8))
        status, location = ask(owner, path + end)
        said = path == "/" and end[-1].isalnum()  # a word at the front door may be any address
        assert said or (status, location.rstrip("/")) == (301, path.rstrip("/")), path + end


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("kind", ["confirm", "stop"])
def test_signed_address_keeps_its_token_to_the_letter(ana: Reviewer, kind: str, end: str) -> None:
    leave_address(ana)
    subscription = Subscription.objects.get()
    token = (letters.build_confirmation if kind == "confirm" else letters.build_stop)(subscription)
    page = f"/dashboard/notices/{kind}/{token}/"
    for mangled in (
        page + end,
        page.rstrip("/") + end,
        f"/<https://review.example{page}{end}",
        "/" + page[1:].replace("/", "//") + end,
    ):
        answer = Client().get(quote(mangled, safe="/:;&=%?"), follow=True)
        assert (answer.status_code, answer.request["PATH_INFO"]) == (200, page), mangled


@pytest.mark.parametrize(
    "around", ["*{}*", "_{}_", "~{}~", "`{}`", "<{}>", "<{}|Open>", "({}).", "[{}]({})", "**{}**", "“{}”"]
)
def test_signed_address_is_found_inside_the_marks_of_a_chat(ana: Reviewer, around: str) -> None:
    leave_address(ana)
    token = letters.build_stop(Subscription.objects.get())
    here = f"https://review.example/dashboard/notices/stop/{token}/"
    slashless = here.rstrip("/")
    for address in (here, slashless):
        pasted = around.format(address, address)
        path = "/" + pasted.partition("https://review.example/")[2]
        answer = Client().get(quote(path, safe="/:;&=%?"), follow=True)
        assert answer.request["PATH_INFO"] == urlsplit(here).path, path


def test_wrong_token_is_not_mended(ana: Reviewer) -> None:
    leave_address(ana)
    token = letters.build_confirmation(Subscription.objects.get())
    for wrong in (token[:-1], token + "A", token.swapcase(), "nothing"):
        assert Client().get(f"/dashboard/notices/confirm/{wrong}/").status_code == 410


def test_parameters_that_came_as_html_are_parted(owner: Client, link: ReviewLink) -> None:
    assert ask(owner, f"/{link.pk}?t=5&amp;thread=x") == (301, f"/{link.pk}?t=5&thread=x")
    assert ask(owner, f"/dashboard/review-links/{link.pk}/.?show=open") == (
        301, f"/dashboard/review-links/{link.pk}/?show=open"
    )  # fmt: skip
    assert owner.get("/dashboard/search/", {"q": "a&amp;b"}).status_code == 200


def test_way_back_after_sign_in_is_forgiven_too(client: Client) -> None:
    assert ask(client, "/dashboard/reports/>") == (301, "/dashboard/reports/")
    assert client.get("/dashboard/reports/").headers["Location"] == "/sign-in/?next=%2Fdashboard%2Freports%2F"


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/dashboard/.", "/\\evil.example/dashboard/.", "/https://evil.example/", "/https://evil.example/dashboard/.",
        "/dashboard/\r\nLocation: https://evil.example/", "/dashboard/@evil.example", "/.evil.example/.", "/%2F%2Fevil.example",
        "/https:evil.example/.", "/dashboard/.//evil.example", "/\t/evil.example.", "/https://evil.example\\@x/dashboard/)",
        "//evil.example/.?a=1&amp;b=2", "/\\evil.example/?a=1&amp;b=2",
    ],
)  # fmt: skip
def test_no_address_leads_to_another_site(owner: Client, path: str) -> None:
    answer = owner.generic("GET", quote(path, safe="/:;&=%?@"), PATH_INFO=unquote(path.partition("?")[0]))
    assert answer.status_code in (301, 404)
    assert urlsplit(answer.headers.get("Location", "")).netloc == "", answer.headers
    assert answer.headers.get("Location", "") in (
        "",
        "/dashboard/",
        "/evil.example/.?a=1&b=2",
        "/%5Cevil.example/?a=1&b=2",
    )


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_only_readings_are_led_on(owner: Client, method: str) -> None:
    assert getattr(owner, method)("/dashboard/notices/seen/.").status_code == 404
    assert getattr(owner, method)("/theme/)?a=1&amp;b=2").status_code == 404


def test_what_is_not_there_stays_not_found(owner: Client) -> None:
    for path in (
        f"/dashboard/review-links/{uuid.uuid4()}/",
        "/dashboard/nothing/.",
        "/dashboard/playlists/nothing-/x/",
        "/a.b/",
    ):
        assert owner.get(path).status_code == 404


def test_programs_of_the_embedded_platform_are_told_what_the_platform_tells(client: Client) -> None:
    assert client.get("/sandbox/api/nothing/x.").status_code in (401, 404)
