"""Values that no form of ours sends, for fields, addresses, headers and answers of the platform."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from django.core.files.uploadedfile import SimpleUploadedFile

PLAIN: Final = (
    "", " ", "\t\r\n", "0", "-1", "1", "2", "100000", "99999999999999999999", "-99999999999999999999", "1e400", "-1e400",
    "NaN", "Infinity", "0.1", "1,5", "1.5.5", "0x10", "²", "٣", "１２", "½", "²:²", "true", "null", "[]", "{}", "[1]",
    '{"a":1}',
    "\0", "a\0b", "\ud800", "a\udc00b", "\ufeff", "\u202e", "é" * 300, "é", "😀" * 99, "<script>alert(1)</script>",
    "'\"><img src=x>", "{{ 1 }}", "%s%n%d", "%(a)s", "../../etc/passwd", "//evil.example", "https://evil.example/",
    "/\\evil",
    "javascript:alert(1)", "dashboard", "/dashboard/", "/dashboard/%00", "?", "#", "http://[", "https://[::1",
    "http://a:99999/",
    "2026-02-30", "0000-00-00", "9999-12-31", "0001-01-01", "99999-01-01", "2026-13-01", "2026-01-01T25:00",
    "9999-12-31T23:59",
    "0001-01-01T00:00", "2026-03-29T02:30", "2026-01-01T00:00:00+99:99", "2026-01-01/2025-01-01", "Mars/Olympus", "UTC",
    "../UTC",
    "America/Sao_Paulo", "pt-BR", "pt-br", "xx", "en/us", "auto", "legacy", "00000000-0000-0000-0000-000000000000",
    "636f6d70-0000-4000-8000-000000000001", "{636f6d70-0000-4000-8000-000000000001}", "636F6D7000004000800000000000000A",
    "on", "off", "asc", "-name", "name;DROP TABLE x", "' OR 1=1 --", "mine", "theirs", "keep", "delete:²", "up:0", "add",
    "9" * 5000, "1" * 400, "a" * 70_000, "[" * 5000, "- " * 3000, "<b>" * 3000, "a\n" * 9000, "00:00:00:00", "99:99:99",
    "1:-1", "-0:01",
)  # fmt: skip
BODIES: Final = (
    b"", b"{", b"[]", b"null", b'"x"', b"[[[[", b'{"a":' * 3000, b"\xff\xfe\x00", b"a=%ff%fe&b=%00", b"a=1&a=2&a[]=3",
    b"%", b"&&&=",
    b"=" * 3000, b"&".join(b"a%d=1" % number for number in range(12_000)), b"--x\r\n\r\n--x--", b'\x80{"x":1}',
    b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n',
    b"--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--\r\n",
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a\x00.csv"\r\nContent-Type: x/\xff\r\n\r\n\xff\r\n--x--\r\n',
    b'--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--x--\r\n',
)  # fmt: skip
TYPES: Final = (
    "application/json", "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x",
    "text/plain",
    "multipart/form-data; boundary=" + "x" * 300, "application/x-www-form-urlencoded; charset=utf-16",
    "application/json; charset=nope",
    "application/x-www-form-urlencoded; charset=nope", "multipart/form-data; boundary=\u00e9", "", "/",
    "text/html; charset=utf-7",
    "multipart/form-data; boundary=x; charset=nope",
)  # fmt: skip
METHODS: Final = ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "GET", "POST", "get", "")
HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "Accept-Language": ("xx", "pt-BR", "es;q=abc", "*;q=0", "a" * 9000, "en-" * 300, "\u00ff", ",,,,", "pt-br;q=1e9", "en\0"),
    "HX-Request": ("true", "false", "\u00ff"),
    "HX-Target": ("a" * 3000, "<script>", "%ff", "main"),
    "HX-Current-URL": ("https://evil.example/", "http://[", "\u00ff", "/dashboard/?a=%ff", "javascript:alert(1)", ""),
    "HX-Current-URL-URI-AutoEncoded": ("true",),
    "HX-Trigger": ("%ff%00", "a"),
    "HX-Boosted": ("true",),
    "HX-History-Restore-Request": ("true",),
    "Range": ("bytes=0-", "bytes=-1", "bytes=9-1", "bytes=0-0,2-3", "bytes=" + "9" * 400 + "-", "lines=1", "bytes=²-"),
    "If-None-Match": ("*", '"a"', "W/", "\u00ff"),
    "If-Modified-Since": ("yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Mon, 99 Foo 99999 99:99:99 GMT"),
    "Accept": ("application/json", "image/*", "text/html;q=x", "a" * 5000, ""),
    "Accept-Encoding": ("br", "gzip;q=0", "identity;q=x", "*"),
    "Referer": ("http://[", "https://evil.example/", "\u00ff", "/dashboard/"),
    "Origin": ("null", "https://evil.example", "http://["),
    "User-Agent": ("", "a" * 9000, "\u00ff\0"),
    "X-Forwarded-For": ("1.2.3.4", "::1", "256.1.1.1", "a, b, c", "1.2.3.4" * 500, "[::1]:80", "fe80::1%eth0"),
    "X-Forwarded-Proto": ("https", "gopher"),
    "X-Requested-With": ("XMLHttpRequest",),
    "Reelroom-Part": ("1", "²", "a" * 3000),
    "Host": ("localhost", "127.0.0.1:8000", "evil.example", "a b", "[::1", "testserver:²", "\u00ff"),
    "Authorization": ("Bearer x", "Basic %%%", "\u00ff"),
    "Cookie": (
        "sessionid=garbage", "zone=../../etc/passwd", "zone=\u00ff", "language=xx; theme=<b>", "=;;=", "a" * 9000,
        "sessionid=\0", "zone=%00",
        "csrftoken=" + "a" * 500, "messages=x", "reviewer=abc:def:ghi", "theme=²; language=pt-br; zone=Asia/Tokyo",
        "language=en/us", '"',
    ),
}  # fmt: skip
FILES: Final = (
    b"", b"video_id,key,value\n", b"\xff\xfev\0i\0", b"id,question,answer 1,correct 1\n1,q,a,\xc2\xb2\n",
    b"<opml><body>", b'{"questions":[1e400]}',
    b"---\ncover: [\n---\n", b"video_id,key,value\n\xc2\xb2,a,b\n" * 9, b'"' * 3000, b"{" * 3000,
    b'<!DOCTYPE a [<!ENTITY b "c">]><opml/>',
    b"id,question,answer 1\n1,2,3,4,5,6\n", b'{"abstract":1,"questions":{},"mindmap":[[]],"questions_config":7}',
    b"\xef\xbb\xbf",
    b'{"questions":[null,1,{"options":[null,{"text":{}}]}],"abstract_html":["<p>"],"abstract_cover":"x"}',
    b"<opml><outline text='\xc2\xb2'/></opml>",
)  # fmt: skip
PATHS: Final = (
    "%00", "%ff", "%ed%a0%80", "%C2%B2", "..", "%2e%2e", "%2F", "a" * 3000, "-1", "99999999999999999999",
    "%0d%0aX-A:%20b",
    "00000000-0000-0000-0000-000000000000", "legacy", "xx", "%20", "%F0%9F%98%80", ";", "%5c", "1", "%D9%A3", "json",
    "opml", "png", "%", "%zz",
)  # fmt: skip


def draw(random: Random, known: list[str]) -> str:
    """One value: hostile, of somebody else, or several of these together."""
    kind = random.random()
    if kind < 0.2 and known:
        return random.choice(known)
    if kind < 0.25:
        return random.choice(PLAIN)[:2000] + random.choice(PLAIN)[:2000]
    return random.choice(PLAIN)


def draw_file(random: Random) -> SimpleUploadedFile:
    """A file as an attacker gives it."""
    name = random.choice(("a.csv", "a.json", "a.opml", "a.md", "a", "é.csv", "a\0.csv", "a" * 300 + ".csv"))
    return SimpleUploadedFile(name, random.choice(FILES), random.choice(("text/csv", "application/json", "", "x")))


def _wrong(random: Random, value: Any, depth: int = 0) -> Any:
    """Some of a platform's JSON as values of other kinds."""
    others: tuple[Any, ...] = (
        None, True, 0, -1, 1e300, 10**30, "", "²", "x" * 3000, [], {}, [[]], [None], {"": None}, "https://[", "\0", "\ud800",
    )  # fmt: skip
    if random.random() < 0.12 and depth:
        return random.choice(others)
    if isinstance(value, dict):
        return {key: _wrong(random, inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_wrong(random, inner, depth + 1) for inner in value[:50]]
    return value


def spoil(random: Random, body: bytes) -> bytes:
    """An answer of the platform that is none."""
    makers: tuple[Callable[[], bytes], ...] = (
        lambda: body[: len(body) // 2],
        lambda: random.choice(
            (b"", b"null", b"[]", b"{}", b"0", b'"x"', b"<html>", b"\xff\xfe", b"[" * 9999, b"NaN", b"1" * 5000)
        ),
        lambda: json.dumps(_wrong(random, json.loads(body))).encode(),
        lambda: json.dumps(_wrong(random, json.loads(body))).encode(),
        lambda: json.dumps([json.loads(body)]).encode(),
    )
    try:
        return random.choice(makers)()
    except ValueError:
        return b"{"
