"""A page that draws the numbers of analytics in the browser, with the package chart.js of the registry, to compare with."""

import csv
import gzip
import io
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

PACKAGE = "chart.js@4"
DRAWN = "window.drawn"
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Analytics</title><script src="/chart.js" defer></script><script src="/page.js" defer></script></head><body>
<h1>Analytics</h1><canvas id="events"></canvas><canvas id="browsers"></canvas><canvas id="referrers"></canvas></body></html>"""
SCRIPT = """
const data = %s;
Chart.defaults.animation = false;
const line = (label, values) => ({ label, data: values, tension: 0 });
new Chart("events", { type: "line", data: { labels: data.days, datasets: [line("Now", data.now), line("Before", data.past)] } });
for (const name of ["browsers", "referrers"]) new Chart(name, { type: "bar", options: { indexAxis: "y" },
  data: { labels: data[name].map((one) => one[0]), datasets: [{ label: name, data: data[name].map((one) => one[1]) }] } });
window.drawn = true;
"""


@contextmanager
def chart_page(numbers: dict[str, Any]) -> Iterator[str | None]:
    """The address of such a page, compressed as in production; None where the package cannot be installed."""
    with TemporaryDirectory(prefix="chart-page-") as folder:
        library = _installed(Path(folder))
        if library is None:
            yield None
            return
        parts = {"/": ("text/html", PAGE), "/chart.js": ("text/javascript", library)}
        parts["/page.js"] = ("text/javascript", SCRIPT % json.dumps(numbers))
        packed = {path: (kind, gzip.compress(text.encode(), 9)) for path, (kind, text) in parts.items()}
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(packed))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            server.server_close()


def _installed(folder: Path) -> str | None:
    npm = shutil.which("npm")
    if npm is None:
        return None
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE]
    ran = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    file = folder / "node_modules" / "chart.js" / "dist" / "chart.umd.js"
    return file.read_text() if ran.returncode == 0 and file.exists() else None


def _handler(parts: dict[str, tuple[str, bytes]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            kind, body = parts.get(self.path, ("text/plain", b""))
            self.send_response(200 if self.path in parts else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if body:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Nothing: the bench prints its own."""

    return Handler


def numbers_of(address: str, cookies: list[Any]) -> dict[str, Any]:
    """What the charts of analytics show, out of their files."""
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in cookies)

    def rows(name: str) -> list[list[str]]:
        request = Request(f"{address}/dashboard/analytics/{name}.csv", headers={"Cookie": cookie})  # noqa: S310  (our own server)
        with urlopen(request) as answer:  # noqa: S310  (our own server)
            return list(csv.reader(io.StringIO(answer.read().decode("utf-8-sig"))))[1:]

    events = rows("events")
    bars = {name: [(row[0], float(row[1] or 0)) for row in rows(name)[:12]] for name in ("browsers", "referrers")}
    past = [float(row[3] or 0) for row in events]
    return {"days": [row[0] for row in events], "now": [float(row[1] or 0) for row in events], "past": past, **bars}
