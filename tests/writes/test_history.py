"""A short history with real processes: lost answers, double presses, killed workers and web processes."""

import random
from pathlib import Path

import pytest

from tests.histories.history import run


@pytest.mark.loopback
def test_history_of_posts_under_faults_and_kills_loses_and_doubles_nothing(tmp_path: Path) -> None:
    outcome = run(tmp_path, random.Random(9), stories=24, kills=3)
    assert outcome.verdict.holds, outcome.table()
    assert outcome.counts.accepted > 10, "what people posted was taken"
