"""Requests at random over all addresses: from what their pages offer, with hostile values, methods, bodies and headers."""

from copy import copy
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from urllib.parse import quote, urlencode

from django.http import HttpResponseBase
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.fuzz.pages import Fields, Offer, read_offers
from tests.fuzz.values import BODIES, HEADERS, METHODS, PATHS, TYPES, draw, draw_file
from tests.fuzz.world import FAULTS, PEOPLE, SPOILT, World
from tests.house.addresses import ALL, GUARDED, body, stand_in_address
from tests.house.things import address

DEMO: Final = "/sign-in/demo/"
"""Makes anybody the owner of the demo, who is the owner here: nobody else stays signed in by it."""


@dataclass(frozen=True)
class Asked:
    """One request, and the fault that is on while it is made."""

    person: str
    method: str
    path: str
    query: str = ""
    content: bytes = b""
    content_type: str = ""
    fields: Fields = field(default_factory=list)
    file: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    fault: dict[str, Any] = field(default_factory=dict)
    operation: str = "*"

    def __str__(self) -> str:
        said = f"{self.person}: {self.method} {self.path[:200]}{'?' if self.query else ''}{self.query[:400]}"
        about = {
            "fields": [(name, value[:80]) for name, value in self.fields],
            "file": self.file,
            "body": self.content[:200],
            "type": self.content_type,
            "headers": {name: value[:80] for name, value in self.headers.items()},
            "fault": self.fault,
        }
        return said + "".join(f"\n      {name}: {value!r}" for name, value in about.items() if value)


def _encoded(fields: Fields) -> str:
    """As a browser would, and with what it never would: lone surrogates, which are no text."""
    return urlencode(fields, errors="surrogatepass")


class Asker:
    """Draws requests from one seed. What a page offers is learnt once, by its owner's first visit."""

    def __init__(self, world: World, random: Random) -> None:
        self.world, self.random = world, random
        self.offers: dict[str, list[Offer]] = {}
        self.paths = {name: self._path(name) for name in ALL}
        self.names = sorted(self.paths)
        self.parameters = ["page", "next", "video", "lang", "q", "from", "to", "find", "t", "v"]

    def _path(self, name: str) -> str:
        """The address with the owner's things in it; those of patterns that cannot be turned round are written here."""
        written = {"sandbox:platform": "/sandbox/api/videos"}
        if name in written:
            return written[name]
        things = {**self.world.things, "review_portal:key": self.world.things["review_links:settle:key"]}
        known = name in GUARDED or name.startswith("review_portal:")
        return address(name, things) if known else stand_in_address(name)

    def learn(self, name: str, answer: HttpResponseBase) -> None:
        """Read what a page offers."""
        html = "text/html" in answer.headers.get("Content-Type", "") and answer.status_code in {200, 422}
        found = read_offers(body(answer), self.paths[name]) if html else []
        self.offers[name] = found
        self.parameters = sorted({*self.parameters, *(field for offer in found for field, _value in offer.fields)})

    def draw(self) -> tuple[str, Asked]:
        """The next request, with the name of its address; a first visit where its page is not known yet."""
        random = self.random
        name = random.choice(self.names)
        if name not in self.offers:
            return name, Asked("reviewer" if name.startswith("review_portal") else "owner", "GET", self.paths[name])
        person = random.choices(PEOPLE, (5, 2, 1, 2))[0]
        kind = random.random()
        makers = ((0.5, self._offered), (0.75, self._queried), (0.83, self._elsewhere), (0.9, self._method))
        maker = next((make for most, make in makers if kind < most), self._body)
        about = maker(name)
        about.setdefault("method", "GET")
        about.setdefault("path", self.paths[name])
        headers = self._headers() if random.random() < 0.3 else {}
        fault: dict[str, Any] = {}
        if random.random() < 0.25:
            fault = SPOILT if random.random() < 0.4 else random.choice(FAULTS)
        return name, Asked(person, headers=headers, fault=fault, **about)

    def _value(self) -> str:
        return draw(self.random, self.world.known)

    def _headers(self) -> dict[str, str]:
        names = self.random.sample(sorted(HEADERS), self.random.choice((1, 1, 2, 4)))
        return {name: self.random.choice(HEADERS[name]) for name in names}

    def _spoilt(self, fields: Fields) -> Fields:
        """One to three fields with other values, sometimes left out or said twice, and one that is of no form here."""
        changed = list(fields)
        for _ in range(self.random.choice((1, 1, 2, 3))):
            if changed:
                place = self.random.randrange(len(changed))
                name = changed[place][0]
                what = self.random.random()
                if what < 0.1:
                    del changed[place]
                elif what < 0.2:
                    changed.append((name, self._value()))
                else:
                    changed[place] = (name, self._value())
        if self.random.random() < 0.15:
            changed.append((self.random.choice(self.parameters), self._value()))
        return changed

    def _offered(self, name: str) -> dict[str, Any]:
        if not self.offers[name]:
            return self._queried(name)
        offer = self.random.choice(self.offers[name])
        fields = self._spoilt(list(offer.fields)) if self.random.random() < 0.9 else list(offer.fields)
        if offer.method == "GET":
            return {"path": offer.path, "query": _encoded(fields)}
        return {"method": "POST", "path": offer.path, "fields": fields, "file": offer.file}

    def _queried(self, name: str) -> dict[str, Any]:
        count = self.random.choice((1, 1, 2, 3))
        fields = [(self.random.choice(self.parameters), self._value()) for _ in range(count)]
        broken = self.random.choice(("%", "%ff=%fe", "&&", "a" * 9000, "=", "%00"))
        query = _encoded(fields) if self.random.random() < 0.9 else broken
        if self.random.random() < 0.4:
            return {"method": "POST", "fields": fields, "file": self.random.choice(("", "", "file"))}
        return {"query": query}

    def _elsewhere(self, name: str) -> dict[str, Any]:
        """The address with one of its parts replaced."""
        parts = self.paths[name].split("/")
        places = [place for place, part in enumerate(parts) if part]
        if places:
            part = self.random.choice((self.random.choice(PATHS), quote(self.random.choice(self.world.known))))
            parts[self.random.choice(places)] = part
        return {"path": "/".join(parts) or "/", "method": self.random.choice(("GET", "GET", "POST"))}

    def _method(self, name: str) -> dict[str, Any]:
        return {"method": self.random.choice(METHODS)}

    def _body(self, name: str) -> dict[str, Any]:
        about = {"content": self.random.choice(BODIES), "content_type": self.random.choice(TYPES)}
        return {"method": self.random.choice(("POST", "POST", "PUT", "GET")), **about}


def send(client: Client, asked: Asked, random: Random) -> HttpResponseBase:
    """Make the request, as WSGI servers hand it on: header values and paths as bytes in Latin-1."""
    content, kind = asked.content, asked.content_type
    if asked.fields or asked.file:
        content, kind = _encoded(asked.fields).encode(), "application/x-www-form-urlencoded"
    if asked.file:
        data: dict[str, Any] = {}
        for name, value in asked.fields:
            data.setdefault(name, []).append(value.encode("utf-8", "surrogatepass"))
        content, kind = encode_multipart(BOUNDARY, {**data, asked.file: draw_file(random)}), MULTIPART_CONTENT
    kept = copy(client.cookies)
    extra: dict[str, Any] = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in asked.headers.items()}
    path = asked.path
    answer: HttpResponseBase = client.generic(asked.method, path, content, kind, QUERY_STRING=asked.query, **extra)
    if random.random() < 0.9 or path == DEMO:
        client.cookies = kept  # whoever signed out, or changed the language, mostly did not
    return answer
