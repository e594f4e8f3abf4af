"""The running totals behind all reports, computed once a day for each account: a year of days costs milliseconds."""

import math
from datetime import date, timedelta
from functools import lru_cache
from random import Random
from typing import Final

from dashboard.sandbox.analytics.account import Account, AudienceVideo, chance, dice
from dashboard.sandbox.analytics.counting import (
    CLASSES,
    NO_VISITS,
    NOTHING,
    PLAYED,
    Classes,
    Ledger,
    PlaceLedger,
    borders,
    classes_of,
    counts,
    habits,
    minus,
    plus,
    share_out,
)
from dashboard.sandbox.analytics.places import BROWSERS, REFERRERS, Blend, all_cities, own_taste
from dashboard.sandbox.analytics.rhythm import views_on

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
