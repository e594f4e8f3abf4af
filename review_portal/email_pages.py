"""View model of a reviewer's address for answers: its state and what can be done."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.notices import subscriptions
from dashboard.notices.subscriptions import Audience, State
from dashboard.upstream import clients
from review_portal import rules
from review_portal.context import Visit


@dataclass(frozen=True)
class EmailPanel:
    """templates/review_portal/_email.html. `field`: the address can be written; `error` is what is wrong with it."""

    action: str
    state: str
    sentence: str
    kind: str
    field: bool
    again: bool
    stop: bool
    typed: str = ""
    error: str = ""
    demo: str = ""


def get_audience(visit: Visit) -> Audience:
    """The reader as somebody who hears of answers."""
    return Audience(scope=str(visit.link.pk), person=str(visit.reviewer.pk) if visit.reviewer else "")


def build_email_panel(visit: Visit, typed: str = "", error: str = "") -> EmailPanel | None:
    """None for a reader who has written nothing, and where no e-mail can be sent."""
    if visit.reviewer is None or not subscriptions.is_offered():
        return None
    subscription = subscriptions.find(get_audience(visit))
    state = subscriptions.get_state(subscription)
    is_open = rules.why_no_writing(visit.link, visit.now) is None
    if not is_open and state in (State.OFF, State.STOPPED):
        return None
    values = {"address": subscriptions.get_masked_address(subscription) if subscription else ""}
    sentences = {
        State.OFF: "",
        State.ASKED: _("Press the button in the e-mail to %(address)s. Until then, nothing else is sent there."),
        State.OLD: _("The confirmation to %(address)s has expired. Ask for a new one."),
        State.ON: _("%(address)s gets answers on this link."),
        State.REFUSED: _("There is no mailbox at %(address)s. Check the address for typing errors."),
        State.STOPPED: _("E-mails are stopped, and your address was deleted."),
    }
    return EmailPanel(
        action=f"/{visit.link.pk}/email",
        state=state.value,
        sentence=sentences[state] % values,
        kind={State.ON: "finished", State.ASKED: "queue"}.get(state, "warning"),
        field=is_open and state != State.ON,
        again=is_open and state in (State.ASKED, State.OLD),
        stop=state not in (State.OFF, State.STOPPED),
        typed=typed,
        error=error,
        demo=_("In the demo nothing is sent. The e-mail waits in the dashboard, under Notice settings.")
        if clients.embedded()
        else "",
    )


def build_email_offer(visit: Visit) -> EmailPanel | None:
    """The same in the room, for somebody who wrote a comment here and has not left an address."""
    if visit.reviewer is None or not visit.reviewer.comments.exists():
        return None
    panel = build_email_panel(visit)
    return panel if panel and panel.state in (State.OFF, State.ASKED) else None
