"""How a deletion of a playlist stands, and what is kept of it."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from dashboard.platform_api.answers import as_it_came
from dashboard.playlists import writes
from dashboard.shared import refusals
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.pages import OpenWrite, open_write


@dataclass(frozen=True)
class Deletion:
    """One deletion: held with its countdown, open, or how it ended, always with the kept copy."""

    write: Write

    @property
    def badge(self) -> tuple[str, str]:
        """The word of its state, and the shape."""
        return {
            State.HELD: (_("Waiting"), "queue"),
            State.SENDING: (_("Sending"), "running"),
            State.DONE: (_("Deleted"), "finished"),
            State.CANCELLED: (_("Undone"), "none"),
            State.REFUSED: (_("Not deleted"), "error"),
            State.UNCONFIRMED: (_("Not confirmed"), "unknown"),
        }[State(self.write.state)]

    @property
    def is_held(self) -> bool:
        """Whether it can be undone, or sent at once."""
        return self.write.state == State.HELD

    @property
    def is_open(self) -> bool:
        """Whether it may still change."""
        return self.write.state in OPEN

    @cached_property
    def seconds(self) -> int:
        """What is left of the hold, rounded up; 0 once it is over."""
        if not self.is_held or self.write.attempt or self.write.due_at is None:
            return 0
        return max(0, int((self.write.due_at - timezone.now()).total_seconds() + 0.999))

    @cached_property
    def notice(self) -> OpenWrite | None:
        """What is said of it while its end is open."""
        return open_write(self.write)

    @property
    def version(self) -> str:
        """Changes with what its page shows."""
        decides = bool(self.notice and self.notice.decide)
        return f"{self.write.state}-{self.write.attempt}-{self.write.reason}-{bool(self.seconds):d}-{decides:d}"

    @property
    def videos(self) -> list[dict[str, Any]] | None:
        """The videos that the playlist had; None where that was not known."""
        return self.write.before["videos"] if self.write.before and "answer" not in self.write.before else None

    @property
    def has_copy(self) -> bool:
        """Whether all of them are kept, by id and title."""
        return writes.is_copy(self.write.before)

    @property
    def raw(self) -> str:
        """What the platform said of them, where that could not be read."""
        return as_it_came(self.write.before["answer"]) if self.write.before and "answer" in self.write.before else ""

    @property
    def sentence(self) -> str:
        """How it stands, where that is no longer open."""
        write, name = self.write, {"name": self.write.label or self.write.subject}
        match State(write.state):
            case State.HELD if self.seconds:
                return _("It will be deleted in a few seconds. You can undo this until then.")
            case State.HELD if write.due_at is None:
                return _("Nothing was deleted. Delete the playlist now, or undo.")
            case State.HELD:
                return _("Deleting the playlist. This page updates automatically.")
            case State.DONE if not self.has_copy:
                return _("“%(name)s” was deleted. Its videos are still there.") % name
            case State.DONE:
                return (
                    _("“%(name)s” was deleted. Its videos are still there, and this copy of its contents is kept.")
                    % name
                )
            case State.CANCELLED:
                return _("Undone: “%(name)s” was not deleted.") % name
        if cause := refusals.explain(write.error).cause if write.error else write.message:
            return f"{cause} " + _("Nothing was deleted.")
        return _("The platform did not receive the request. Nothing was deleted; you can delete the playlist again.")
