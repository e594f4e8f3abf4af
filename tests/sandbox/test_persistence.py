"""Killed at any moment, the embedded platform loses nothing that it acknowledged and leaves nothing half written."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from tests import migrated_files

ROOT = Path(__file__).resolve().parents[2]


def acknowledged_before_a_kill(database: Path, wait: float) -> list[str]:
    """Start the writer, let it write for a while, kill it without warning; return the lines it got out."""
    command = [sys.executable, "-m", "tests.sandbox.writer", str(database)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(wait)
        writer.send_signal(signal.SIGKILL)
        rest = writer.stdout.read()
    assert first, "the writer wrote nothing"
    return [line for line in (first + rest).splitlines() if len(line.split()) == 2 and len(line.split()[1]) == 32]


def test_a_killed_process_loses_nothing_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    database = tmp_path / "sandbox.sqlite3"
    migrated_files.copy_to({"sandbox": database})
    dice = random.Random(7)
    promised: set[str] = set()
    for _ in range(3):
        promised |= set(acknowledged_before_a_kill(database, dice.uniform(0.1, 0.4)))
        found = sqlite3.connect(database)
        assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        jobs = {f"job {key}" for (key,) in found.execute("SELECT id FROM sandbox_job")}
        places = {f"place {key}" for (key,) in found.execute("SELECT video_id FROM sandbox_funnelvideo")}
        assert promised <= jobs | places
        batches = [n for (n,) in found.execute("SELECT count(*) FROM sandbox_job GROUP BY video_id")]
        assert set(batches) == {3}, "a batch is there as a whole or not at all"
        firsts = found.execute("SELECT count(*) FROM sandbox_funnelvideo WHERE is_first").fetchone()
        assert firsts == (1,) if places else (0,)
        moved = "SELECT count(*) FROM sandbox_video v JOIN sandbox_funnelvideo p ON p.video_id = v.id WHERE folder_id IS NULL"
        assert found.execute(moved).fetchone() == (0,), "every placed video moved into the funnel's folder"
        found.close()
    assert len(promised) > 12
