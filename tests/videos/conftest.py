"""The owner of the seeded account, whose library the worker has read."""

import pytest
from django.test import Client

from dashboard.videos import tasks
from tests.kept_rows import KeptRows


@pytest.fixture
def whole(owner: Client, kept_rows: KeptRows) -> Client:
    """The owner, whose library the worker has read."""

    def read() -> None:
        owner.get("/dashboard/videos/")
        while tasks.read_library.call():
            pass

    kept_rows.take(read, owner)
    return owner
