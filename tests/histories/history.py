"""One history: people act while calls fail and processes are killed; then calm, and the verdict."""

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.histories.installation import Installation
from tests.histories.people import Counts, Crowd
from tests.histories.verdict import Verdict, reach_verdict, wait_until_settled

PEOPLE = 6
"""People who act at the same time."""


@dataclass(frozen=True)
class Outcome:
    """What was done, what was killed, and what came of it."""

    counts: Counts
    killed: Counter[str]
    verdict: Verdict
    seconds: float

    def table(self) -> str:
        rows = {
            "seconds": round(self.seconds),
            "posts": self.counts.posts,
            "answers that took them": self.counts.accepted,
            "first posts without a cookie": self.counts.first_posts,
            "posts sent twice or again": self.counts.repeated,
            "undone": self.counts.undone,
            "edits": self.counts.edits,
            "resolved or reopened": self.counts.statuses,
            "polls": self.counts.polls,
            "killed": ", ".join(f"{count} × {name}" for name, count in sorted(self.killed.items())),
            **{name: getattr(self.verdict, name) for name in Verdict.__dataclass_fields__ if name != "examples"},
        }
        lines = [f"| {name.replace('_', ' ')} | {value} |" for name, value in rows.items()]
        return "\n".join(["| what | count |", "|---|---|", *lines, *self.verdict.examples])


def run(
    folder: Path,
    dice: random.Random,
    *,
    seconds: float = 0,
    stories: int = 0,
    webs: int = 1,
    workers: int = 1,
    kills: float = 4.0,
    database_url: str = "",
) -> Outcome:
    """A history of `seconds`, or of `stories`. About every `kills` seconds a process dies."""
    begun = time.monotonic()
    count = max(4, int(seconds // 3), stories // 8)
    installation = Installation(folder, dice, links=count, webs=webs, workers=workers, database_url=database_url)
    try:
        links = installation.links
        crowd = Crowd([link for link, _film in links], installation.ports, dice)
        installation.faults.calm = False
        killed: Counter[str] = Counter()
        with ThreadPoolExecutor(PEOPLE) as people:
            stories_left, end, next_kill = stories, time.monotonic() + seconds, time.monotonic() + kills
            waiting: set[object] = set()
            while stories_left > 0 or time.monotonic() < end:
                waiting = {future for future in waiting if not future.done()}  # type: ignore[attr-defined]
                if len(waiting) < PEOPLE:
                    waiting.add(people.submit(crowd.act, dice.randrange(2**31)))
                    stories_left -= 1
                else:
                    time.sleep(0.02)
                if time.monotonic() > next_kill:
                    killed[installation.kill_something()] += 1
                    next_kill = time.monotonic() + kills * dice.uniform(0.5, 1.5)
        for future in waiting:
            future.result()  # type: ignore[attr-defined]  # what a story could not bear is a failure of the history
        installation.faults.calm = True
        wait_until_settled(installation, 120)
        return Outcome(crowd.counts, killed, reach_verdict(installation, crowd, links), time.monotonic() - begun)
    finally:
        installation.stop()
