"""The numbers of the demo: nothing is stored, every figure is computed from the account's identity when it is read.

Who asks twice gets the same answer; hours add up to days, days to totals, and browsers, cities, referrers and videos to the
same number of views, for every day that is over. Shapes: `gaps.md` section 9, and `assumptions.py` where it knows none.
Every function returns what is answered as JSON; `reports` and `videos` say in which shape.
"""

from typing import Any

from dashboard.sandbox import clock
from dashboard.sandbox.analytics import reports, videos
from dashboard.sandbox.analytics.account import Account, AudienceVideo
from dashboard.sandbox.analytics.source import read_account
from dashboard.sandbox.models import Organization, Video
from dashboard.sandbox.period import Period

Json = dict[str, Any]


def browser(organization: Organization, video: Video | None, period: Period, granularity: str) -> Json:
    """Views by browser [4.15], of all videos or of one."""
    account = read_account(organization, clock.now())
    return reports.browsers(account, period, granularity, account.video(video.pk) if video else None)


def city(
    organization: Organization, period: Period, granularity: str, country: str | None = None, region: str | None = None
) -> Json:
    """Views by city [4.15], of one country and region when they are given."""
    account = read_account(organization, clock.now())
    return reports.cities(account, period, granularity, country or "", region or "")


def referrer(organization: Organization, period: Period, granularity: str) -> Json:
    """Views by referrer [4.15]."""
    return reports.referrers(read_account(organization, clock.now()), period, granularity)


def ranking(organization: Organization, period: Period) -> Json:
    """The videos by how often they were played [4.15]."""
    return videos.ranking(read_account(organization, clock.now()), period)


def general(video: Video, period: Period) -> Json:
    """Views and plays of a video [4.5]."""
    return videos.general(*_seen(video), period)


def retention(video: Video, period: Period) -> Json:
    """How many of a video's players are still watching [4.5]."""
    return videos.retention(*_seen(video), period)


def traffic(video: Video, period: Period) -> Json:
    """What a video's viewers downloaded [4.12]."""
    return videos.traffic(*_seen(video), period)


def account_traffic(organization: Organization, period: Period) -> int:
    """Bytes that the viewers of all its videos downloaded: the sum of what `traffic` tells of each."""
    account = read_account(organization, clock.now())
    return sum(int(videos.traffic(account, video, period)["total_consumed"]) for video in account.videos)


def _seen(video: Video) -> tuple[Account, AudienceVideo]:
    account = read_account(video.organization, clock.now())
    return account, account.video(video.pk)
