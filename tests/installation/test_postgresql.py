"""A kept connection to PostgreSQL is replaced when it is gone, and nobody notices."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import OperationalError
from django.db.backends.postgresql.base import DatabaseWrapper

from dashboard import settings
from tests.installation import servers

pytestmark = [
    pytest.mark.django_db,  # pytest-django refuses every connection without it
    pytest.mark.skipif(bool(servers.missing()), reason=f"not installed here: {servers.missing()}"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    # Not pytest's own folders, which nobody else may enter: PostgreSQL does not run as root.
    with tempfile.TemporaryDirectory() as folder, servers.running(Path(folder) / "servers") as variables:
        yield variables["DATABASE_URL"]


@pytest.fixture
def connect(address: str) -> Iterator[Callable[[], DatabaseWrapper]]:
    """Opens a connection, which is closed at the end of the test."""
    opened: list[DatabaseWrapper] = []

    def connect() -> DatabaseWrapper:
        found = settings._database(address)
        wrapper = DatabaseWrapper({"TIME_ZONE": None, "ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, **found}, "kept")
        wrapper.ensure_connection()
        opened.append(wrapper)
        return wrapper

    yield connect
    for wrapper in opened:
        wrapper.close()


def _begin_request(connection: DatabaseWrapper) -> None:
    """What Django does with every connection before a request."""
    connection.close_if_unusable_or_obsolete()


def _session(connection: DatabaseWrapper) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_a_connection_that_the_server_has_ended_is_replaced_and_nobody_notices(
    connect: Callable[[], DatabaseWrapper],
) -> None:
    connection, other = connect(), connect()
    first = _session(connection)
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    _begin_request(connection)
    assert _session(connection) != first


def test_a_connection_that_ends_within_a_request_is_an_error_there_and_not_after_it(
    connect: Callable[[], DatabaseWrapper],
) -> None:
    connection, other = connect(), connect()
    first = _session(connection)
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    with pytest.raises(OperationalError):
        _session(connection)
    _begin_request(connection)
    assert _session(connection) != first
