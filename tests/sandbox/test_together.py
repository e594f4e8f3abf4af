"""Many at once: limits hold, and nobody is told twice that they were the one."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from dashboard.sandbox import faults
from dashboard.sandbox.clock import Wall, set_clock
from dashboard.sandbox.models import Job, ReviewComment
from tests.sandbox.world import REVIEWER, Api, World

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "sandbox"])


@pytest.fixture
def world(transactional_db: None) -> World:
    """A world that other threads see, because it is really committed."""
    set_clock(Wall())
    return World().fill()


def at_once(times: int, call: Callable[[Api], int]) -> list[int]:
    """Carry the call out many times in eight threads; return the statuses."""

    def one(_: int) -> int:
        try:
            return call(Api())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        return list(threads.map(one, range(times)))


def test_thirty_main_comments_are_thirty_when_everybody_posts_together(world: World) -> None:
    for _ in range(20):
        world.comment()
    link = world.link(expires_at=Wall().now().replace(year=2100))
    body = {"text": "Me too", "user_name": "Ana", "time": 1}
    path = f"/api/public-video-review/{link.id}/comments?token={REVIEWER}"
    statuses = at_once(24, lambda api: int(api("POST", path, body, token=None)[0]))
    assert sorted(statuses) == [200] * 10 + [400] * 14
    assert ReviewComment.objects.count() == 30


def test_one_transcription_is_accepted_when_many_ask_together(world: World) -> None:
    body = {"type": "TRANSCRIPTION", "video_id": str(world.video.id), "from_lang": "en", "tier": "pro"}
    statuses = at_once(16, lambda api: int(api("POST", "/api/aiworkflow", body)[0]))
    assert sorted(statuses) == [200] + [400] * 15
    assert Job.objects.count() == 1


def test_a_job_that_ended_writes_its_subtitle_once_when_many_look_together(world: World) -> None:
    body = {"type": "TRANSCRIPTION", "video_id": str(world.video.id), "from_lang": "en", "tier": "pro"}
    Api()("POST", "/api/aiworkflow", body)
    Job.objects.update(ends_at=Wall().now())
    path = f"/api/subtitles/{world.video.id}"
    seen = at_once(16, lambda api: len(api("GET", path)[1]["subtitles"]))
    assert seen == [1] * 16


def test_a_fault_that_hits_three_times_hits_three_times(world: World) -> None:
    faults.set("folders.list", status=503, times=3)
    statuses = at_once(20, lambda api: int(api("GET", "/api/folders")[0]))
    assert sorted(statuses) == [200] * 17 + [503] * 3
