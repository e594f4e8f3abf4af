"""What the player's public file says of a test [gaps 15, A7]: in the place of the platform, and beside it."""

from datetime import timedelta
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from dashboard.ab_tests import writes
from dashboard.accounts.models import Account
from dashboard.platform_api.errors import Missing, NotAllowed, Refused
from dashboard.platform_api.request import Request
from dashboard.sandbox.models import Comparison, Video
from dashboard.upstream import clients
from dashboard.writes.operations import UNKNOWN, Found, registered
from tests.ab_tests.conftest import Seen
from tests.ab_tests.test_writes import TEST, TOLD, B, settled, written
from tests.answering import answer_with, change_answers

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def without(*names: str) -> Any:
    return lambda answer: {name: value for name, value in answer.items() if name not in names}


@pytest.mark.parametrize("fault", [{"status": 403}, {"status": 404}, {"status": 405}])
def test_a_test_that_the_platform_does_not_tell_is_read_from_its_public_file(
    seen: Seen, running: str, faults: ModuleType, fault: dict[str, Any]
) -> None:
    faults.set("comparisons.get", **fault)
    text = seen(running)
    assert "This is what the player&#x27;s public file says." in text
    assert "Serra Alta, launch film" in text and "cup cut" in text and "In progress" in text
    assert "interval__wide" in text, "its variants are found by their external ids, and judged"


def test_status_videos_and_winner_that_the_answer_lacks_come_from_the_file(
    seen: Seen, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(monkeypatch, without("status", "videos", "winner"), "comparisons.get")
    test = Comparison.objects.get(pk=cast["ab_tests"]["completed"])
    text = seen(test.id)
    assert test.winner is not None and f"Winner: B, {test.winner.title}" in text and test.name in text


def test_without_a_file_the_platform_s_refusal_is_what_is_said(seen: Seen, running: str, faults: ModuleType) -> None:
    faults.set("comparisons.get", status=403)
    faults.set("public_files.comparison", status=404)
    seen(running, status=403)


def test_a_test_of_another_account_stays_missing(owner: Client, running: str) -> None:
    other = Account.objects.get()
    other.pullzone = "somebody-else"
    other.save()
    Comparison.objects.filter(pk=running).delete()
    assert owner.get(f"/dashboard/ab-tests/{running}/").status_code == 404


@pytest.mark.parametrize(
    ("test", "said", "sentence"),
    [
        ("completed", {"status": "IN_PROGRESS"}, "The player still draws one of the videos at random"),
        ("in_progress", {"status": "COMPLETED"}, "The player plays the winner already"),
        ("completed", {"winner_video_id": "11111111-1111-4111-8111-111111111111"}, "another video than the winner"),
        ("completed", {}, ""),
        ("in_progress", {}, ""),
    ],
)
def test_what_viewers_get_now_is_said_where_the_file_is_behind(
    seen: Seen, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, test: str, said: dict[str, str], sentence: str
) -> None:
    change_answers(monkeypatch, lambda answer: answer | said, "public_files.comparison")
    seen(cast["ab_tests"][test])
    text = seen(cast["ab_tests"][test])
    assert sentence in text and ("The player" in text) == bool(sentence)


def test_the_winner_goes_under_the_public_name_and_then_under_the_other(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[Any] = []

    def make(request: Request) -> Any:
        left.append(request.body)
        if "winner" not in dict(request.body):  # type: ignore[arg-type]  # it has one
            raise Refused("comparisons.finish", 400, "winner is required")
        return TOLD

    answer_with(monkeypatch, make, writes.FINISH)
    registered(writes.FINISH).send(written(account, writes.FINISH, {"comparison_id": TEST, "winner": B}))
    assert left == [{"winner_video_id": B}, {"winner": B}]
    answer_with(monkeypatch, _refuse, writes.FINISH)
    with pytest.raises(Refused, match="winner_video_id was refused"):
        registered(writes.FINISH).send(written(account, writes.FINISH, {"comparison_id": TEST, "winner": B}))


def _refuse(request: Request) -> Any:
    raise Refused("comparisons.finish", 400, f"{next(iter(request.body))} was refused")  # type: ignore[arg-type]


def test_variants_far_down_the_list_of_videos_have_their_titles(seen: Seen, running: str, faults: ModuleType) -> None:
    faults.set("comparisons.get", status=404)
    variants = Comparison.objects.get(pk=running).variants.select_related("video")
    titles = {str(variant.video.external_id): variant.video.title for variant in variants}

    (newest,) = Video.objects.order_by("-created_at")[:1]
    later = {"created_at": newest.created_at + timedelta(days=1), "title": "Another"}
    values = {field.attname: getattr(newest, field.attname) for field in Video._meta.concrete_fields} | later
    Video.objects.bulk_create(Video(**values | {"id": uuid4(), "external_id": uuid4()}) for _ in range(120))
    text = seen(running)
    assert all(title in text for title in titles.values())


@pytest.mark.parametrize(
    ("operation", "file", "end"),
    [
        (writes.START, {"status": "IN_PROGRESS"}, "found"),
        (writes.START, {"status": "DRAFT"}, UNKNOWN),
        (writes.START, {}, UNKNOWN),
        (writes.START, None, Missing),
        (writes.FINISH, {"status": "COMPLETED", "winner_video_id": "of-b"}, "found"),
        (writes.FINISH, {"status": "COMPLETED"}, "found"),
        (writes.FINISH, {"status": "COMPLETED", "winner_video_id": "of-another"}, UNKNOWN),
        (writes.FINISH, {"status": "IN_PROGRESS"}, UNKNOWN),
    ],
)
@pytest.mark.parametrize("refusal", [Missing, NotAllowed])
def test_unclear_write_is_settled_by_the_public_file_where_the_platform_does_not_show_the_test(
    account: Account, monkeypatch: pytest.MonkeyPatch, operation: str, file: Any, end: Any, refusal: Any
) -> None:
    account.pullzone = "vz-1"
    account.save()

    def make(request: Request) -> Any:
        if request.operation == "videos.get":
            return {"id": B, "video_external_id": "of-b", "title": "The second"}
        if request.operation == "comparisons.get" or file is None:
            raise refusal("comparisons.get", 404, "")
        assert request.path == ("vz-1", "comparison", f"{TEST}.json")
        return file

    answer_with(monkeypatch, make, "comparisons.get", "public_files.comparison", "videos.get")
    clients.platform_for(account).videos.get(B)  # known from then on
    write = written(account, operation, {"comparison_id": TEST, "winner": B})
    if end is Missing:
        with pytest.raises(refusal):
            settled(write)
    else:
        found = settled(write)
        assert isinstance(found, Found) if end == "found" else found is end
