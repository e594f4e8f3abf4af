"""Assumed of figures, and of every answer."""

from typing import Final

from dashboard.platform_api.assumptions.assumption import Assumption, Basis

# Analytics

ANALYTICS_SHAPES: Final = Assumption(
    ("analytics.browser", "analytics.city", "analytics.referrer", "analytics.ranking", "analytics.member_referrals"),
    "Objects in arrays or by label or date, labels with values, columns, totals; what is not understood is shown as it came.",
    "Their bodies are not shown and were found nowhere.",
    Basis.UNKNOWN,
)
UTC_DAYS: Final = Assumption(
    (
        "analytics.browser",
        "analytics.city",
        "analytics.referrer",
        "analytics.ranking",
        "analytics.traffic",
        "analytics.general",
        "analytics.retention",
    ),
    "The platform's days begin at midnight UTC, and an hour that names no offset is UTC: pages say so in other zones.",
    "Dates are sent without a zone and no document names the one they are cut in; days that are cut cannot be moved.",
    Basis.GUESS,
)
GENERAL_SHAPE: Final = Assumption(
    ("analytics.general",),
    "views_data holds figures by date or hour, to be added up; flat totals are read as well.",
    "Two independent clients add up buckets, a third reads totals.",
    Basis.OBSERVED,
)
RETENTION_SHAPE: Final = Assumption(
    ("analytics.retention",),
    "retention holds percent by second; an array and points are read as well.",
    "Clients disagree.",
    Basis.OBSERVED,
)
TRAFFIC_SHAPE: Final = Assumption(
    ("analytics.traffic",),
    "data holds t, a date, and b, bytes; total_consumed and average_daily_consumption may stand beside it.",
    "One client notes the rows from a real answer, the documentation names the totals.",
    Basis.OBSERVED,
)
TRAFFIC_AUTH: Final = Assumption(
    ("analytics.traffic",),
    "The token travels as Bearer, as the specification says.",
    "Clients send it raw, as everywhere else: if the answer is 401 while all else works, change the setting.",
    Basis.OBSERVED,
    ("PLATFORM_TRAFFIC_AUTH",),
)
TRAFFIC_HOST: Final = Assumption(
    ("analytics.traffic",),
    "Without an address of its own, traffic lives on the main one.",
    "The specification writes its address differently; public documentation shows the same host.",
    Basis.PUBLISHED,
    ("PLATFORM_TRAFFIC_URL",),
)

# Every operation

ERROR_BODY: Final = Assumption(
    ("*",),
    "The sentence of an error is errMsg, else message, else error, else a short text.",
    "Shown for starting a live only; applications and gateways answer differently.",
    Basis.PUBLISHED,
)
SUCCESS: Final = Assumption(
    ("*",),
    "Any 2xx is a success, unless its body says error, errCode, errMsg, or success: false; then nothing is certain.",
    "One operation is documented with 201 where the rest have 200; no document shows an error with a 200.",
    Basis.PUBLISHED,
)
TOO_LARGE: Final = Assumption(
    ("*",),
    "A body of more than 10,485,760 bytes is answered 413 in plain text, and nothing is done.",
    "A client has met it; what the platform says in it is not shown.",
    Basis.OBSERVED,
)
NO_SUCH_ROUTE: Final = Assumption(
    ("*",),
    "405, 501 and a 403 that says Missing Authentication Token mean that the platform lacks the operation.",
    "Gateways answer so, and operations that are only assumed may not exist.",
    Basis.GUESS,
)
RATE_LIMIT: Final = Assumption(
    ("*",),
    "429 means too many calls; reads wait up to two seconds if Retry-After asks for no more.",
    "Limits are not shown; a client backs off on 429.",
    Basis.OBSERVED,
)
REDIRECTS: Final = Assumption(
    ("*",),
    "A redirect is an error: no operation answers with one.",
    "Following it would carry the token to an address that nobody set.",
    Basis.UNKNOWN,
)
SIZE: Final = Assumption(
    ("*",),
    "No answer is larger than 8 MB.",
    "Size limits are not shown; a year by the hour is below 2 MB.",
    Basis.GUESS,
)
TIME_ZONE: Final = Assumption(
    ("*",), "A time without a zone is in UTC.", "ISO 8601 is said, a zone is not.", Basis.GUESS
)
