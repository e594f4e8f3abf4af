"""People at review links, who press twice, lose answers, undo, edit and resolve; and what each of them was told."""

import random
import re
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import httpx

PART = {"Reelroom-Part": "1"}


@dataclass
class Told:
    """One text that somebody posted: what the product said of it in the end."""

    text: str
    link: str
    key: str
    states: list[str] = field(default_factory=list)
    twice: bool = False


@dataclass
class Counts:
    """What happened, for the table."""

    posts: int = 0
    accepted: int = 0
    """Answers that took what was posted: a history in which none did proves nothing."""
    first_posts: int = 0
    repeated: int = 0
    undone: int = 0
    edits: int = 0
    statuses: int = 0
    polls: int = 0
    broken: list[str] = field(default_factory=list)


class Person:
    """A browser at one link; `fresh` people have no cookie when they post."""

    def __init__(self, link: str, ports: list[int], dice: random.Random, name: str) -> None:
        self.link, self.ports, self.dice, self.name = link, ports, dice, name
        self.address = f"198.51.{dice.randrange(256)}.{dice.randrange(256)}"
        self.cookies: dict[str, str] = {}
        self.client = httpx.Client(timeout=40, follow_redirects=False)

    def ask(self, method: str, path: str, data: dict[str, str] | None = None, *, part: bool = True) -> httpx.Response:
        """One request, by way of any of the web servers, as a proxy with TLS would hand it on."""
        origin = f"https://127.0.0.1:{(port := self.dice.choice(self.ports))}"
        headers = {
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": self.address,
            "Origin": origin,
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            **(PART if part else {}),
        }
        body = None if data is None else {**data, "csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
        answer = self.client.request(method, f"http://127.0.0.1:{port}{path}", data=body, headers=headers)
        for name, value in answer.cookies.items():
            self.cookies[name] = value
        return answer

    def open(self) -> str:
        return self.ask("GET", f"/{self.link}", part=False).text


class Crowd:
    """Everything that people do in one history, drawn from `dice`, and everything they were told."""

    def __init__(self, links: list[str], ports: list[int], dice: random.Random) -> None:
        self.links, self.ports, self.dice = links, ports, dice
        self.told: list[Told] = []
        self.counts = Counts()
        self.edits: dict[str, str] = {}
        self._lock = threading.Lock()

    def act(self, seed: int) -> None:
        """One story of one person."""
        dice = random.Random(seed)
        story = dice.choice(
            [self.post_first, self.post_first, self.post_more, self.hold_and_undo, self.edit, self.resolve]
        )
        person = Person(dice.choice(self.links), self.ports, dice, f"P{seed % 997}")
        try:
            story(person)
        except httpx.HTTPError as error:  # the web process was killed: the person sees a browser's error page
            with self._lock:
                self.counts.broken.append(type(error).__name__)
        finally:
            person.client.close()

    def post_first(self, person: Person) -> None:
        """A first post without a cookie, pressed once, twice in a row, or twice at once; sent again after a lost answer."""
        person.open()
        self._post(person, first=True)

    def post_more(self, person: Person) -> None:
        person.open()
        for _ in range(2):
            self._post(person, first=False)
        self._watch(person)

    def hold_and_undo(self, person: Person) -> None:
        person.open()
        told = self._post(person, first=True, hold=True)
        if told and person.dice.random() < 0.6:
            key = told.states and self._attempt_key
            answer = person.ask("POST", f"/{person.link}/submissions/{key}", {"do": "undo"})
            self._note(told, answer)
            with self._lock:
                self.counts.undone += 1

    def edit(self, person: Person) -> None:
        person.open()
        told = self._post(person, first=True)
        comment = re.search(r'id="c-([0-9a-f-]{36})"[^>]*data-mine', person.open())
        if told and comment:
            text = f"{told.text} edited"
            fields = {"key": str(uuid.uuid4()), "text": text, "time": "0:09", "opened_text": told.text}
            for _press in range(person.dice.choice([1, 2])):
                answer = person.ask("POST", f"/{person.link}/comments/{comment[1]}", fields)
            state = answer.headers.get("Reelroom-State", str(answer.status_code))
            with self._lock:
                self.counts.edits += 1
                self.edits[comment[1]] = f"{state} {text}"

    def resolve(self, person: Person) -> None:
        found = re.findall(r'id="c-([0-9a-f-]{36})"', person.open())
        if found:
            status = person.dice.choice(["open", "resolved"])
            fields = {"key": str(uuid.uuid4()), "status": status}
            for _press in range(person.dice.choice([1, 2])):
                person.ask("POST", f"/{person.link}/comments/{person.dice.choice(found)}", fields)
            with self._lock:
                self.counts.statuses += 1
        self._watch(person)

    def _watch(self, person: Person) -> None:
        """Eight watchers look at once."""
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda _: person.ask("GET", f"/{person.link}/comments?v="), range(8)))
        with self._lock:
            self.counts.polls += 8

    _attempt_key = ""

    def _post(self, person: Person, *, first: bool, hold: bool = False) -> Told | None:
        told = Told(f"Text {uuid.uuid4()}", person.link, str(uuid.uuid4()))
        fields = {
            "key": told.key,
            "user_name": person.name,
            "text": told.text,
            "time": "0:05",
            "hold": "1" if hold else "",
        }
        parents = re.findall(r'id="c-([0-9a-f-]{36})"', person.open())
        if len(parents) > 12:
            fields["reply_to"] = person.dice.choice(parents)
        if first:
            person.cookies.pop("reviewer", None)
        way = person.dice.choice(["once", "twice", "at once", "again"])
        with self._lock:
            self.told.append(told)
            self.counts.posts += 1
            self.counts.first_posts += first
            self.counts.repeated += way != "once"
        path = f"/{person.link}/comments"
        if way == "at once":
            cookies = dict(person.cookies)
            with ThreadPoolExecutor(2) as threads:
                answers = list(threads.map(lambda _: self._try(person, path, dict(fields)), range(2)))
            person.cookies = {**cookies, **person.cookies}
        else:
            answers = [self._try(person, path, fields)]
            if way == "again" or answers[0] is None:  # the queue of a browser that got no answer has no cookie either
                person.cookies.pop("reviewer", None)
            if way != "once" or answers[0] is None:
                answers.append(self._try(person, path, fields | {"hold": ""}))
        for answer in answers:
            self._note(told, answer)
        last = next((answer for answer in reversed(answers) if answer is not None), None)
        self._attempt_key = last.headers.get("Reelroom-Submission", "") if last is not None else ""
        return told

    @staticmethod
    def _try(person: Person, path: str, fields: dict[str, str]) -> httpx.Response | None:
        try:
            return person.ask("POST", path, fields)
        except httpx.HTTPError:
            return None

    def _note(self, told: Told, answer: httpx.Response | None) -> None:
        if answer is None:
            told.states.append("no answer")
        else:
            told.states.append(answer.headers.get("Reelroom-State") or str(answer.status_code))
            with self._lock:
                self.counts.accepted += "Reelroom-State" in answer.headers
