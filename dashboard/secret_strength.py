"""How hard a secret is to guess, in bits, by a cautious estimate: length alone says nothing about `12345678…`."""

import base64
import hashlib
import math
import string
from collections.abc import Sequence
from itertools import product
from typing import Final

from cryptography.fernet import Fernet

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
