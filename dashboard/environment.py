"""Environment variables: their readers, the mail server in one of them, secrets that are made, and how hard one is to guess.

A wrong value does not raise here: it is kept and named by a system check.
"""

import base64
import contextlib
import hashlib
import math
import os
import secrets
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from cryptography.fernet import Fernet

TRUE = frozenset({"on", "true", "yes", "1"})
FALSE = frozenset({"off", "false", "no", "0", ""})


@dataclass
class Environment:
    """Reads variables and remembers those that could not be understood, for `checks.py` to report at start."""

    problems: dict[str, str] = field(default_factory=dict)

    def text(self, name: str, default: str = "") -> str:
        """The variable without surrounding spaces, or `default`. One of several lines is a problem."""
        value = os.environ.get(name, default).strip()
        if len(value.splitlines()) > 1:
            self.problems[name] = "Write it on one line."
        return value

    def flag(self, name: str, default: bool) -> bool:
        """on/off, true/false, yes/no, 1/0; anything else is a problem and counts as `default`."""
        if name not in os.environ:
            return default
        value = self.text(name).lower()
        if value in TRUE or value in FALSE:
            return value in TRUE
        self.problems[name] = "Write on or off."
        return default

    def number(self, name: str, default: float, *, least: float, most: float) -> float:
        """A number within [least, most]; anything else is a problem and counts as `default`."""
        if name not in os.environ:
            return default
        try:
            value = float(self.text(name))
        except ValueError:
            value = float("nan")
        if least <= value <= most:
            return value
        self.problems[name] = f"Write a number from {least:g} to {most:g}."
        return default

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        """One of `choices`; anything else is a problem and counts as `default`."""
        value = self.text(name, default).lower()
        if value in choices:
            return value
        self.problems[name] = f"Write one of {', '.join(choices)}."
        return default

    def pairs(self, name: str) -> dict[str, str]:
        """`name=value` pairs, separated by commas or line breaks; anything else is a problem and left out."""
        pairs = {}
        for pair in os.environ.get(name, "").replace("\n", ",").split(","):
            key, mark, value = (part.strip() for part in pair.partition("="))
            if key and mark and value:
                pairs[key] = value
            elif pair.strip():
                self.problems[name] = f"Write name=value pairs, separated by commas, not {pair.strip()}."
        return pairs

    def words(self, name: str) -> list[str]:
        """A comma-separated list, empty entries dropped."""
        return [word.strip() for word in self.text(name).split(",") if word.strip()]


PORTS: Final = {"smtp": 25, "submission": 587, "smtps": 465}


@dataclass(frozen=True)
class MailServer:
    """How the mail server is reached. Without `host` there is none."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False

    @property
    def is_encrypted(self) -> bool:
        return self.starttls or self.tls


def parse_email_url(address: str) -> MailServer:
    """`smtps://name:password@host:465` (TLS), `submission://…` (STARTTLS) or `smtp://…` (readable)."""
    if not address:
        return MailServer()
    parts = urlsplit(address)
    has_more = parts.path.strip("/") or parts.query or parts.fragment
    nameless = "@" in parts.netloc and not parts.username
    if parts.scheme not in PORTS or not parts.hostname or nameless or has_more:
        raise ValueError(address)
    return MailServer(
        host=parts.hostname,
        port=parts.port or PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "submission",
        tls=parts.scheme == "smtps",
    )


OTHERS: Final = 0o077
"""Of the mode of a file: what the group and all other users of the machine may do."""


def make_private(folder: Path) -> list[Path]:
    """Make `folder` and its files readable by their owner alone. Returns what others could read until now, or still can."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    paths = [folder]
    with contextlib.suppress(OSError):  # somebody else's: what needs it fails, and says so
        paths += [path for path in folder.iterdir() if path.is_file()]
    readable = [path for path in paths if is_readable_by_others(path)]
    for path in paths:
        with contextlib.suppress(OSError):  # the same, or gone meanwhile
            if (mode := path.stat().st_mode) & OTHERS:
                path.chmod(mode & 0o700)
    return readable


def is_readable_by_others(path: Path) -> bool:
    """Whether other users of this machine reach and read a file."""
    try:
        reach = all(parent.stat().st_mode & 0o011 for parent in path.resolve().parents)
        return reach and bool(path.stat().st_mode & OTHERS)
    except OSError:
        return False


def local_secret(folder: Path, name: str) -> str:
    """Return the secret `name` of `folder`, making it first where there is none. Two starts at once agree on one."""
    path = folder / name
    if not path.exists():
        fresh = Fernet.generate_key().decode() if name == "token-key" else secrets.token_urlsafe(50)
        draft = folder / f".{name}-{secrets.token_hex(4)}"
        draft.touch(mode=0o600)
        draft.write_text(fresh)
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass  # another process was first: its secret is the one
        finally:
            draft.unlink()
    return path.read_text()


ENOUGH: Final = 100
"""Bits. `openssl rand -hex 16` has 128, of which this estimate may miss some."""
WORDS: Final = (
    "secret", "password", "passwort", "senha", "changeme", "change-me", "insecure", "example", "default", "django",
    "reelroom", "production", "qwerty", "asdf", "admin", "token", "key",
)  # fmt: skip
PUBLISHED: Final = (
    "cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=",  # the specification of Fernet
    "46BKJoQYlPPOexq0OhDZnIlNepKFf87WFwLbfzqDDho=", "81HqDtbqAywKSOumSha3BhWNOdQ26slT6K0YaZeZyPs=",  # guides to Airflow
    "09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7",  # FastAPI's manual
    "192b9bdd22ab9ed4d12e236c78afcb9a393ec15f71bbf5dc987d54727823bcbf",  # Flask's
    "django-insecure-",  # what a new project of Django begins with, and is committed with
)  # fmt: skip
"""Secrets that everybody can read."""
HASHED: Final = (
    *WORDS, "", "test", "demo", "root", "user", "hello", "letmein", "welcome", "foo", "0", "1", "123", "1234",
)  # fmt: skip
"""What is hashed to look random; also with what follows on the keyboard, `12345678`."""
ALGORITHMS: Final = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
PAIRS: Final = (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne "
    "ea ra ce li ch ll be ma si om ur ec em la el ta da os do ao qu ue"
)
"""Pairs of letters that language is made of: one in ten of random letters, every second one of a sentence."""
CLASSES: Final = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


def text_bits(secret: str) -> float:
    """The strength of a text. What continues a run, repeats what was there, or is language counts little."""
    plain = secret.lower()
    if any(known in secret for known in PUBLISHED) or _repeats(plain) or _is_hash_of_word(plain):
        return 0
    for word in WORDS:
        plain = plain.replace(word, "\0" * len(word))
    new = sum(_is_new(plain, at) for at in range(len(plain)))
    return new * math.log2(max(_alphabet(secret), 2))


def _repeats(whole: Sequence[object]) -> bool:
    """Whether a third of it was there before: a hash that is written twice is as long as two and as good as one."""
    parts = [tuple(whole[at : at + 3]) for at in range(len(whole) - 2)]
    return len(set(parts)) * 3 <= len(parts) * 2


def _is_hash_of_word(text: str) -> bool:
    """Whether it holds a hash of a word, or the hash of such a hash."""
    words = {*map(str.encode, HASHED), *(b"1234567890"[:size] for size in range(5, 11))}
    once = {_hash(name, word) for name, word in product(ALGORITHMS, words)}
    twice = {_hash(name, found.encode()) for name, found in product(ALGORITHMS, once)}
    return any(found in text for found in once | twice)


def _hash(algorithm: str, text: bytes) -> str:
    return hashlib.new(algorithm, text, usedforsecurity=False).hexdigest()


def _alphabet(secret: str) -> int:
    """Of how many characters the text is made. One capital in a sentence does not make it twice as rich."""
    shares = {letters: sum(letter in letters for letter in secret) for letters in CLASSES}
    known = sum(len(letters) for letters, share in shares.items() if share * 10 >= len(secret))
    return known + len({letter for letter in secret if not letter.isalnum()})


def _is_new(text: str, at: int) -> bool:
    """Whether the character at `at` could not be told from those before it."""
    if text[at] == "\0":
        return False
    if at == 0:
        return True
    step = ord(text[at]) - ord(text[at - 1])
    if at > 1 and step == ord(text[at - 1]) - ord(text[at - 2]):
        return False  # 123, aaa, abc
    if at > 2 and text[at - 2 : at + 1] in text[:at]:
        return False  # three in a row that were there before
    return text[at - 1 : at + 1] not in PAIRS


def key_bits(key: str) -> float:
    """The strength of a Fernet key: its 32 bytes, and if those are readable text, the text's. Raises ValueError."""
    Fernet(key)
    raw = base64.urlsafe_b64decode(key)
    if base64.urlsafe_b64encode(raw).decode() in PUBLISHED or _repeats(raw) or _is_hash_of_word(raw.hex()):
        return 0
    if all(chr(byte) in string.printable for byte in raw):
        return text_bits(raw.decode())
    fresh = {byte for at, byte in enumerate(raw) if at < 2 or raw[at] - raw[at - 1] != raw[at - 1] - raw[at - 2]}
    return len(fresh) * 8.0
