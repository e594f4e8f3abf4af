"""How many views an account has on a day, and how they spread over its hours: growth, weeks, seasons, launches, a bad day."""

import math
from datetime import date, datetime
from itertools import accumulate
from typing import Final

from dashboard.sandbox.analytics.account import Account, dice

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
