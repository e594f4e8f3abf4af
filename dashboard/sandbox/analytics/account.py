"""Whose numbers they are: an account and its videos as the generators see them."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import blake2b
from random import Random
from uuid import UUID


@dataclass(frozen=True, slots=True)
class AudienceVideo:
    """A video with what decides about its audience. `length` is in seconds."""

    id: str
    external_id: str
    title: str
    first_day: date
    length: float
    pull: float = 1.0
    """How much it attracts, compared with the others."""
    play_rate: float = 0.45
    """How many of its viewers press play, from 0 to 1."""
    shape: str = ""
    """What decides how its viewers leave; variants of one test share it, so that only their opening differs."""
    tests: tuple[tuple[date, date], ...] = ()
    """First and last day of each A/B test it takes part in: then each load of the test's page draws it or another variant."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account at a moment: there are numbers from `first_day` until `now` (aware, UTC)."""

    id: str
    first_day: date
    now: datetime
    videos: tuple[AudienceVideo, ...]

    @property
    def today(self) -> "Account":
        """The same account, the same all day long: what is computed once a day is kept under it."""
        return replace(self, now=self.now.replace(hour=0, minute=0, second=0, microsecond=0))

    def video(self, video_id: UUID) -> AudienceVideo:
        """The video with this internal id. Raises StopIteration when the account has none."""
        return next(video for video in self.videos if video.id == str(video_id))


def dice(*words: object) -> Random:
    """Random numbers that are always the same for the same words."""
    digest = blake2b("\x1f".join(map(str, words)).encode(), digest_size=8).digest()
    return Random(int.from_bytes(digest))


def chance(*words: object) -> float:
    """One such number, from 0 to 1."""
    digest = blake2b("\x1f".join(map(str, words)).encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64
