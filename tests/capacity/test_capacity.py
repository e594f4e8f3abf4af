"""docs/scale.md says what the simulation says, and the simulation says the same twice."""

import re
from dataclasses import replace
from pathlib import Path

from tests.capacity import costs, model
from tests.capacity.report import report

PAGE = Path(__file__).resolve().parents[2] / "docs/scale.md"
PRINTED = re.compile(r"<!-- python -m tests\.capacity -->\n(.*?)<!-- end -->", re.DOTALL)


def test_the_page_on_scale_has_what_the_simulation_prints() -> None:
    printed = PRINTED.search(PAGE.read_text())
    assert printed and printed[1] == report()


def test_a_day_is_the_same_from_the_same_seed_and_another_from_another() -> None:
    assert model.day(1)[15] == model.day(1)[15] != model.day(2)[15]


def test_what_costs_twice_needs_twice_and_is_full_at_half() -> None:
    hours, once = model.day(), costs.load()
    twice = replace(once.watcher_second, database=once.watcher_second.database * 2)
    cheap = replace(once, room=model_free(once.room), page=model_free(once.page), write=model_free(once.write))
    before = next(part for part in model.parts(cheap, hours) if part.name == "database")
    after = next(part for part in model.parts(replace(cheap, watcher_second=twice), hours) if part.name == "database")
    assert abs(after.needs / before.needs - 2) < 0.001 and abs(after.full_at / before.full_at - 0.5) < 0.1


def model_free(cost: costs.Cost) -> costs.Cost:
    """The same for nothing."""
    return costs.Cost(cost.name, 0.0, 0.0, 0.0)


def test_every_part_that_is_full_before_the_busiest_hour_has_its_split_on_the_page_in_that_order() -> None:
    found = [part.name for part in model.parts(costs.load(), model.day()) if part.full_at < model.WATCHERS]
    named = {"the platform's call budget": "platform's call budget", "web": "Web", "worker": "Workers",
             "cache": "Redis", "database": "PostgreSQL"}  # fmt: skip
    places = [PAGE.read_text().index(f"**{'The ' if name.startswith('the') else ''}{named[name]}") for name in found]
    assert places == sorted(places)
