"""A process that writes to the embedded platform until it is killed: `python -m tests.sandbox.writer DATABASE`.

It prints one line per acknowledged write, after the acknowledgement: what was promised, and must be found again.
"""

import os
import sys
from datetime import UTC, datetime
from itertools import count

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connections


def prepare(database: str) -> None:
    """Open the database as production does."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "dashboard.settings", "DEBUG": "on", "SANDBOX": "on", "LOG_LEVEL": "error"}
    settings.DATABASES["sandbox"]["NAME"] = database
    django.setup()
    call_command("migrate", database="sandbox", verbosity=0)
    with connections["sandbox"].cursor() as cursor:
        full = 2  # a commit waits until it is on the disk
        assert cursor.execute("PRAGMA synchronous").fetchone() == (full,)


def world() -> str:
    """Make an account once; return the id of its funnel."""
    from dashboard.sandbox.models import Folder, Funnel, Organization, Token, User

    if not Funnel.objects.exists():
        organization = Organization.objects.create(name="A", pullzone="vz-00000000-000")
        user = User.objects.create(organization=organization, name="A", email="a@example.org")
        folder = Folder.objects.create(organization=organization, user=user, name="F")
        Funnel.objects.create(organization=organization, name="F", folder=folder)
        Token.objects.create(value="owner", user=user)
    return str(Funnel.objects.get().pk)


def main(database: str) -> None:
    """Write batches of three: every one of them is a single acknowledged call."""
    prepare(database)
    import httpx

    from dashboard.sandbox.models import Organization, Subtitle, User, Video
    from dashboard.sandbox.transport import SandboxTransport

    funnel = world()
    api = httpx.Client(transport=SandboxTransport(), base_url="http://x/sandbox", headers={"authorization": "owner"})
    organization, user = Organization.objects.get(), User.objects.get()
    for number in count():
        made = [
            Video.objects.create(
                organization=organization, user=user, title=f"{number} {n}", length=9, created_at=_now()
            )
            for n in range(3)
        ]
        Subtitle.objects.create(video=made[0], lang="en", label="en", vtt="WEBVTT\n")
        job = {"type": "TRANSLATION", "video_id": str(made[0].id), "from_lang": "en", "tier": "pro"}
        jobs = api.post("/api/aiworkflow", json=[{**job, "to_lang": lang} for lang in ("de", "fr", "ja")])
        assert jobs.status_code == 200
        for one in jobs.json():
            print("job", one["id"].replace("-", ""), flush=True)  # noqa: T201
        places = [
            {"id": str(one.id), "front_coordinates": {"x": n, "y": n}, "is_first": n == 1} for n, one in enumerate(made)
        ]
        assert api.post("/api/funnels/add_videos", json={"id": funnel, "videos": places}).status_code == 200
        for one in made:
            print("place", one.id.hex, flush=True)  # noqa: T201


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    main(sys.argv[1])
