"""Everything that can go wrong with a call, as one tree, and the one table that maps answers onto it.

    CallError                operation, status, message (the platform's own sentence), retry_after (seconds)
    ├── BadToken             401, or a token that no header could carry: the session is over
    └── PlatformError        everything that a page may show and go on
        ├── Unreachable      no answer: no connection, time-out, connection lost. `.sent`: whether it may have arrived
        ├── PlatformDown     5xx, a redirect, or an unreadable answer. With a 2xx status a write may have happened
        ├── RateLimited      429, or not sent because one came a moment ago. `.until` says until when
        │   └── OverBudget   not sent: as much was read in the background as may be in a minute
        ├── NotAllowed       403
        ├── Missing          404, 405, 410, 501, and identifiers that cannot exist
        └── Refused          400 and every other 4xx: what was sent is not acceptable

`except PlatformError` leaves a `BadToken` alone, which leads to sign-in (`dashboard.middleware`). Code that records or
compares the error of any call says `CallError`.

No error carries an address, a header or a token: it is safe to log and to pickle.
"""

import time
from dataclasses import dataclass
from typing import Final


class CallError(Exception):
    """A call that brought no result.

    `operation` is the name of the method (`videos.get`), `status` the HTTP status (None without an answer), `message`
    the platform's own sentence ("" when it gave none), `retry_after` the seconds it asked to wait (None: it did not).
    """

    def __init__(
        self, operation: str, status: int | None = None, message: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(operation, status, message, retry_after)
        self.operation = operation
        self.status = status
        self.message = message
        self.retry_after = retry_after

    def __str__(self) -> str:
        """The line for logs; people get `shared.refusals.explain`."""
        parts = [self.operation, type(self).__name__]
        if self.status is not None:
            parts.append(str(self.status))
        return " ".join(parts) + (f": {self.message}" if self.message else "")


class BadToken(CallError):
    """Missing or invalid API token, or reviewer's session token on public review calls [7]."""


class PlatformError(CallError):
    """A failure that does not end the session."""


class Unreachable(PlatformError):
    """No answer. `sent` is False only when the connection was never made: a write was then certainly not received."""

    def __init__(
        self,
        operation: str,
        status: int | None = None,
        message: str = "",
        retry_after: float | None = None,
        sent: bool = True,
    ) -> None:
        super().__init__(operation, status, message, retry_after)
        self.args = (operation, status, message, retry_after, sent)
        self.sent = sent


class PlatformDown(PlatformError):
    """The platform failed, or answered something that cannot be read.

    With a status from 200 to 299 its answer is unreadable, or says that the call failed: a write may have happened.
    """

    answer: str = ""
    """Of a read whose answer cannot be read: how that began, without tokens and stream keys."""


def is_unreadable(error: CallError) -> bool:
    """Whether the platform answered, in a shape that no reader knows."""
    return isinstance(error, PlatformDown) and 200 <= (error.status or 0) < 300


class RateLimited(PlatformError):
    """Too many calls; `retry_after` says how long to wait when the platform does [not shown by the specification].

    `until`: when that is over, in seconds of the epoch; None where nobody said how long.
    """

    def __init__(
        self, operation: str, status: int | None = None, message: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(operation, status, message, retry_after)
        self.until = None if retry_after is None else time.time() + retry_after

    def put_off(self, seconds: float) -> None:
        """It is decided here how long to wait."""
        self.retry_after, self.until = seconds, time.time() + seconds


class OverBudget(RateLimited):
    """Nothing was sent: as much was read in the background in this minute as may be."""


class NotAllowed(PlatformError):
    """The token is good but may not do this [7]."""


class Missing(PlatformError):
    """What was asked for does not exist, or not for this account [7]."""


class Refused(PlatformError):
    """What was sent is not acceptable; `message` says why [7]."""


STATUSES: Final[dict[int, type[CallError]]] = {
    400: Refused,
    401: BadToken,
    403: NotAllowed,
    404: Missing,
    405: Missing,  # an operation that is only assumed may not exist on this platform: same consequence as a 404
    410: Missing,
    429: RateLimited,
    501: Missing,  # as 405
}
"""What a status means when no row of `ODDITIES` says otherwise. Other 4xx are Refused, all the rest PlatformDown."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """One answer whose status does not mean what it says. Empty operation, message, names and sends match everything."""

    operation: str
    status: int
    error: type[CallError]
    message: str = ""
    names: str = ""
    """A word in the message, where the specification tells the reason and not the sentence."""
    sends: str = ""
    """A key of the request's body: the row holds only when that key was sent."""


PUBLIC_FILES: Final = (
    "ai_workflow.read_package",
    "public_files.video",
    "public_files.document",
    "public_files.comparison",
    "public_files.live",
    "public_files.subtitle",
)

ODDITIES: Final = (
    # [7] DELETE /playlists/{id}: a playlist that does not exist is a 400
    Oddity("playlists.delete", 400, Missing, message="Playlist not found"),
    # [7] DELETE /playlists/{id}: a playlist of someone else is a 500
    Oddity("playlists.delete", 500, NotAllowed, message="Unauthorized: You do not own this playlist"),
    # [7] POST /lives/{id}/start: the live stays as it was when its ingest channel does not start, and when the
    # subscription cannot be read
    Oddity("lives.start", 500, Refused, names="ingest channel"),
    Oddity("lives.start", 500, Refused, names="subscription"),
    # [7] PUT comment: 401 on a text means "not your comment"; the session itself is good. A 401 on anything else is not
    Oddity("public_review.update_comment", 401, NotAllowed, sends="text"),
    # [2.8, gaps 15] content files and the player's other files are public and asked for without a token: 401 and 403 say
    # nothing about the account's token, and file stores that do not list answer 403 for a file that is not there
    *(Oddity(operation, status, Missing) for operation in PUBLIC_FILES for status in (401, 403)),
    # not shown: gateways answer so on a route that does not exist, which an assumed operation may turn out to be
    Oddity("", 403, Missing, message="Missing Authentication Token"),
)


def error_for(operation: str, status: int, message: str, sent_keys: frozenset[str]) -> type[CallError]:
    """The class of error for an answer outside 200-299.

    `sent_keys` are the top-level keys of the body that was sent (empty for an array or no body).
    """
    for row in ODDITIES:
        if (
            row.status == status
            and row.operation in ("", operation)
            and row.message.casefold() in ("", message.strip().casefold())
            and row.names in message.casefold()
            and (not row.sends or row.sends in sent_keys)
        ):
            return row.error
    if status in STATUSES:
        return STATUSES[status]
    return Refused if 400 <= status < 500 else PlatformDown
