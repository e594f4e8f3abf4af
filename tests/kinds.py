"""Which tests README's command runs, and which it leaves to `.ci/run`.

A run without options takes what is light, and one smoke journey of each group of features. `pytest --all` takes everything,
`-m journey` one kind, and a test, a file, or a folder of one kind that is named runs whole. The folder of a feature that is
named takes ten seconds: of a feature whose light tests take longer, the dearest are left out, too. What is slow and what is
dear is measured: `pytest --all --measure` writes `tests/slow.txt` and `tests/dear.txt`.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SLOW = ROOT / "tests" / "slow.txt"
DEAR = ROOT / "tests" / "dear.txt"
MINUTES = 2
"""The limit of what is left to `.ci/run`; light tests have that of pyproject.toml."""
MOST_SECONDS = 0.5
"""On an idle machine of two cores; of a parametrized test, the mean."""
FEATURE_SECONDS = 6.0
"""What the tests of one feature may take together; with the start of pytest and the seed that is ten seconds."""
PLACES = {
    "journey": ("tests/journeys",),
    "walk": (
        "tests/house/test_addresses.py",
        "tests/house/test_contributing.py",
        "tests/house/test_deletion.py",
    ),
    "process": ("tests/fuzz", "tests/installation", "tests/mutation", "tests/presses"),
}
"""What is left to `.ci/run` whatever it takes: browsers, walks through all addresses, processes and copies of the project."""
KINDS = (*PLACES, "slow")


def pytest_addoption(parser: pytest.Parser) -> None:
    """--all and --measure."""
    group = parser.getgroup("kinds of tests")
    group.addoption("--all", action="store_true", help="run what README's command leaves to .ci/run, too")
    group.addoption("--measure", action="store_true", help="write tests/slow.txt from what the tests of this run take")


def find_kind(item: pytest.Item) -> str:
    """Why README's command leaves a test out, or "" for a light one."""
    if item.get_closest_marker("smoke"):
        return ""
    marked = next((kind for kind in PLACES if item.get_closest_marker(kind)), "")
    return marked or place_of(item.path) or ("slow" if name_of(item.nodeid) in list_slow() else "")


def place_of(path: Path) -> str:
    """The kind of everything in a file or folder, or ""."""
    ours = (path, *path.parents)
    return next((kind for kind, places in PLACES.items() if any(ROOT / place in ours for place in places)), "")


def feature_of(path: Path) -> str:
    """The folder of `tests` that a file is in."""
    return path.relative_to(ROOT / "tests").parts[0]


def asks_for(path: Path, item: pytest.Item) -> bool:
    """Whether a path of the command line is a test's file, or a folder of one kind that holds it."""
    return path == item.path or bool(place_of(path) and path in item.path.parents)


def file_of(name: str) -> Path:
    """The file of a test."""
    return ROOT / name.partition("::")[0]


def name_of(node: str) -> str:
    """A test without its parameters."""
    return node.partition("[")[0]


@cache
def list_slow() -> frozenset[str]:
    """The tests that took longer than MOST_SECONDS when they were measured."""
    return frozenset(SLOW.read_text().split())


@cache
def list_dear() -> frozenset[str]:
    """The light tests that no longer fitted into FEATURE_SECONDS when they were measured, the cheapest first."""
    return frozenset(DEAR.read_text().split())


def find_dear(seconds: Mapping[str, Mapping[str, float]]) -> set[str]:
    """Of light tests, by name and by node what they took: those beyond FEATURE_SECONDS of their feature."""
    spent, dear = defaultdict[str, float](float), set[str]()
    for name in sorted(seconds, key=lambda name: sum(seconds[name].values()) / len(seconds[name])):
        feature = feature_of(file_of(name))
        spent[feature] += sum(seconds[name].values())
        if spent[feature] > FEATURE_SECONDS:
            dear.add(name)
    return dear


class Selection:
    """A plugin that chooses a run's tests, says what it left out, and measures."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.left: dict[str, int] = {}
        self.files: set[str] = set()
        self.seconds: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Mark what is heavy by its kind, and leave it out unless everything, its kind, or itself was asked for."""
        kinds = {item: find_kind(item) for item in items}
        for item, kind in kinds.items():
            if kind:
                item.add_marker(kind)
                item.add_marker(pytest.mark.timeout(60 * MINUTES))
        if self.config.option.all or self.config.option.markexpr:
            return
        asked = [(self.config.invocation_params.dir / one.partition("::")[0]).resolve() for one in self.config.args]
        features = [path for path in asked if path.is_dir() and path.parent == ROOT / "tests"]
        for item in items:
            if not kinds[item] and name_of(item.nodeid) in list_dear() and set(features) & set(item.path.parents):
                kinds[item] = "dear"
        left = {item for item, kind in kinds.items() if kind and not any(asks_for(path, item) for path in asked)}
        items[:] = [item for item in items if item not in left]
        self.config.hook.pytest_deselected(items=list(left))
        self.left = dict(Counter(kinds[item] for item in left))
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["left"] = self.left

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A process of the run has ended: each left out the same."""
        self.left = getattr(node, "workeroutput", {}).get("left", {})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The first test of a file also prepares what the others find there: that is not counted as its own."""
        file, _, _ = report.nodeid.partition("::")
        if report.when != "setup" or file in self.files:
            self.seconds[name_of(report.nodeid)][report.nodeid] += report.duration
        self.files.add(file)

    def pytest_sessionfinish(self) -> None:
        """Write down what is slow; tests that this run did not have keep their place."""
        if not self.config.option.measure or hasattr(self.config, "workeroutput"):
            return
        slow = {name for name, of in self.seconds.items() if sum(of.values()) / len(of) > MOST_SECONDS}
        light = {name: of for name, of in self.seconds.items() if name not in slow and not place_of(file_of(name))}
        for file, found, before in ((SLOW, slow, list_slow()), (DEAR, find_dear(light), list_dear())):
            kept = {name for name in before - self.seconds.keys() if file_of(name).exists()}
            file.write_text("".join(f"{name}\n" for name in sorted(found | kept) if not place_of(file_of(name))))

    def pytest_unconfigure(self) -> None:
        """The last line of a run that left something out."""
        if self.left and not hasattr(self.config, "workeroutput"):
            command = " ".join(
                ["pytest", *(one for one in self.config.args if one not in self.config.getini("testpaths"))]
            )
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.left.items()))
            self.config.get_terminal_writer().line(f"Left to .ci/run, by kind: {kinds}. With them: {command} --all")
