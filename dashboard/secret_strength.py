"""How hard a secret is to guess, in bits, by a cautious estimate: length alone says nothing about `12345678…`."""

import base64
import math
import string
from typing import Final

from cryptography.fernet import Fernet

ENOUGH: Final = 100
"""Bits. `openssl rand -hex 16` has 128, of which this estimate may miss some."""
WORDS: Final = (
    "secret", "password", "passwort", "senha", "changeme", "change-me", "insecure", "example", "default", "django",
    "reelroom", "production", "qwerty", "asdf", "admin", "token", "key",
)  # fmt: skip
PAIRS: Final = (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne "
    "ea ra ce li ch ll be ma si om ur ec em la el ta da os do ao qu ue"
)
"""Pairs of letters that language is made of: one in ten of random letters, every second one of a sentence."""
CLASSES: Final = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


def text_bits(secret: str) -> float:
    """The strength of a text. What continues a run, repeats what was there, or is language counts little."""
    plain = secret.lower()
    for word in WORDS:
        plain = plain.replace(word, "\0" * len(word))
    new = sum(_is_new(plain, at) for at in range(len(plain)))
    return new * math.log2(max(_alphabet(secret), 2))


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
    if all(chr(byte) in string.printable for byte in raw):
        return text_bits(raw.decode())
    fresh = {byte for at, byte in enumerate(raw) if at < 2 or raw[at] - raw[at - 1] != raw[at - 1] - raw[at - 2]}
    return len(fresh) * 8.0
