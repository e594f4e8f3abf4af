"""What every test gets: a closed network, a clean cache, and English sentences unless it asks for another language."""

import gc
import socket
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from html import unescape
from importlib import import_module
from pathlib import Path
from subprocess import Popen
from types import ModuleType
from typing import Any, TypeAlias

import hypothesis
import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection, connections
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone, translation
from django.utils.module_loading import import_string

from dashboard.accounts.models import Account, Device
from dashboard.activity.models import Entry
from dashboard.platform_api.sending import Call
from dashboard.sandbox import clock as sandbox_clock
from dashboard.sandbox import faults as sandbox_faults
from dashboard.sandbox import transport
from dashboard.sandbox.http_types import Answer as PlatformAnswer
from dashboard.sandbox.http_types import Refusal, SandboxRequest, bad_request
from dashboard.subtitles import planner, run_actions
from dashboard.upstream import budget, clients, parallel, platform_health
from dashboard.upstream.parallel import Late, Outcome
from dashboard.upstream.parallel import gather_each as gathered
from dashboard.videos import tasks
from review_portal import cuts
from tests import forgetting, migrated_files, missing_variables
from tests.bytecode import forget_copies
from tests.kept_rows import KeptRows
from tests.kinds import Selection
from tests.kinds import pytest_addoption as pytest_addoption
from tests.moments import freeze as freeze
from tests.moments import replace_time
from tests.snapshots import Snapshots
from tests.valid_pages import assert_valid

ANY_MACHINE = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("same", ANY_MACHINE, derandomize=True)
hypothesis.settings.register_profile("search", ANY_MACHINE)
# The same examples for everybody; `--hypothesis-profile=search` looks for new ones.
hypothesis.settings.load_profile("same")

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
LONG = (
    "tests/writes/test_history.py",
    "tests/journeys/",
    "tests/house/test_addresses.py",
)
"""What takes long, though it has few tests."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Listing the tests makes a million objects that stay to the end: nobody looks for garbage among them, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long are begun first, so that the processes of a run end together, with short files."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


MIGRATION = pytest.StashKey[Popen[bytes]]()


def pytest_configure(config: pytest.Config) -> None:
    """Choose the tests; while the processes of a run list them, the one that started them migrates the databases."""
    config.pluginmanager.register(Selection(config), "selection")
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        config.stash[MIGRATION] = migrated_files.begin()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """SQLite files are there already, migrated."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def database_files(django_db_modify_db_settings: None) -> dict[str, Path]:
    """The tests' SQLite files by database, under the names of this process."""
    ours = [one for one in connections.all() if one.vendor == "sqlite"]
    return {one.alias: Path(one.settings_dict["TEST"]["NAME"]) for one in ours}


@pytest.fixture(scope="session")
def migrated(database_files: dict[str, Path]) -> Iterator[None]:
    """They are copies of what was migrated once, and nothing of them stays."""
    migrated_files.copy_to(database_files)
    yield
    for file in database_files.values():
        connections.close_all()
        for part in file.parent.glob(f"{file.name}*"):
            part.unlink()


@pytest.fixture(scope="session")
def django_db_setup(migrated: None, django_db_setup: None) -> None:
    """The databases are there, migrated."""


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The last process of a run leaves only what the next one can use."""
    if not hasattr(session.config, "workerinput"):
        forget_copies()
    if migration := session.config.stash.get(MIGRATION, None):
        migration.wait()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why a journey was walked a second time stands in the summary, for whoever has to find out."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"first walk of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


@pytest.fixture(autouse=True, scope="session")
def valid_pages() -> Iterator[None]:
    """Whatever a test asks for, the page that comes is valid. A response keeps the contexts of pages, not of each part."""
    ask, store_rendered = Client.request, import_string("django.test.client.store_rendered_templates")

    def request(client: Client, **environ: Any) -> Any:
        response = ask(client, **environ)
        assert_valid(response)
        return response

    def store_page(store: dict[str, Any], signal: Any, sender: Any, template: Any, context: Any, **kwargs: Any) -> None:
        if "context" not in store or not (template.name or "_").rpartition("/")[2].startswith("_"):
            store_rendered(store, signal, sender, template, context, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "request", request)
        patch.setattr("django.test.client.store_rendered_templates", store_page)
        yield


@pytest.fixture(autouse=True, scope="session")
def existing_variables() -> Iterator[None]:
    """Whatever a test draws, its template names nothing that does not exist."""
    with missing_variables.refused():
        yield


@pytest.fixture(autouse=True)
def closed_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reaches the network; those marked `loopback` or `journey` may reach servers of their own on this machine."""
    open_here = any(request.node.get_closest_marker(name) for name in ("loopback", "journey"))
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        local = self.family == socket.AF_UNIX or (open_here and address[0] in LOOPBACK)
        if not local:
            raise AssertionError(f"A test tried to connect to {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def clean_state() -> Iterator[None]:
    """Nothing that one test cached or activated reaches the next."""
    cache.clear()
    clients.circuits().close()
    with translation.override("en"):
        yield
    cache.clear()
    forgetting.forget_visit()


@pytest.fixture
def clock() -> Iterator[sandbox_clock.Frozen]:
    """The embedded platform's clock, standing still; `clock.travel(seconds)` moves it, and so does its waiting."""
    frozen = sandbox_clock.Frozen(sandbox_clock.Wall().now())
    sandbox_clock.set_clock(frozen)
    yield frozen
    sandbox_clock.set_clock(sandbox_clock.Wall())


@pytest.fixture
def one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is limited is counted in one window: it does not end in the middle of the test."""
    for module in ("dashboard.shared.callers", "dashboard.upstream.budget"):
        replace_time(monkeypatch, module, time=lambda: 1_800_000_010.0)


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """What the embedded platform does wrong: `faults.set("videos.get", status=500)`; see `dashboard.sandbox.faults`.

    The test needs the database `sandbox`: `@pytest.mark.django_db(databases=["default", "sandbox"])`.
    """
    clear = sandbox_faults.clear

    def clear_for_all(operation: str | None = None) -> None:
        """Nobody waits until an operation that failed is tried again."""
        clear(operation)
        clients.circuits().close()

    monkeypatch.setattr(sandbox_faults, "clear", clear_for_all)
    yield sandbox_faults
    clear()


Act: TypeAlias = Callable[[SandboxRequest], object]


class AtPlatform(threading.local):
    """What is done while the embedded platform has a call; the acts and the call under way are those of one thread."""

    def __init__(self, before: dict[str, list[Act]], after: dict[str, list[Act]]) -> None:
        self._before, self._after = before, after
        self.operation = ""
        self.request = SandboxRequest("", "")

    def arrives(self, operation: str, act: Act, once: bool = False) -> None:
        """Do something before the platform carries out a call; a `Refusal` that it raises is the platform's answer."""
        _add_act(self._before, operation, act, once)

    def answers(self, operation: str, act: Act, once: bool = False) -> None:
        """Do something once the platform has carried out a call, before its answer is there."""
        _add_act(self._after, operation, act, once)

    def refuses(self, operation: str, sentence: str, once: bool = False) -> None:
        """The platform answers 400 with a sentence."""

        def refuse(_request: SandboxRequest) -> None:
            raise bad_request(sentence)

        self.arrives(operation, refuse, once)

    def do(self, acts: dict[str, list[Act]]) -> None:
        """Do what is to be done now."""
        for act in [*acts.get(self.operation, ()), *acts.get(sandbox_faults.EVERY, ())]:
            act(self.request)

    def carry_out(self, answer: Callable[[SandboxRequest], PlatformAnswer], request: SandboxRequest) -> PlatformAnswer:
        """The platform's answer, with what is done meanwhile."""
        self.operation, self.request = "", request
        try:
            answered = answer(request)
            self.request = request
            self.do(self._after)
        except Refusal as refusal:
            return refusal.answer()
        return answered

    def strike(self, strike: Callable[[str], Any], operation: str) -> Any:
        """The call's operation is known, and nothing has happened."""
        self.operation = operation
        self.do(self._before)
        self.operation = operation
        return strike(operation)


def _add_act(acts: dict[str, list[Act]], operation: str, act: Act, once: bool) -> None:
    def act_once(request: SandboxRequest) -> None:
        acts[operation].remove(act_once)
        act(request)

    acts.setdefault(operation, []).append(act_once if once else act)


@pytest.fixture
def at_platform(monkeypatch: pytest.MonkeyPatch) -> AtPlatform:
    """`at_platform.arrives("lives.start", act)`: what happens elsewhere, or to this process, while a call is out."""
    here = AtPlatform({}, {})
    monkeypatch.setattr(transport, "dispatch", partial(here.carry_out, transport.dispatch))
    monkeypatch.setattr(sandbox_faults, "strike", partial(here.strike, sandbox_faults.strike))
    return here


STATES = pytest.StashKey[Snapshots]()


@pytest.fixture(scope="session")
def platform_states(
    django_db_setup: None, django_db_blocker: Any, request: pytest.FixtureRequest
) -> Iterator[Snapshots]:
    """The states of the embedded platform's database: `empty`, `seeded`, and `large` with a thousand videos."""

    def seeded() -> None:
        with django_db_blocker.unblock():
            import_string(settings.SANDBOX_CAST)()

    def large() -> None:
        seeded()
        with django_db_blocker.unblock():
            seed = import_module("dashboard.sandbox.seed.large")
            seed.seed_large(timezone.now(), seed.LibrarySize(videos=1_000, folders=2_000, cards=0))

    states = Snapshots(str(settings.DATABASES["sandbox"]["NAME"]), {"seeded": seeded, "large": large})
    request.config.stash[STATES] = states
    yield states
    states.close()


@pytest.fixture(scope="module")
def cast(platform_states: Snapshots, django_db_blocker: Any) -> dict[str, Any]:
    """The seeded embedded platform's tokens and identifiers by role, as `manage.py cast` prints them.

    What a test writes is gone for the next one. The test needs the database `sandbox`:
    `@pytest.mark.django_db(databases=["default", "sandbox"])`.
    """
    platform_states.use("seeded")
    with django_db_blocker.unblock():
        roles: dict[str, Any] = import_string(settings.SANDBOX_CAST)()
    return roles


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """After a test that really committed, also one that does not finds the seed again, before its transaction begins."""
    states = item.config.stash.get(STATES, None)
    if states and states.current == "unknown" and "cast" in getattr(item, "fixturenames", ()):
        states.use("seeded")


@pytest.fixture(autouse=True)
def platform_again(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests that really commit leave an empty database behind: the next one of their kind finds the seed again."""
    marker = request.node.get_closest_marker("django_db")
    commits = {"transactional_db", "live_server"} & set(request.fixturenames)
    if not commits and not (marker and marker.kwargs.get("transaction")):
        yield
        return
    states: Snapshots = request.getfixturevalue("platform_states")
    if "cast" in request.fixturenames:
        states.use("seeded", again=True)
    yield
    states.current = "unknown"


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`late("videos.list")`: reads of these operations or names, or all ("*"), are not answered within a page's patience."""

    def let(*operations: str) -> None:
        def is_late(read: Any) -> bool:
            return sandbox_faults.EVERY in operations or operation_of(read) in operations

        def gather_each(
            reads: Mapping[str, Any], patience: float | None = None, each: Any = None
        ) -> dict[str, Outcome]:
            slow = {key for key, read in reads.items() if not patience and (key in operations or is_late(read))}
            soon = {key: read for key, read in reads.items() if key not in slow}
            return {**dict.fromkeys(slow, Late()), **gathered(soon, patience, each)}

        monkeypatch.setattr(parallel, "gather_each", gather_each)

    return let


def operation_of(read: Any) -> str:
    """The operation of a read as `upstream.reads` has it run side by side; "" for another one."""
    asked: Any = next(iter(getattr(read, "args", ())), None)
    return str(asked.question.operation) if hasattr(asked, "question") else ""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """`calls("lives.start")`: how many calls of an operation have left since the test began."""
    left: list[str] = []
    observe = platform_health.observe

    def observed(calls: Sequence[Call]) -> None:
        left.extend(call.operation for call in calls)
        observe(calls)

    monkeypatch.setattr(platform_health, "observe", observed)
    return left.count


@pytest.fixture
def front_door(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., Any]], None]:
    """`front_door(view)`: "/" is answered by a view of the test, that raises what it likes."""
    place = next(one for one in get_resolver().url_patterns if getattr(one, "name", "") == "front_door")

    def answer_by(view: Any) -> None:
        view.public = True  # as access.public does
        monkeypatch.setattr(place, "callback", view)

    return answer_by


@pytest.fixture
def platform_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform is somebody else's, as in production; it is the embedded one that answers, until a setting changes."""
    be_elsewhere(monkeypatch)


def be_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the embedded platform is taken for somebody else's."""
    clients.config(), clients.http()  # made once, for the embedded one
    monkeypatch.setattr(clients, "embedded", lambda: False)


@pytest.fixture
def subtitles_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each video the worker looks at its languages, and at nothing else."""
    monkeypatch.setattr(tasks, "FACTS", tasks.FACTS[:1])


@pytest.fixture
def plan_takes(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """`plan_takes(2)`: so many videos are in one plan of subtitles at most; more become a run, or several plans."""

    def take(videos: int) -> None:
        for module in (run_actions, planner):
            monkeypatch.setattr(module, "MOST_VIDEOS", videos)

    return take


@pytest.fixture
def series_takes(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """`series_takes(3)`: a video has so many cuts at most."""
    return partial(monkeypatch.setattr, cuts, "CUTS_MAX")


@pytest.fixture
def read_a_run(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """`read_a_run(60)`: each run of background reading makes so many calls, however soon the next one follows."""
    return partial(monkeypatch.setattr, budget, "UNLIMITED")


@dataclass(frozen=True)
class SignedIn:
    """What signing in leaves behind: three rows, and the cookies of the browser."""

    account: Account
    session: Session
    device: Device
    cookies: dict[str, str]

    @classmethod
    def by_form(cls, client: Client, token: str) -> "SignedIn":
        """`client` signs in as nobody else has: what that leaves."""
        cookies = {name: cookie.value for name, cookie in signed_in(client, token).cookies.items()}
        return cls(Account.objects.get(), Session.objects.get(), Device.objects.get(), cookies)

    def repeat(self, client: Client) -> Client:
        """`client` as if it had signed in just now."""
        Account.objects.bulk_create([copy(self.account)])
        Session.objects.bulk_create([copy(self.session)])
        Device.objects.bulk_create([copy(self.device)])
        client.cookies.load(self.cookies)
        return client


@pytest.fixture(scope="session")
def sign_ins() -> dict[str, SignedIn]:
    """What signing in with a token left behind when a test of this process first did, by token."""
    return {}


@pytest.fixture(scope="session")
def kept_rows() -> KeptRows:
    """`kept_rows.take(step, client)`: what fixtures of earlier tests did comes back as rows, from the same state."""
    return KeptRows()


@pytest.fixture
def owner(client: Client, cast: dict[str, Any], sign_ins: dict[str, SignedIn]) -> Client:
    """A browser in which the demo's account owner is signed in: through the form, or as the form did for an earlier test.

    The test needs both databases: `pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])`.
    """
    token = cast["tokens"]["owner"]
    if Account.objects.exists() or client.cookies:
        return signed_in(client, token)
    if token in sign_ins:
        return sign_ins[token].repeat(client)
    sign_ins[token] = SignedIn.by_form(client, token)
    return client


@pytest.fixture
def account(owner: Client) -> Account:
    """The account that `owner` is signed in to."""
    return Account.objects.get(pk=owner.session["account"])


def signed_in(client: Client, token: str) -> Client:
    """`client` after signing in with `token` through the form."""
    answer = client.post("/sign-in/", {"token": token})
    assert answer.status_code == 302, answer.content.decode()
    return client


def undo_shown(client: Client, entry: Entry) -> str:
    """The request that undoing `entry` would send, as its page shows it. Nothing is written down for having looked."""
    before = Entry.objects.count()
    page = client.post(f"/dashboard/activity/{entry.pk}/undo/", {"_dry_run": "1"}).content.decode()
    assert "This is what would be sent" in page
    assert Entry.objects.count() == before
    return unescape(page.split('id="dry-run"')[1].split("</code>")[0])
