"""View models of the pages that the links in e-mails open."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.notices.letters import describe_subjects
from dashboard.notices.models import Subscription
from dashboard.notices.registry import Place, find_place
from dashboard.notices.rules import Every
from dashboard.notices.subscriptions import get_masked_address


@dataclass(frozen=True)
class PublicPage:
    """notices/public.html. `button` sends the form; `other` is a second one with `every`."""

    title: str
    sentences: tuple[str, ...]
    button: str = ""
    other: str = ""
    back: str = ""
    back_label: str = ""


def build_confirm_page(subscription: Subscription) -> PublicPage:
    """Ask whether the address may get e-mails."""
    values = {"address": get_masked_address(subscription)}
    return PublicPage(
        title=_("Confirm your e-mail address"),
        sentences=(
            _("%(address)s gets e-mails about %(what)s.") % {**values, "what": _describe_subject(subscription)},
        ),
        button=_("Confirm address"),
    )


def build_confirmed_page(subscription: Subscription) -> PublicPage:
    """Say what it gets from now on."""
    return _add_way_back(
        subscription,
        _("Your address is confirmed"),
        _("%(address)s gets e-mails about %(what)s. Each e-mail has a link that stops them.")
        % {"address": get_masked_address(subscription), "what": _describe_subject(subscription)},
    )


def build_expired_page(subscription: Subscription | None) -> PublicPage:
    """The confirmation is too old, was replaced by a newer one, or is none."""
    sentence = _(
        "This confirmation has expired or was replaced by a newer one. Ask for e-mails again to get a new one."
    )
    return _add_way_back(subscription, _("This confirmation no longer works"), sentence)


def build_stop_page(subscription: Subscription) -> PublicPage:
    """Ask before e-mails are stopped."""
    is_daily = subscription.every == Every.DAY
    return PublicPage(
        title=_("Stop these e-mails?"),
        sentences=(
            _("%(address)s gets e-mails about %(what)s. The address is deleted when you stop them.")
            % {"address": get_masked_address(subscription), "what": _describe_subject(subscription)},
        ),
        button=_("Stop these e-mails"),
        other="" if is_daily or not subscription.is_on else _("Get them once a day"),
    )


def build_stopped_page(subscription: Subscription | None) -> PublicPage:
    """Nothing is sent any more."""
    sentence = _("This address gets no further e-mails and was deleted here.")
    return _add_way_back(subscription, _("E-mails are stopped"), sentence)


def build_daily_page(subscription: Subscription) -> PublicPage:
    """Once a day from now on."""
    sentence = _("From now on you get at most one e-mail a day, in the morning.")
    return _add_way_back(subscription, _("Once a day"), sentence)


def _add_way_back(subscription: Subscription | None, title: str, sentence: str) -> PublicPage:
    place = _find_place(subscription)
    back = place.address if place else ""
    return PublicPage(title, (sentence,), back=back, back_label=_("Open the review link") if back else "")


def _describe_subject(subscription: Subscription) -> str:
    place = _find_place(subscription)
    if place is None:
        return describe_subjects(subscription)
    return _("answers on the review link “%(name)s” of “%(title)s”") % {"name": place.name, "title": place.title}


def _find_place(subscription: Subscription | None) -> Place | None:
    if subscription is None or not subscription.scope:
        return None
    place = find_place(subscription.scope, None)
    return place if place is not None and place.is_open else None
