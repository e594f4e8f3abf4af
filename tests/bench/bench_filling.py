"""The first filling of 5,000 videos: its progress, what the platform may be asked meanwhile, and a worker that is killed.

The production command and its worker on SQLite, the platform in a process of its own behind a recorder, which answers 429 three
times. Somebody signs in and watches *Runs*; in the middle the worker is killed. At the end the list's counts are compared
with the platform's own data.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.bench.figure import Figure
from tests.bench.production import Site, Upstream, named
from tests.bench.recorder import Recorder, recording
from tests.installation.__main__ import bare_environment, platform
from tests.installation.browser import Browser

CALLS_PER_MINUTE: Final = 12_000
"""As many as a platform without a limit takes: the default takes two hours, most of them waiting (docs/operations.md)."""
AT_ONCE: Final = 4
REFUSALS: Final = {1_000: 5, 8_000: 90, 8_001: 90}
"""Which calls for a fact are refused, and for how many seconds."""
TRIED: Final = 4
"""Reads of one video that are tried after sign-in, whatever is known of it."""
KILLED_AT: Final = 0.4
"""The part of the library that is read when the worker is killed."""
MOST_SECONDS: Final = 1_800.0
LOOK: Final = 1.0
"""Seconds between two looks at the progress."""
LIST_EVERY: Final = 15
"""Looks at the progress to one at the list."""
NEVER: Final = float("inf")
LANGUAGES: Final = ("pt-BR", "es", "en-US", "fr", "de")
ROW: Final = re.compile(r"([\d,]+) of ([\d,]+) videos read")
MINUTES: Final = re.compile(r"About (\d+) minutes? left")
COUNT: Final = re.compile(r'id="match-title">\s*<span role="status">\s*<b>([\d,]+)</b>([^<]*)(<span class="so-far">)?')
TRUTH: Final = """
import json
from dashboard.sandbox.models import Token, Video
videos = Video.objects.filter(organization_id=Token.objects.get(value={token!r}).user.organization_id)
found = {{lang: videos.exclude(subtitles__lang=lang).count() for lang in {languages!r}}}
print("TRUTH", json.dumps({{"": videos.count(), **found}}))
"""


@dataclass
class Filling:
    """What was seen: each number of videos read, in how many seconds, how long it was first said to take, and the kill."""

    read: list[int] = field(default_factory=list)
    videos: int = 0
    said: float = 0.0
    seconds: float = 0.0
    still: float = 0.0
    """Seconds from the kill until more was read than at it."""
    silent: int = 0
    """Looks at the list that counted what was not read yet without saying so."""

    def note(self, page: str, read: int, videos: int) -> None:
        """What *Runs* says now."""
        self.read.append(read)
        self.videos = videos
        minutes = MINUTES.search(page)
        self.said = self.said or (int(minutes[1]) * 60 if minutes else 0.0)


def figures() -> list[Figure]:
    """One filling, from sign-in to the list's counts."""
    with tempfile.TemporaryDirectory(prefix="reelroom-filling-") as name:
        folder = Path(name)
        with platform(folder / "platform", "--library", "large") as (address, cast):
            token = cast["tokens"]["owner"]
            truth = _truth(folder / "platform", token)
            parts = urlsplit(address)
            with recording(parts.port or 0, REFUSALS) as recorder:
                here = Upstream(f"http://127.0.0.1:{recorder.port}{parts.path}", cast, [])
                site = Site(folder / "site", here, {"PLATFORM_CALLS_PER_MINUTE": str(CALLS_PER_MINUTE)})
                with site.serve(2) as served:
                    owner = served.browser
                    owner.submit("/sign-in/", "/sign-in/", token=token, person="Ana")
                    filling = _fill(owner, recorder)
                    wrong = _wrong_counts(owner, truth)
                return _figures(filling, recorder, truth[""], wrong)


def _truth(folder: Path, token: str) -> dict[str, int]:
    """How many videos the platform has ("") and how many lack subtitles, by language."""
    script = TRUTH.format(token=token, languages=LANGUAGES)
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", script]
    environment = bare_environment() | {"DEBUG": "on"}
    printed = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    line = next((line for line in printed.stdout.splitlines() if line.startswith("TRUTH ")), None)
    assert line, printed.stderr[-2000:]
    found: dict[str, int] = json.loads(line.removeprefix("TRUTH "))
    return found


def _fill(owner: Browser, recorder: Recorder) -> Filling:
    """Watch the row in *Runs* until it is gone, look at the list now and then, and kill the worker on the way."""
    filling, begun, killed_at, killed = Filling(), time.monotonic(), 0.0, 0
    while time.monotonic() - begun < MOST_SECONDS:
        page = owner.page("/dashboard/runs/")
        row = ROW.search(page)
        if row is None and filling.read:
            filling.seconds = time.monotonic() - begun
            return filling
        if row is not None:
            filling.note(page, *(int(number.replace(",", "")) for number in row.groups()))
            read = filling.read[-1]
            if not killed and read >= KILLED_AT * filling.videos and recorder.is_busy():
                killed, killed_at = read, time.monotonic()
                _kill_worker()
            elif killed and not filling.still and read > killed + 2 * AT_ONCE:
                filling.still = time.monotonic() - killed_at
            # A look at the list begins to read as well: were it another reading, there would be twice as many calls.
            if len(filling.read) % LIST_EVERY == 0:
                filling.silent += "so far" not in owner.page(f"/dashboard/videos/?q=missing:{LANGUAGES[1]}")
        time.sleep(LOOK)
    raise TimeoutError(f"{filling.read[-1:]} of {filling.videos} videos were read in {MOST_SECONDS:.0f} s")


def _kill_worker() -> None:
    """SIGKILL the worker; the server starts another one."""
    (worker,) = named(b"manage.py\0worker")
    os.kill(worker, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if set(named(b"manage.py\0worker")) - {worker}:
            return
        time.sleep(0.1)
    raise TimeoutError("no other worker was started")


def _wrong_counts(owner: Browser, truth: dict[str, int]) -> int:
    """How many counts of the list are not the platform's, or are said to be so far."""
    wrong = 0
    for lang, count in truth.items():
        shown = _count(owner, f"?q=missing:{lang}" if lang else "")
        if shown != count:
            sys.stderr.write(f"The list counts {shown} videos without {lang or 'anything'}, the platform {count}.\n")
            wrong += 1
    return wrong


def _count(owner: Browser, query: str) -> int | None:
    """What the list counts; None while it says that this is so far, or nothing."""
    deadline, found = time.monotonic() + 60, None
    while time.monotonic() < deadline:  # the catalog of a large library is made beside the page
        found = COUNT.search(owner.page(f"/dashboard/videos/{query}"))
        if found is not None and not found[3]:
            return int(found[1].replace(",", ""))
        time.sleep(LOOK)
    return None


def _figures(filling: Filling, recorder: Recorder, videos: int, wrong: int) -> list[Figure]:
    facts, steps = recorder.facts(), list(zip(filling.read, filling.read[1:], strict=False))
    refused = sum(call.status == 429 for call in facts)
    least, at_kill = 2 * videos, AT_ONCE
    return [
        Figure(f"{videos:,} videos, from sign-in", filling.seconds, NEVER, "s"),
        Figure("its first estimate, over that", filling.said / filling.seconds, NEVER, "times"),
        Figure("steps back of the progress", sum(after < before for before, after in steps), 0, ""),
        Figure("videos of the progress that the platform has not", abs(filling.videos - videos), 0, ""),
        Figure("calls for a fact of one video", len(facts), least + refused + at_kill + TRIED, "calls"),
        Figure("the fewest that are possible", least, least, "calls"),
        Figure("calls of any kind", len(recorder.calls), NEVER, "calls"),
        Figure("calls for a fact, on average", len(facts) / filling.seconds, NEVER, "a second"),
        Figure("calls for a fact, most in flight of an account", recorder.most_in_flight(facts=True), AT_ONCE, ""),
        Figure("calls of any kind, most in flight of an account", recorder.most_in_flight(facts=False), NEVER, ""),
        Figure("calls answered 429", refused, NEVER, "calls"),
        Figure("calls before a Retry-After was over", recorder.early(), 0, "calls"),
        Figure("facts that were told twice", recorder.told_twice(), at_kill, "calls"),
        Figure("from the worker's SIGKILL until it goes on", filling.still, 75, "s"),
        Figure("looks at the list without its so far", filling.silent, 0, ""),
        Figure(f"counts of the list that are wrong, of {1 + len(LANGUAGES)}", wrong, 0, ""),
    ]
