"""PostgreSQL and Redis on this machine's loopback, for as long as the walk takes, run by somebody who is not root."""

import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
        return number


def wait_for_port(port: int, seconds: float = 60) -> None:
    """Return when somebody listens."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nobody listens at {port}")


@contextmanager
def running(folder: Path) -> Iterator[dict[str, str]]:
    """Both servers on an empty folder; gives the variables that lead to them."""
    folder.mkdir()
    person = ["runuser", "-u", "postgres", "--"] if getpass.getuser() == "root" else []
    if person:
        for path in (folder, *folder.parents[:1]):
            path.chmod(0o755)
        shutil.chown(folder, "postgres")
    data, database, redis = str(folder / "postgres"), free_port(), free_port()
    subprocess.run(
        [*person, _program("initdb"), "-D", data, "-A", "trust", "-U", "reelroom"],
        check=True, stdout=subprocess.DEVNULL, cwd=folder,
    )  # fmt: skip
    sockets = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    servers = [
        [*person, _program("postgres"), "-D", data, "-p", str(database), *sockets],
        [*person, _program("redis-server"), "--port", str(redis), "--bind", "127.0.0.1", "--save", ""],
    ]
    started = [
        subprocess.Popen(server, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for server in servers
    ]
    try:
        wait_for_port(database)
        wait_for_port(redis)
        yield {
            "DATABASE_URL": f"postgres://reelroom@127.0.0.1:{database}/postgres",
            "CACHE_URL": f"redis://127.0.0.1:{redis}/0",
        }
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(30)


def missing() -> str:
    """The programs that `running` needs and this machine lacks, in words; "" where it has them."""
    return ", ".join(name for name in ("initdb", "postgres", "redis-server") if _find(name) is None)


def _program(name: str) -> str:
    """A program's path. Raises `FileNotFoundError`."""
    found = _find(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed")
    return found


def _find(name: str) -> str | None:
    """A program's path, if it is installed; Debian keeps those of PostgreSQL outside PATH."""
    places = [shutil.which(name), *sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), reverse=True)]
    return next((place for place in places if place), None)
