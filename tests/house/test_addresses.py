"""Every address of the product, out of the URL resolver: who may open it, and what it shows when the platform is in trouble.

A new address is tested as soon as it is there. What cannot be is excused by name, with the reason.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from types import ModuleType
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from django.core.cache import cache
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.ai_content.models import Version
from dashboard.custom_fields.models import Change
from dashboard.platform_api import Platform, PlatformConfig, records
from dashboard.platform_api.sending import Call
from dashboard.sandbox.clock import Frozen
from dashboard.subtitles.models import Batch
from dashboard.writes.models import Write
from review_portal import links
from review_portal.models import Claim
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

OPEN_TO_ALL = {
    "front_door": "leads to sign-in or to the dashboard",
    "healthz": "says that the process lives, to a load balancer",
    "readyz": "says what is reachable, to a load balancer",
    "language": "everybody chooses a language",
    "theme": "everybody chooses light or dark",
    "accounts:sign_in": "is where people without an account go",
    "accounts:demo": "signs in",
    "accounts:sign_out": "harmless when nobody is signed in",
}
"""Addresses that need no account."""
APART = {
    "sandbox": "the embedded platform checks its own tokens; its pages exist only with it",
    "review_portal": "reviewers come with a link and have no account; the portal's own tests cover its troubles",
}
"""Apps that need no account, as `settings.PUBLIC_APPS` says."""

NOT_AN_OBJECT = {
    "analytics:file": "its name is that of a panel",
    "referrals:file": "its extension is all it takes",
    "ab_tests:file": "checked under its test's own page: an unknown file name is 404 for everybody",
}
"""Addresses whose arguments name nothing that belongs to an account."""
ONLY_FOR_SCRIPT = {
    "folders:children": "opened by hand it leads to the folder's page, which is 404",
    "funnels:progress": "opened by hand it leads to the funnel, which is 404",
    "custom_fields:field": "opened by hand it leads to the video's fields, which are 404",
}
"""Addresses that lead another account on, to a page that is not found."""

WITHOUT_TOKEN = {"public_review.read_link", "public_review.comments", "ai_workflow.read_package"}
"""Reads that are sent without the account's token: when they are refused, signing in again would not help."""
EDITED_HERE = ("import", "mindmap_json", "preview", "question", "question_json", "settings", "version")
FROM_A_COPY = {
    **dict.fromkeys(
        (
            f"ai_content:{name}"
            for name in ["import", "mindmap_json", "preview", "question", "question_json", "settings", "version"]
        ),
        "a draft is edited here without the platform; who saves it is led to sign-in, with the draft kept",
    ),
    **dict.fromkeys(
        ("review_links:video", "review_links:video_export", "review_links:video_print"),
        "comments are read from the portal's own copy; only what the film looks like was refused",
    ),
}
"""Addresses that go on from what is kept here when a read with a refused token would only have added something."""
EMPTY_FORM = {
    "ai_content:discard": "there is no draft to discard",
    "ai_content:undo": "there is no step to undo",
    "assistants:switch": "the empty form names no assistant",
    "referrals:file": "nothing was kept on the first day",
    **dict.fromkeys(("funnels:again", "funnels:arrived"), "the funnel was never sent"),
    **dict.fromkeys(("lives:again", "lives:arrived"), "the live was never started"),
}
"""Addresses that answer 404 to their owner here, because they were told too little."""

TROUBLES: dict[str, dict[str, Any]] = {
    "401": {"status": 401},
    "403": {"status": 403},
    "404": {"status": 404},
    "429": {"status": 429},
    "500": {"status": 500},
    "time-out": {"broken": "hangs"},
}
RIGHT: dict[str, set[int]] = {
    "401": {302},
    "403": {403, 502},
    "404": {404, 502},
    "429": {503, 502},
    "500": {502},
    "time-out": {504, 502},
}
"""What a page that cannot do without the platform answers. One that can answers as always and says what is missing."""
CALM = {200, 204, 302, 400, 404, 405, 409, 422}
"""Answers of pages that did not need what failed, or were sent an empty form."""


def addresses(
    resolver: URLResolver, spaces: tuple[str, ...] = (), above: dict[str, Any] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every address by its full name, with the converters of its arguments."""
    for one in resolver.url_patterns:
        converters = {**(above or {}), **one.pattern.converters}
        if isinstance(one, URLResolver):
            yield from addresses(one, (*spaces, one.namespace) if one.namespace else spaces, converters)
        else:
            assert one.name, f"{one.pattern} has no name"
            yield ":".join([*spaces, one.name]), converters


ALL = dict(addresses(get_resolver()))
GUARDED = sorted(name for name in ALL if name not in OPEN_TO_ALL and name.partition(":")[0] not in APART)
OF_AN_OBJECT = [name for name in GUARDED if ALL[name] and name not in NOT_AN_OBJECT and name not in ONLY_FOR_SCRIPT]


@pytest.fixture
def things(owner: Client, cast: dict[str, Any]) -> dict[str, Any]:
    """One of everything that an address can name, all the owner's. By argument, or by address and argument."""
    account = Account.objects.get()
    now = timezone.now()
    video = cast["videos"]["with_subtitles"]
    entry = Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="comparisons.update", outcome=Outcome.DONE,
        target=cast["ab_tests"]["in_progress"], before={"description": "before"}, after={"description": "after"},
    )  # fmt: skip
    deletion = Write.objects.create(account=account, scope=str(account.pk), key=uuid4(), operation="playlists.delete",
        subject="p", request={"playlist_id": "p"}, before={"name": "Old", "videos": []},
    )  # fmt: skip
    change = Change.objects.create(account_id=account.pk, name="fields.csv")
    creation = Write.objects.create(account=account, scope=str(account.pk), key=uuid4(), state="done", label="Escola",
        operation="organizations.create_sub_account", request={"name": "Escola", "user": {"email": "ana@example.com"}},
    )  # fmt: skip
    batch = Batch.objects.create(
        account=account, actor="Ana", sent_at=now, label="Launch", type="TRANSLATION", tier="pro", from_lang="en"
    )
    link_write = Write.objects.create(
        scope=str(account.pk), key=uuid4(), operation="review_links.create", account=account, subject=video,
        label="Cut 3", request={"video_id": video, "payload": {"link_name": "Cut 3"}}, state="refused", settled_at=now,
    )  # fmt: skip
    link = links.remember(
        account,
        records.ReviewLink.from_json(
            {
                "id": cast["review_links"]["open"],
                "video_id": cast["videos"]["reviewed"],
                "name": "Cut 3",
                "status": "active",
                "expires_at": (now + timedelta(days=9)).isoformat(),
            }
        ),
    )
    links.merge(link)
    comment = link.comments.filter(reply_to=None).first()
    assert comment is not None
    lesson = cast["videos"]["with_ai_content"]
    quiz = owner.get(f"/dashboard/ai-content/{lesson}/pt-BR/quiz/").content.decode()
    handle = re.search(r"quiz/questions/([a-z0-9]{6,40})/", quiz)
    version = Version.objects.filter(document__account_id=account.pk).first()
    assert handle and version
    return {
        "ai_content:video_id": lesson,
        "ai_content:handle": handle[1],
        "ai_content:pk": version.pk,
        "ai_content:kind": "json",
        "account_id": account.pk,
        "entry_id": entry.pk,
        "write_id": Write.objects.create(scope="s", key=uuid4(), operation="comparisons.update", account=account).pk,
        "deletion_id": deletion.pk,
        "change_id": change.pk,
        "batch_id": batch.pk,
        "sub_accounts:key": creation.pk,
        "review_links:key": link_write.key,
        "video_id": video,
        "review_links:video_id": cast["videos"]["reviewed"],
        "custom_fields:video_id": cast["videos"]["plain"],
        "field_id": cast["custom_fields"]["color"],
        "link_id": link.pk,
        "claim_id": Claim.objects.create(account=account, link_id=uuid4(), video_id=UUID(video)).pk,
        "comment_id": comment.comment_id,
        "comparison_id": cast["ab_tests"]["in_progress"],
        "folder_id": cast["folders"]["root"],
        "funnel_id": cast["funnels"]["main"],
        "live_id": cast["lives"]["scheduled"],
        "playlist_id": cast["playlists"]["own"],
        "assistant_id": cast["assistants"]["main"],
        "lang": "pt-BR",
        "kind": "vtt",
        "review_links:kind": "svg",
        "extension": "csv",
        "analytics:name": "browsers",
        "ab_tests:name": "variants",
        "videos:name": "subtitles",
    }


def address(name: str, things: dict[str, Any]) -> str:
    """The address `name` with the owner's things in it."""
    app = name.partition(":")[0]
    values = {}
    for argument in ALL[name]:
        known = [key for key in (f"{app}:{argument}", argument) if key in things]
        assert known, f"{name} names something new: say in `things` what `{argument}` is, or excuse it"
        values[argument] = things[known[0]]
    return reverse(name, kwargs=values)


def opened(client: Client, path: str) -> HttpResponseBase:
    """Open an address; what is only ever sent to is sent an empty form."""
    answer = client.get(path)
    return client.post(path) if answer.headers.get("Allow") == "POST" else answer


def body(answer: HttpResponseBase) -> str:
    """What was answered, as text."""
    if isinstance(answer, StreamingHttpResponse):
        return b"".join(answer.streaming_content).decode(errors="replace")  # type: ignore[arg-type]  # not asynchronous
    assert isinstance(answer, HttpResponse)
    return answer.content.decode(errors="replace")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """Every call of the platform. Nobody waits between two attempts of a read."""
    made: list[Call] = []

    def connected(config: PlatformConfig, http: httpx.Client, token: str, **about: Any) -> Platform:
        return Platform(config, http, token, **{**about, "observe": made.append, "sleep": lambda seconds: None})

    monkeypatch.setattr(clients, "Platform", connected)
    return made


def stand_in(converter: Any) -> str:
    """Something that a converter takes: an address needs it before anybody is let in."""
    tried = (str(uuid4()), "636f6d70-0000-4000-8000-000000000001", "1", "pt-BR", "csv", "variants", "abcdef", "x")
    return next(one for one in tried if re.fullmatch(converter.regex, one))


@pytest.mark.parametrize("name", sorted({*OPEN_TO_ALL, *NOT_AN_OBJECT, *ONLY_FOR_SCRIPT}))
def test_whoever_is_excused_is_still_there(name: str) -> None:
    assert name in ALL


@pytest.mark.parametrize("name", sorted(OPEN_TO_ALL))
def test_what_is_open_to_all_leads_nobody_to_sign_in_by_force(client: Client, cast: dict[str, Any], name: str) -> None:
    answer = opened(client, reverse(name))
    assert answer.status_code in {200, 302, 503}
    assert "next=" not in answer.headers.get("Location", "")


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("method", ["get", "post"])
def test_signed_out_it_leads_to_sign_in_and_back(client: Client, name: str, method: str) -> None:
    path = reverse(name, kwargs={key: stand_in(one) for key, one in ALL[name].items()})
    answer = getattr(client, method)(path)
    assert answer.status_code == (302 if method == "get" else 307)
    assert answer["Location"].startswith("/sign-in/?")
    assert "next=" in answer["Location"]


@pytest.mark.parametrize("name", OF_AN_OBJECT)
def test_another_account_finds_nothing(name: str, things: dict[str, Any], cast: dict[str, Any]) -> None:
    other = signed_in(Client(), cast["tokens"]["other"])
    answer = opened(other, address(name, things))
    assert answer.status_code == 404, body(answer)[:2000]
    assert "Traceback" not in body(answer)


@pytest.mark.parametrize("name", GUARDED)
def test_the_owner_can_open_it(owner: Client, name: str, things: dict[str, Any]) -> None:
    answer = opened(owner, address(name, things))
    assert answer.status_code < 500, body(answer)[:2000]
    if answer.status_code != 404:
        return
    assert name in EMPTY_FORM, f"{name} is not found by its owner: the test above proves nothing"


@pytest.mark.parametrize("name", GUARDED)
def test_each_trouble_of_the_platform_shows_the_right_page_and_never_a_traceback(
    owner: Client, name: str, things: dict[str, Any], faults: ModuleType, calls: list[Call], clock: Frozen
) -> None:
    # The clock stands still: a call that hangs is given up at once, by a clock that moved.
    path = address(name, things)
    wrong = []
    for trouble, how in TROUBLES.items():
        cache.clear()
        calls.clear()
        faults.set("*", **how)
        session = owner.session
        session["account"] = str(things["account_id"])
        session.save()
        answer = opened(owner, path)
        faults.clear()
        if answer.status_code not in RIGHT[trouble] | CALM or "Traceback" in body(answer):
            wrong.append(f"{trouble}: {answer.status_code}")
        turned_down = trouble == "401" and any(
            call.error == "BadToken" and call.operation not in WITHOUT_TOKEN for call in calls
        )
        if turned_down and name not in FROM_A_COPY and "/sign-in/" not in whereto(answer):
            refused = sorted({call.operation for call in calls if call.error == "BadToken"})
            wrong.append(f"{trouble}: {answer.status_code} after {refused}, and nobody is led to sign-in")
    assert wrong == []


def whereto(answer: HttpResponseBase) -> str:
    """Where an answer leads."""
    return answer.headers.get("Location", "") + answer.headers.get("HX-Redirect", "")
