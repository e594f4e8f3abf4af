"""How a live stands: the word and the shape of its stage, its way to being on air, and what its pages offer."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from dashboard.lives import rules, writes
from dashboard.lives.rules import Attempt, Fact, Stage
from dashboard.lives.writes import SentWrites
from dashboard.platform_api.lives import Live
from dashboard.platform_api.vocabulary import LiveStatus
from dashboard.writes.pages import OpenWrite, open_write

STAGE_ORDER = (
    Stage.ON_AIR,
    Stage.LINGERING,
    Stage.FINISH_UNCONFIRMED,
    Stage.FINISHING,
    Stage.LATE,
    Stage.WAITING,
    Stage.UNCONFIRMED,
    Stage.SCHEDULED,
)


def get_badge(stage: Stage, live: Live | None = None) -> tuple[str, str]:
    """Name of the stage, as that of `live` if there is one (an unknown status unchanged), and its shape."""
    is_saved = live is not None and live.status == LiveStatus.FINISHED_IMPORTED
    finished = pgettext("live", "Finished, saved as a video") if is_saved else pgettext("live", "Finished")
    return {
        Stage.SCHEDULED: (_("Scheduled"), "queue"),
        Stage.UNSCHEDULED: (_("Not scheduled"), "none"),
        Stage.UNDATED: (pgettext("live", "Offline"), "none"),
        Stage.WAITING: (_("Waiting for the encoder"), "running"),
        Stage.LATE: (_("Still waiting"), "warning"),
        Stage.UNCONFIRMED: (_("Not confirmed"), "unknown"),
        Stage.ACCEPTED: (_("Start accepted"), "unknown"),
        Stage.ON_AIR: (_("On air"), "active"),
        Stage.FINISHING: (pgettext("live", "Finishing"), "running"),
        Stage.LINGERING: (_("Still on air"), "warning"),
        Stage.FINISH_UNCONFIRMED: (_("Finish not confirmed"), "unknown"),
        Stage.FINISH_ACCEPTED: (_("Finish accepted"), "unknown"),
        Stage.FINISHED: (finished, "finished"),
        Stage.OTHER: ((live.status if live else "") or pgettext("live", "Unknown"), "unknown"),
    }[stage]


@dataclass(frozen=True)
class LiveState:
    """A live with the writes sent from here, as it stands at the moment `now`."""

    live: Live
    sent_writes: SentWrites
    now: datetime

    @cached_property
    def stage(self) -> Stage:
        return writes.get_stage(self.live, self.sent_writes, self.now)

    @property
    def badge(self) -> tuple[str, str]:
        """The word of its stage, and the shape."""
        return get_badge(self.stage, self.live)

    @property
    def title(self) -> str:
        """Title of the live, else its title at the last start from here, else its id."""
        start = self.sent_writes.start
        return self.live.title or (start.label if start else "") or self.live.id

    @property
    def order(self) -> tuple[int, float]:
        """On air first, then by `STAGE_ORDER`, scheduled ones by time, the others newest first."""
        rank = STAGE_ORDER.index(self.stage) if self.stage in STAGE_ORDER else len(STAGE_ORDER)
        at = self.live.scheduled_at or self.live.created_at
        return rank, (at.timestamp() if at else 0.0) * (1 if rank < len(STAGE_ORDER) else -1)

    @property
    def can_start(self) -> bool:
        return rules.can_start(self.live, self.stage)

    @property
    def can_finish(self) -> bool:
        return rules.can_finish(self.live, self.stage)

    @property
    def should_offer_finish(self) -> bool:
        return rules.should_offer_finish(self.live, self.stage)

    @property
    def offline(self) -> Fact:
        return rules.is_offline(self.live)

    @property
    def scheduled(self) -> Fact:
        return rules.is_scheduled(self.live)

    @property
    def on_air(self) -> Fact:
        return rules.is_on_air(self.live)

    @property
    def start(self) -> Attempt | None:
        """The last start that still counts."""
        return writes.get_start_attempt(self.live, self.sent_writes)

    @property
    def finish(self) -> Attempt | None:
        """The last finish that still counts."""
        return writes.get_finish_attempt(self.live, self.sent_writes)

    @property
    def step(self) -> int | None:
        """Which of the three steps to being on air it is at: 0 to 2, 3 once it is; None where it is not on its way."""
        if self.stage in rules.AFTER_FINISH or not (self.start or self.stage is Stage.ON_AIR):
            return None
        return {Stage.UNCONFIRMED: 0, Stage.WAITING: 1, Stage.LATE: 1, Stage.ACCEPTED: 1}.get(self.stage, 3)

    @property
    def is_start_lost(self) -> bool:
        """Whether the last start never reached the platform, and nothing has happened since."""
        return self.stage in (Stage.SCHEDULED, Stage.UNDATED, Stage.OTHER) and writes.is_lost(self.sent_writes.start)

    @property
    def is_finish_lost(self) -> bool:
        """Whether the last finish never reached the platform, and nothing has happened since."""
        return self.stage in (Stage.ON_AIR, Stage.OTHER) and writes.is_lost(self.sent_writes.finish)

    @property
    def polls(self) -> bool:
        """Whether it may change without a request from here."""
        return self.stage in rules.POLLED_STAGES

    @cached_property
    def seconds(self) -> int:
        """How long ago the finish was sent, or before one the start; 0 without either."""
        attempt = self.finish if self.stage in rules.AFTER_FINISH else self.start
        return int((self.now - attempt.at).total_seconds()) if attempt else 0

    @property
    def interval(self) -> int:
        """Seconds from one poll to the next."""
        return 3 if self.seconds < 60 else 10

    @cached_property
    def notice(self) -> OpenWrite | None:
        """What is said of the start or the finish that is not confirmed."""
        sent = self.sent_writes
        last = {Stage.UNCONFIRMED: sent.start, Stage.FINISH_UNCONFIRMED: sent.finish}.get(self.stage)
        return open_write(last) if last else None

    @property
    def version(self) -> str:
        """Changes with what the polled part shows."""
        decides = bool(self.notice and self.notice.decide)
        return f"{self.stage}-{self.seconds // 15}-{decides:d}" if self.polls else str(self.stage)
