"""Reads of videos for the subtitle pages, in parallel and shared by everybody who watches.

Jobs are read with the parent's token, as AI subtitles of a sub-account are sent with it (section 5).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.videos import Video
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles.rules import VideoState, languages_of, video_state_from_jobs
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads

T = TypeVar("T")

JOBS_SECONDS: Final = 2.5
"""Age at which jobs are read anew: just under the interval at which a page asks."""
PACE: Final = 0.5
"""Seconds between two reads of jobs for one page: with many videos under way each is read less often."""
VIDEO_SECONDS: Final = 300.0


class ParentTokenRefused(errors.NotAllowed):
    """The platform refused the token of the parent account: the person's own one is good."""


@dataclass(frozen=True)
class SubtitleReader:
    """The reads of subtitles and jobs for one account."""

    account: Account
    reads: Reads

    @classmethod
    def of(cls, request: OwnerRequest) -> "SubtitleReader":
        """The reads of a page."""
        return cls(request.account, Reads(request.account, waits=not reads.is_page(request)))

    def video(self, video_id: str) -> Query[Video]:
        """One video: its title and its length."""
        return Query(lambda platform: platform.videos.get(video_id), VIDEO_SECONDS)

    def subtitles(self, video_id: str) -> Query[frozenset[str]]:
        """The languages in which a video has subtitles."""
        return Query(
            lambda platform: languages_of(subtitle.lang for subtitle in platform.videos.subtitles(video_id)),
            shape="languages",
        )

    def text(self, video_id: str, lang: str) -> Query[str]:
        """The WebVTT text of a video in one language."""
        return Query(lambda platform: platform.videos.read_subtitle(video_id, lang))

    def jobs(self, video_id: str, seconds: float | None = None) -> Query[tuple[Job, ...]]:
        """The jobs of a video, at most `seconds` old."""
        return Query(lambda platform: platform.ai_workflow.jobs(video_id), seconds, token_of=self.account.parent)

    def get(self, query: Query[T]) -> T:
        """The one answer that is needed. Raises its `PlatformError`."""
        return self.reads.get(query)

    def gather(self, queries: Mapping[str, Query[Any]], patience: float | None = None) -> dict[str, Outcome]:
        """Outcomes by name. Raises a refusal of the account's own token."""
        return self.understood(queries, self.reads.gather(patience, **queries))

    def spare(self, queries: Mapping[str, Query[Any]]) -> dict[str, Outcome]:
        """Stored answers by name; the others are late and read in the background. Raises like `gather`."""
        return self.understood(queries, self.reads.spare(**queries))

    def understood(self, queries: Mapping[str, Query[Any]], outcomes: dict[str, Outcome]) -> dict[str, Outcome]:
        """When the parent's token is refused or lost, it is not the person's own that must be renewed."""
        for name, outcome in outcomes.items():
            if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
                if name not in queries or queries[name].token_of is None:
                    raise outcome.error
                outcomes[name] = Failed(_of_the_parent(outcome.error))
        return outcomes

    def state_queries(self, videos: Iterable[str], seconds: float = JOBS_SECONDS) -> dict[str, Query[Any]]:
        """The two reads of each video, to be gathered and then understood by `video_state_of`.

        The jobs of many videos are read less often: one page never asks for them more than twice a second.
        """
        videos = list(videos)
        seconds = max(seconds, len(videos) * PACE)
        queries: dict[str, Query[Any]] = {}
        for video in videos:
            queries[f"subtitles {video}"] = self.subtitles(video)
            queries[f"jobs {video}"] = self.jobs(video, seconds)
        return queries


def _of_the_parent(refused: errors.BadToken) -> ParentTokenRefused:
    return ParentTokenRefused(refused.operation, refused.status, refused.message)


def video_state_of(outcomes: Mapping[str, Outcome], video: str) -> tuple[VideoState, bool, errors.CallError | None]:
    """The state of a video from its two reads, whether one is late, and the error."""
    subtitles = outcomes.get(f"subtitles {video}")
    jobs = outcomes.get(f"jobs {video}")
    video_state = video_state_from(subtitles, jobs)
    late = isinstance(subtitles, Late) or isinstance(jobs, Late)
    failed = (jobs,) if video_state.untold else (subtitles, jobs)
    trouble = next((outcome.error for outcome in failed if isinstance(outcome, Failed)), None)
    return video_state, late, trouble


def video_state_from(subtitles: Outcome | None, jobs: Outcome | None) -> VideoState:
    """The state of a video from its two reads; from its jobs alone where the platform does not list subtitles."""
    job_list = jobs.value if isinstance(jobs, Ready) else None
    if isinstance(subtitles, Ready):
        return VideoState(subtitles.value, job_list)
    untold = isinstance(subtitles, Failed) and isinstance(subtitles.error, errors.Missing | errors.NotAllowed)
    return video_state_from_jobs(job_list) if untold and job_list is not None else VideoState(None, job_list)
