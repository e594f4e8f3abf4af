"""Rounds of requests: each begins with the same world, so that a failure can be repeated by its seed and round."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from dashboard.sandbox import faults
from dashboard.upstream import clients
from tests.forgetting import forget
from tests.fuzz.asking import Asked, Asker, send
from tests.fuzz.judging import problems_of
from tests.fuzz.world import SPOILT, World, calm, make, watched

ROUND: Final = 1_000
"""Requests after which the world is made anew: by then a good part of it is deleted, renamed or signed out."""


@dataclass
class Failure:
    """What was wrong with one answer, and how to see it again."""

    seed: int
    round: int
    number: int
    name: str
    asked: Asked
    problems: list[str]

    def __str__(self) -> str:
        again = f"python -m tests.fuzz --seed {self.seed} --round {self.round}"
        what = "\n    ".join(self.problems)
        return f"{self.name} ({again}, request {self.number})\n    {self.asked}\n    {what}\n"


@dataclass
class Outcome:
    """What was asked and answered so far."""

    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    slowest: float = 0.0
    failures: list[Failure] = field(default_factory=list)


def ask(world: World, asked: Asked, random: Random, name: str, asker: Asker, outcome: Outcome) -> list[str]:
    """Make one request under its fault, and judge the answer."""
    world.raised.clear()
    if asked.fault:
        outcome.faults += 1
        world.spoiling = Random(random.random()) if asked.fault is SPOILT else None
        if asked.fault is not SPOILT:
            faults.set("*", **asked.fault)
    begun = time.process_time()
    try:
        answer = send(world.people[asked.person], asked, random)
        found = problems_of(world, asked, answer, seconds := time.process_time() - begun)
    finally:
        world.spoiling = None
        if asked.fault:
            faults.clear()
            forget()
            clients.circuits().close()
    if name not in asker.offers:
        asker.learn(name, answer)
    if answer.headers.get("Location", "").startswith("/sign-in/"):
        world.sign_in_again(asked.person)
    outcome.requests += 1
    outcome.statuses[answer.status_code] += 1
    outcome.names[name] += 1
    outcome.people[asked.person] += 1
    outcome.slowest = max(outcome.slowest, seconds)
    return found


def run_round(
    cast: dict[str, Any], outcome: Outcome, seed: int, number: int, requests: int, tell: Callable[[str], None]
) -> None:
    """One round, in databases in which nobody was yet."""
    random = Random(f"{seed}:{number}")
    with calm():
        world = make(cast)
        asker = Asker(world, random)
        with watched(world):
            for place in range(requests):
                name, asked = asker.draw()
                try:
                    problems = ask(world, asked, random, name, asker, outcome)
                except Exception as error:  # of the client: the run goes on, and the list names it
                    problems = [f"raised {type(error).__name__}: {error}", *world.raised]
                if problems:
                    failure = Failure(seed, number, place, name, asked, problems)
                    outcome.failures.append(failure)
                    tell(str(failure))
