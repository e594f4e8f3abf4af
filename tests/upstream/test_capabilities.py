"""What the platform has for an account is learnt once: what is absent is not asked for, what is elsewhere is read there."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from django_tasks import default_task_backend
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.health import probing, tasks
from dashboard.health.pages import READS
from dashboard.platform_api.config import ASSUMED, PUBLIC_FILES, WRITES
from dashboard.platform_api.errors import Missing
from dashboard.sandbox import transport
from dashboard.sandbox.http_types import Answer, SandboxRequest
from dashboard.sandbox.models import Live as LiveOfPlatform
from dashboard.sandbox.models import Video as VideoOfPlatform
from dashboard.upstream import capabilities, clients
from dashboard.upstream.budget import Budget
from dashboard.upstream.clients import platform_for
from dashboard.upstream.models import Capability
from dashboard.upstream.parallel import Failed
from dashboard.upstream.reads import Reads
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.pages import read_page
from tests.upstream.absent import take_reads

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HEALTH = "/dashboard/health/"


def states() -> dict[str, str]:
    return dict(Capability.objects.values_list("operation", "state"))


def test_everything_is_found_on_a_platform_that_has_it_with_the_shape_of_its_answer(owner: Client) -> None:
    assert "Not checked yet" in read_page(owner, HEALTH)
    owner.post(f"{HEALTH}probe/")
    found = {operation for operation, state in states().items() if state == "found"}
    may_lack = {"public_review.read_link", "public_review.comments", "ai_workflow.read_package"}
    assert {*states()} - found <= may_lack, "the first videos may have no link and no AI content"
    assert {*states(), "videos.read_subtitle"} == ({*ASSUMED} | {*PUBLIC_FILES}) - WRITES
    assert Capability.objects.get(operation="lives.list").shape.startswith("{lives: [{")
    page = read_page(owner, HEALTH)
    assert "List of lives" in page and "Available" in page and "/lives/{live_id}" in page
    assert {*READS} == {*states()}


def test_what_is_absent_is_not_asked_for_until_somebody_presses(
    owner: Client, cast: dict[str, Any], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    faults.set("assistants.list", status=404)
    owner.post(f"{HEALTH}probe/")
    forget()
    asked = calls("assistants.list")
    assert asked == 1
    for address in (f"/dashboard/videos/{cast['videos']['plain']}/", "/dashboard/assistants/", "/dashboard/"):
        owner.get(address)
        owner.get(address)
    assert calls("assistants.list") == asked
    assert "Not on this platform" in read_page(owner, HEALTH)
    faults.clear()
    owner.post(f"{HEALTH}probe/")
    assert states()["assistants.list"] == "found"
    owner.get("/dashboard/assistants/")
    assert calls("assistants.list") > asked + 1


def test_a_read_that_is_forbidden_is_said_and_not_repeated(
    owner: Client, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    take_reads(faults, "funnels", 403)
    owner.post(f"{HEALTH}probe/")
    assert states()["funnels.list"] == "forbidden"
    assert states()["funnels.get"] == "untried", "there is no id to try it with"
    assert "Not allowed for this account" in read_page(owner, HEALTH)
    owner.get("/dashboard/funnels/")
    assert calls("funnels.list") == 1


def test_without_a_list_what_was_written_from_here_is_tried(
    owner: Client, cast: dict[str, Any], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    live = cast["lives"]["scheduled"]
    owner.post(f"/dashboard/lives/{live}/start/")
    take_reads(faults, "lives")
    owner.post(f"{HEALTH}probe/")
    assert states()["lives.get"] == "absent"
    asked = calls("lives.get")
    owner.get(f"/dashboard/lives/{live}/")
    assert calls("lives.get") == asked
    faults.clear("lives.get")
    LiveOfPlatform.objects.filter(pk=live).delete()
    owner.post(f"{HEALTH}probe/")
    assert states()["lives.get"] == "found", "it says that it has no such live"


def test_a_failing_platform_proves_nothing(owner: Client, faults: ModuleType, calls: Callable[[str], int]) -> None:
    faults.set("lives.list", status=500)
    owner.post(f"{HEALTH}probe/")
    assert states()["lives.list"] == "untried"
    asked = calls("lives.list")
    owner.get("/dashboard/lives/")
    assert calls("lives.list") > asked


def test_what_an_outage_hides_is_not_forgotten_and_tried_again(owner: Client, faults: ModuleType) -> None:
    faults.set("*", status=500)
    assert tasks.probe_accounts.func() == 1
    assert {*states().values()} == {"untried"}
    faults.clear()
    assert tasks.probe_accounts.func() == 1, "nothing was learnt"
    assert states()["lives.list"] == "found"
    faults.set("*", status=500)
    owner.post(f"{HEALTH}probe/")
    assert states()["lives.list"] == "found"


def test_only_reads_are_tried(owner: Client, cast: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"lives\.start is no read"):
        platform_for(Account.objects.get()).ask(lambda platform: platform.lives.start(cast["lives"]["scheduled"]))


def test_a_read_is_found_at_its_publicly_known_other_path_and_used_there(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = transport.dispatch

    def answer_elsewhere(request: SandboxRequest) -> Answer:
        path = request.path.replace("/api/lives", "/api/nowhere").replace("/api/live", "/api/lives")
        return answer(replace(request, path=path))

    monkeypatch.setattr(transport, "dispatch", answer_elsewhere)
    assert "does not list its lives" in read_page(owner, "/dashboard/lives/")
    owner.post(f"{HEALTH}probe/")
    assert Capability.objects.get(operation="lives.list").path == "/live"
    assert "On air" in read_page(owner, "/dashboard/lives/")
    assert "Scheduled for" in read_page(owner, f"/dashboard/lives/{cast['lives']['scheduled']}/")


def test_an_absence_at_another_path_than_the_one_that_is_set_now_says_nothing(
    owner: Client, faults: ModuleType, settings: Settings, calls: Callable[[str], int]
) -> None:
    faults.set("lives.list", status=404)
    owner.post(f"{HEALTH}probe/")
    faults.clear()
    asked = calls("lives.list")
    settings.PLATFORM_PATHS = {"lives.list": "/broadcasts"}
    owner.get("/dashboard/lives/")
    assert calls("lives.list") > asked


def test_reads_of_reviews_are_tried_only_where_they_are_switched_on(owner: Client, settings: Settings) -> None:
    settings.PLATFORM_REVIEW_READS = False
    owner.post(f"{HEALTH}probe/")
    assert not {"review_links.list", "public_review.comments"} & {*states()}


def test_public_files_are_found_where_a_video_has_them_and_tell_where_they_are(
    owner: Client, cast: dict[str, Any]
) -> None:
    newest = VideoOfPlatform.objects.filter(pk=cast["videos"]["with_ai_content"])
    newest.update(created_at=timezone.now() + timedelta(days=1))
    owner.post(f"{HEALTH}probe/")
    files = Capability.objects.filter(operation__in=PUBLIC_FILES)
    assert {row.operation: row.state for row in files} == dict.fromkeys(PUBLIC_FILES, "found")
    config = files.get(operation="public_files.video")
    assert config.path == "http://platform.internal/sandbox/config/{pullzone}/{external_id}.json"
    assert "bookMarks" in config.shape
    assert "Public file of a video" in read_page(owner, HEALTH)


def test_public_files_without_a_host_are_not_tried(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(clients.config(), live_config_url="", subtitles_url="")
    monkeypatch.setattr(clients, "config", lambda: config)
    owner.post(f"{HEALTH}probe/")
    assert {"public_files.live", "public_files.subtitle"} & {*states()} == set()
    assert states()["public_files.video"] == "found"


@pytest.mark.parametrize(("name", "state"), [("video", "absent"), ("subtitle", "absent"), ("live", "untried")])
def test_a_missing_public_file_is_absent_only_where_every_video_has_one(
    owner: Client, faults: ModuleType, name: str, state: str
) -> None:
    faults.set(f"public_files.{name}", status=404)
    owner.post(f"{HEALTH}probe/")
    assert states()[f"public_files.{name}"] == state


def test_a_public_file_that_is_absent_is_not_asked_for_until_its_host_is_another(
    owner: Client, faults: ModuleType, calls: Callable[[str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    faults.set("public_files.video", status=404)
    owner.post(f"{HEALTH}probe/")
    faults.clear()
    account, asked = Account.objects.get(), calls("public_files.video")
    outcome = Reads(account).gather(file=lambda platform: platform.public_files.video("zone", "external"))["file"]
    assert isinstance(outcome, Failed) and isinstance(outcome.error, Missing)
    assert calls("public_files.video") == asked
    elsewhere = replace(clients.config(), config_url="http://platform.internal/sandbox/other")
    monkeypatch.setattr(clients, "config", lambda: elsewhere)
    absence = clients.capabilities_of(account).error(
        "public_files.video", capabilities.path_of("public_files.video", elsewhere)
    )
    assert absence is None


def test_signing_in_lets_the_worker_try_and_waits_for_none_of_it(client: Client, cast: dict[str, Any]) -> None:
    queue: Any = default_task_backend  # the dummy one, which keeps what it is given
    queue.clear()
    signed_in(client, cast["tokens"]["owner"])
    assert not Capability.objects.exists()
    (task,) = (result for result in queue.results if result.task.name == "probe_account")
    tasks.probe_account.func(*task.args)
    assert states()["lives.list"] == "found"
    queue.clear()
    signed_in(client, cast["tokens"]["owner"])
    assert not queue.results, "that was a moment ago"


def test_the_worker_tries_accounts_that_were_never_tried_once(owner: Client) -> None:
    assert tasks.probe_accounts.func() == 1
    assert tasks.probe_accounts.func() == 0


def test_what_the_worker_tries_leaves_the_calls_to_pages(owner: Client, settings: Settings, one_window: None) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 180
    cache.clear()
    assert tasks.probe_accounts.func() == 1
    assert Budget(Account.objects.get().token).count_background() > 5


def test_the_worker_leaves_an_account_whose_token_is_refused(owner: Client, faults: ModuleType) -> None:
    faults.set("*", status=401)
    assert tasks.probe_accounts.func() == 0
    assert not Capability.objects.exists()


def test_disconnecting_drops_the_record(owner: Client) -> None:
    owner.post(f"{HEALTH}probe/")
    owner.post(f"/accounts/{Account.objects.get().pk}/disconnect/")
    assert not Capability.objects.exists()


def test_the_command_says_what_is_there(owner: Client, faults: ModuleType) -> None:
    faults.set("playlists.list", status=404)
    out = StringIO()
    call_command("probe", stdout=out)
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert any(line.startswith("lives.list found /lives {lives:") for line in lines)
    assert "playlists.list absent /playlists HTTP 404" in lines
    with pytest.raises(CommandError):
        call_command("probe", account="nobody", stdout=out)


def test_shapes_have_names_and_kinds_and_no_values() -> None:
    answer: Any = {"total": 3, "lives": [{"id": "secret", "title": "Launch", "tags": ["x"]}], "next": None}
    assert probing.shape_of(answer) == "{lives: [{tags: [text], id, title}], total, next}"
    assert probing.shape_of([]) == "[]" and probing.shape_of(["a"]) == "[text]"
    assert probing.shape_of({str(n): n for n in range(40)}).endswith(", …}")
