"""What a panel says about an answer that failed, is late, or is only known from before."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.shared import formats, refusals
from dashboard.upstream.figures import FigureAnswer


@dataclass(frozen=True)
class Trouble:
    """templates/components/_trouble.html: why there is no fresh data. `aged` says how old what is shown is.

    `aged` is empty where nothing is shown. `late`: nothing failed, the answer is only not here yet.
    """

    sentence: str
    next_step: str
    aged: str
    late: bool = False


def trouble(got: FigureAnswer) -> Trouble:
    """What happened to the latest attempt to read: it failed, or it is late."""
    aged = ""
    if got.value is not None and got.at is not None:
        aged = _("These are the last numbers received, %(when)s.") % {"when": formats.ago(got.at)}
    if got.error is None:
        return Trouble(_("The platform is still answering this question."), "", aged, late=True)
    explained = refusals.explain(got.error)
    return Trouble(explained.sentence, explained.next_step, aged)
