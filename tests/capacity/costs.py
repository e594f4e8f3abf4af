"""What requests, watchers and stored videos cost: read from what the bench printed, and from nowhere else.

python -m tests.bench scale --json > tests/capacity/measured/scale.json
python -m tests.bench.store_size --json > tests/capacity/measured/store_size.json
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent / "measured"
ENGINE: Final = "PostgreSQL + Redis"
SERVER: Final = f"{ENGINE}, 2 processes"


@dataclass(frozen=True)
class Cost:
    """Milliseconds of CPU that one of something takes of the web processes, of PostgreSQL and of Redis."""

    name: str
    web: float
    database: float
    cache: float


@dataclass(frozen=True)
class Costs:
    """Everything that the model knows of the product."""

    watcher_second: Cost
    room: Cost
    page: Cost
    write: Cost
    video_bytes: float
    process_megabytes: float

    @property
    def all(self) -> tuple[Cost, ...]:
        return self.watcher_second, self.room, self.page, self.write


def load(folder: Path = HERE) -> Costs:
    """The costs that were measured last. Raises `KeyError` for a figure that the bench did not print."""
    figures = _figures(folder / "scale.json") | _figures(folder / "store_size.json")

    def cost(name: str, figure: str) -> Cost:
        found = (figures[figure + part] for part in ("", ", PostgreSQL", ", Redis"))
        return Cost(name, *(max(0.0, value) for value in found))

    return Costs(
        watcher_second=cost("watcher, for a second", f"{SERVER}, 500 watchers: one for a second"),
        room=cost("room of 14 comments, opened", f"{SERVER}: opening a room of 14 comments"),
        page=cost("dashboard page of what is known", f"{SERVER}: a dashboard page of what is known"),
        write=cost("comment, written and sent", f"{ENGINE}: a comment is written"),
        video_bytes=figures["a stored video, with its indexes"],
        process_megabytes=figures[f"{SERVER}: resident memory of a process"],
    )


def _figures(file: Path) -> dict[str, float]:
    return {row["name"]: row["value"] for row in json.loads(file.read_text())["figures"]}
