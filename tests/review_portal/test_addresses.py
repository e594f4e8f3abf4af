"""What mail programs, chats and scanners make of a link's address leads to the link, here and nowhere else."""

import uuid
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from dashboard.review_links.forms import ImportForm
from dashboard.shared.text import list_paths, parse_link_id
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ID = "f30e395e-9660-5e90-abdb-a25121fa6df6"
OTHER = "0c7f1c8e-1d1b-4c55-9d3e-0a52c8e1f6a1"
HERE = f"https://review.example/{ID}"
WIDE = "".join(chr(ord(char) + 0xFEE0) for char in ID)

PATHS = [
    *(f"{{id}}{sign}" for sign in (*".,;:!?)]>'\"*_`|\\", "}}", "…", "»", "”", "’", "。", ".)", ">.", "...", "%2520")),
    "{id}/", "{id}//", "{id}/.",
    "{id}%20", "{id}\u200b", "\u200b{id}", "{id}\u00ad", "{id}\u00a0", "{id}\ufeff", "{id}&gt;", "{id}&gt", "{id}=", "{id}\r\n",
    "<{id}>", "({id})", "[{id}]", "“{id}”", " {id}", "%2F{id}", "{upper}", "{upper}.", "{wide}", "{wide}。", "{soft}",
    "{id}](https://review.example/{id})", "https://review.example/{id}", "https:/review.example/{id}.",
    "https://https://review.example/{id}", "{id}https://review.example/{id}", "<https://review.example/{id}>", "{dashes}",
    "{id}\nBest regards", "{id}|Cut 3", "{id}*", "{id}%2E", "{id}\u00a0", "{id}&amp;", "{id}>,", "{id}，谢谢", "{id}」",
    "\u2066{id}\u2069",
    "<{id}|{id}>", "{id}__;!!Nc-1a!Zq$", "{id}\u200d", "{id}\u034f", "{id}%E2%80%8B", "{id}=0A",
    "{id};", "{id}^", "{id}~", "{id}@", "{id}+",
]  # fmt: skip


def path_of(form: str, link: uuid.UUID) -> str:
    text = str(link)
    wide = "".join(chr(ord(char) + 0xFEE0) for char in text)
    values = {"id": text, "upper": text.upper(), "wide": wide, "soft": text[:11] + "=\r\n" + text[11:]}
    return "/" + quote(form.format(dashes=text.replace("-", "\u2011"), **values), safe="/:&=,;()[]%")


@pytest.mark.parametrize("form", PATHS)
def test_address_out_of_a_mail_leads_to_the_room(world: World, form: str) -> None:
    link = world.link()
    answer = Client().get(path_of(form, link))
    assert (answer.status_code, answer.get("Location")) == (301, f"/{link}"), path_of(form, link)


@pytest.mark.parametrize(
    "place", ["print", "compare", "transcript", "finish", "email", "export.csv", "captions/en.vtt", "d/Ab3dE"]
)
@pytest.mark.parametrize("end", [".", ")", "&gt;", "/", "\u200b"])
def test_address_of_a_page_of_the_room_is_forgiven_the_same(world: World, place: str, end: str) -> None:
    link = world.link()
    answer = Client().get(f"/{link}/{place}{quote(end, safe='&;')}")
    assert (answer.status_code, answer.get("Location")) == (301, f"/{link}/{place}")


@pytest.mark.parametrize(
    "path", ["https:/a//////" * 300, "\uff11" * 4000, "https:/" + "a,,,,,,," * 500, "/" * 4000, "https:/a" * 500 + "-" * 4000]
)  # fmt: skip
def test_no_path_takes_long(path: str) -> None:
    assert parse_link_id(path) is None and len(list(list_paths(path))) < 20


def test_query_stays_as_it_is(world: World) -> None:
    link = world.link()
    answer = Client().get(f"/{link}.?t=75&utm_source=mail")
    assert answer["Location"] == f"/{link}?t=75&utm_source=mail"
    assert Client().get(f"/{link}?utm_source=mail").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/{id}0", "/{id}/nothing", "/{id}/nothing.", "/nothing/{id}.", "/{short}.", "/{long}", "/{id}a.", "/{id}/comments/x",
        "//evil.example/nothing", "/https://evil.example/", "/{id}abc",
    ],
)  # fmt: skip
def test_what_is_no_address_of_the_room_is_not_found(world: World, path: str) -> None:
    link = str(world.link())
    assert Client().get(path.format(id=link, short=link[:-1], long=link + "-1")).status_code == 404


@pytest.mark.parametrize(
    "path", ["//evil.example/{id}.", "/https://evil.example/{id}", "/{id}/\\evil.example", "/{id}/https://evil.example/",
    "/{id}//evil.example",
     "/\\evil.example/{id}"]
)  # fmt: skip
def test_no_address_leads_to_another_host(world: World, path: str) -> None:
    link = world.link()
    answer: Any = Client().get(path.format(id=link))
    assert answer.status_code in (301, 404)
    assert answer.get("Location", f"/{link}").partition("?")[0] == f"/{link}"


def test_nothing_is_posted_to_an_address_that_is_not_written_right(world: World) -> None:
    reviewer = Reviewer(world.link())
    reviewer.open()
    data = {"key": str(uuid.uuid4()), "user_name": "Ana", "text": "Louder.", "time": "0:05"}
    assert reviewer.client.post(f"/{reviewer.link}/comments.", data).status_code in (404, 405)
    assert reviewer.client.post(f"/{reviewer.link}.", data).status_code == 404
    assert reviewer.client.post(f"/{reviewer.link}/nothing", data).status_code == 404
    assert world.texts() == []


@pytest.mark.parametrize(
    "typed",
    [
        ID, ID.upper(), WIDE, f" {HERE} ", f"{HERE}.", f"<{HERE}>", f"({HERE})", f"{HERE}&gt;", f"{HERE}%20", f"{HERE}\u200b",
        f"See {HERE}. Thanks!", f"Is it there? {HERE}", f"[Cut 3]({HERE})", f"[{HERE}]({HERE})", f"{HERE}<{HERE}>",
        f"https://{HERE}", f"https://review.example/{HERE}", f"{HERE}{HERE}", f"{HERE}?utm_source=x&id={OTHER}",
        f'<a href=3D"{HERE}">', f"{HERE[:40]}=\r\n{HERE[40:]}", f"{HERE[:40]}\r\n{HERE[40:]}", f"{HERE[:40]}\n> {HERE[40:]}",
        f"{HERE}=", quote(HERE, safe=""), quote(quote(HERE, safe=""), safe=""), f"review.example/{ID}.", f"{HERE}#c-{OTHER}",
        "https://nam02.safelinks.protection.outlook.com/?url="
        f"{quote(HERE + '?t=75', safe='')}&amp;data=05%7C02%7Cana%40example.com%7C{OTHER}%7C0%7C0&amp;sdata=x%3D&amp;reserved=0",
        f"https://nam02.safelinks.protection.outlook.com/ap/t-59584e83/?url={quote(HERE, safe='')}&data=05%7C{OTHER}",
        f"https://urldefense.com/v3/__{HERE}__;!!Nc-1a!Zq{OTHER[:8]}$",
        f"https://urldefense.com/v3/__{HERE}?t=1__;!!Nc-1a!Zq$",
        "https://urldefense.proofpoint.com/v2/url?u=https-3A__review.example_" + ID.replace("-", "-2D") + "&d=DwMFaQ&c=x",
        f"https://www.google.com/url?q={quote(HERE, safe='')}&sa=D&source=calendar",
        f"https://click.example/{OTHER}/?url={quote(HERE, safe='')}",
        f"https://linkprotect.cudasvc.com/url?a={quote(HERE, safe='')}&c=E,1,{OTHER}&typo=1",
        f"{HERE}?from=https://elsewhere.example/{OTHER}",
        f"https://x.example/v/{OTHER}/{ID}?t=75#c-{OTHER}",
        HERE.replace("-", "\u2011"),
        "https://urldefense.proofpoint.com/v1/url?u=" + quote(HERE, safe="") + f"&k=x&r={OTHER}",
        f"https://urldefense.com/v3/__{HERE}.__;!!Nc-1a!Zq$",
        f"https://urldefense.us/v3/__{HERE.replace('/', '*')}__;Ly8v!!Nc-1a!Zq$",
        f"https://linkprotect.cudasvc.com/url?a={quote(HERE + '.', safe='')}&c=E,1,{OTHER},1&typo=0&ancr_add=1",
        f"https://protect-us.mimecast.com/s/Zq1x?domain=review.example&url={quote(HERE, safe='')}",
        f"https://url.uk.m.mimecastprotect.com/r/a{OTHER.replace('-', '')}?u={quote(HERE, safe='')}",
        f"https://l.facebook.com/l.php?u={quote(HERE, safe='')}&h={OTHER}",
        f"https://slack-redir.net/link?url={quote(HERE, safe='')}&v=3", f"https://vk.com/away.php?to={quote(HERE, safe='')}",
        f"https://secure-web.cisco.com/1x{OTHER.replace('-', '')}/{quote(HERE, safe='')}",
        f"https://steamcommunity.com/linkfilter/?u={quote(HERE, safe='')}", f"https://x.example/?redirect_url={quote(HERE)}",
        f"https://eu1.proofpointessentials.example/?link={quote(quote(HERE, safe=''), safe='')}",
        f"<{HERE}|Cut 3>", f"<{HERE}|{HERE}>", f"*{HERE}*", f"_{HERE}_", f"~{HERE}~", f"||{HERE}||", f"**<{HERE}>**", f"{HERE}).",
        f"{HERE}>,", f"{HERE}%2E", f"{HERE}%C2%A0", f"{HERE}&amp;", f"{HERE}?t=5&amp;x={OTHER}", f"\u2066{HERE}\u2069",
        f"{HERE[:30]}\u200b{HERE[30:]}", f"{HERE[:45]}\u00ad{HERE[45:]}", f'"{HERE}"@', f"{HERE}，谢谢", f"「{HERE}」",
        HERE.replace("https", "hxxps"), HERE.replace(".", "[.]"), HERE.replace("https", "HTTPS").upper(), f"URL:{HERE}",
        f"{HERE}/finish.", f"webcal://review.example/{ID}/", f"intent://review.example/{ID}#Intent;scheme=https;end",
    ],
)  # fmt: skip
def test_what_is_pasted_names_its_link(typed: str) -> None:
    assert parse_link_id(typed) == ID


@pytest.mark.parametrize(
    "typed",
    ["", "hello", ID[:-1], ID + "0", "https://review.example/", f"?id={ID}", "a" * 4000, "=" * 4000, "%25" * 1500],
)
def test_what_holds_no_id_names_none(typed: str) -> None:
    assert parse_link_id(typed) is None


def test_owner_s_form_takes_the_address_that_a_scanner_made() -> None:
    form = ImportForm(
        {"link": f"https://nam02.safelinks.protection.outlook.com/?url={quote(HERE, safe='')}&data={'x' * 900}"}
    )
    assert form.is_valid() and form.cleaned_data["link"] == uuid.UUID(ID)
