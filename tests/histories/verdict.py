"""What became of everything: what people were told, held against the platform, the product's copy, and Activity."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tests.histories.installation import Installation
from tests.histories.people import Crowd, Person

OURS = """
import json
from django.utils import timezone
from dashboard.activity.models import Entry
from dashboard.writes.models import Write
from review_portal.models import Comment
now = timezone.now()
after = lambda moment: moment and round((moment - now).total_seconds())
print("FOUND", json.dumps({
    "writes": [row | {"due_in": after(row.pop("due_at")), "ended": after(row.pop("ended_at"))} for row in Write.objects.values(
        "operation", "label", "state", "reason", "entry__outcome", "request", "attempt", "due_at", "ended_at")],
    "entries": list(Entry.objects.values_list("outcome", flat=True)),
    "copy": [[str(link), str(pk), text, status, time] for link, pk, text, status, time in
             Comment.objects.values_list("link_id", "comment_id", "text", "status", "time")],
}))
"""
WAIT = """
import time
from dashboard.writes.models import Write
deadline = time.monotonic() + {seconds}
while time.monotonic() < deadline and Write.objects.filter(settled_at=None).exists():
    time.sleep(0.5)
"""
THEIRS = """
import json
from dashboard.sandbox.models import ReviewComment
print("FOUND", json.dumps([[str(video), str(pk), text, status, time] for video, pk, text, status, time in
      ReviewComment.objects.values_list("video_id", "pk", "text", "status", "time")]))
"""


@dataclass(frozen=True)
class Verdict:
    """Each number is a count of things that must not be; `examples` name a few of them."""

    posts: int
    activity_rows: int
    lost: int
    doubled: int
    stranded: int
    wrong_status: int
    activity_open: int
    copy_differs: int
    examples: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not any(
            (self.lost, self.doubled, self.stranded, self.wrong_status, self.activity_open, self.copy_differs)
        )


def wait_until_settled(installation: Installation, seconds: float) -> None:
    """Let the workers finish what they can."""
    installation.manage("shell", "-v", "0", "-c", WAIT.format(seconds=seconds))


def reach_verdict(installation: Installation, crowd: Crowd, links: list[tuple[str, str]]) -> Verdict:
    """Read every side once everything is calm, and compare."""
    for link, _film in links:
        judge = Person(link, installation.ports, crowd.dice, "Judge")
        judge.ask("GET", f"/{link}?fresh=1", part=False)
        judge.client.close()
    ours, theirs = _read(installation, OURS), _read(installation, THEIRS, sandbox=True)
    films = {film for _link, film in links}
    there = Counter(text.removesuffix(" edited") for film, _pk, text, _status, _time in theirs if film in films)
    states = {write["label"]: write for write in ours["writes"] if write["operation"].endswith("create_comment")}
    lost, wrong = [], []
    for told in crowd.told:
        write = states.get(told.text)
        acknowledged = any(state in ("done", "held", "sending", "unconfirmed", "302") for state in told.states)
        if (write is None and acknowledged) or (write and write["state"] == "done" and not there[told.text]):
            lost.append(f"lost: {told.text} {told.states} {write and write['state']}")
        if write and write["state"] in ("refused", "cancelled") and there[told.text]:
            wrong.append(f"{write['state']} ({write['reason']}) but there: {told.text} {told.states}")
    doubled = [f"doubled: {text} ×{count}" for text, count in there.items() if text.startswith("Text") and count > 1]
    stranded = [f"stranded: {w}" for w in ours["writes"] if w["state"] in ("held", "sending", "unconfirmed")]
    unfinished = [f"Activity: {w['label']} {w['entry__outcome']}" for w in ours["writes"] if w["entry__outcome"] in
                  ("unconfirmed", "waiting")]  # fmt: skip
    film_of = dict(links)
    copy = {(film_of[link], pk, text, status, at) for link, pk, text, status, at in ours["copy"] if link in film_of}
    differs = [f"differs: {row}" for row in copy ^ {tuple(row) for row in theirs if row[0] in films}]
    everything = [lost, doubled, stranded, wrong, unfinished, differs]
    return Verdict(
        posts=len(crowd.told),
        activity_rows=len(ours["entries"]),
        lost=len(lost),
        doubled=len(doubled),
        stranded=len(stranded),
        wrong_status=len(wrong),
        activity_open=len(unfinished),
        copy_differs=len(differs),
        examples=tuple(line for lines in everything for line in lines[:5]),
    )


def _read(installation: Installation, script: str, *, sandbox: bool = False) -> Any:
    printed = installation.manage("shell", "-v", "0", "-c", script, sandbox=sandbox)
    line = next(line for line in printed.splitlines() if line.startswith("FOUND "))
    return json.loads(line.removeprefix("FOUND "))
