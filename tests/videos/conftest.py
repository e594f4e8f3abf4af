"""The owner of the seeded account, whose library the worker has read."""

import pytest
from django.test import Client

from dashboard.videos import tasks


@pytest.fixture
def whole(owner: Client) -> Client:
    """The owner, whose library the worker has read."""
    owner.get("/dashboard/videos/")
    while tasks.read_library.call():
        pass
    return owner
