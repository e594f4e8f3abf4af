"""Ids, external ids and tokens of the seed: made from names, so that they are the same in every installation."""

from hashlib import blake2b
from typing import Final
from uuid import UUID, uuid5

from dashboard.platform_api.vocabulary import COMPARISON_ID_PREFIX
from dashboard.sandbox.media import STILLS

_NAMES: Final = UUID("5e77a17a-0000-4000-8000-0000c0ffee00")


def known(kind: str, key: str) -> UUID:
    """The id of a seeded record."""
    return uuid5(_NAMES, f"{kind}:{key}")


def external_id(key: str, still: int) -> UUID:
    """The external id of a seeded video, chosen so that the library shows this still (1 to 24)."""
    number = known("external", key).int
    return UUID(int=number - number % STILLS + still - 1)


def comparison_id(key: str) -> str:
    """The id of a seeded A/B test, with the platform's prefix [2.5]."""
    return COMPARISON_ID_PREFIX + str(known("comparison", key))[9:]


def token(key: str) -> str:
    """The API token of a seeded person: opaque, and plainly of the demo."""
    return f"demo-{blake2b(key.encode(), key=b'reelroom', digest_size=20).hexdigest()}"


def pullzone(key: str) -> str:
    """The CDN zone of a seeded organization."""
    digits = known("zone", key).hex
    return f"vz-{digits[:8]}-{digits[8:11]}"
