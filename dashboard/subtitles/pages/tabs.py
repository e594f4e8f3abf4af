"""Tabs of the subtitle pages, and sentences about the account whose credits and token are used."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


@dataclass(frozen=True, slots=True)
class Tabs:
    """The three pages of subtitles."""

    current: str
    running: str


@dataclass(frozen=True, slots=True)
class AccountContext:
    """The account whose page is built. `parent`: its parent's name or "". `actor`: the person. `open_jobs`: jobs under way."""

    name: str
    parent: str
    actor: str
    open_jobs: int


def tabs(current: str, open_jobs: int) -> Tabs:
    """The tabs, with how many jobs are under way."""
    running = ngettext("%(count)s running", "%(count)s running", open_jobs) % {"count": open_jobs} if open_jobs else ""
    return Tabs(current, running)


def credits_sentence(account_name: str, parent_name: str) -> str:
    """Whose AI credits a job uses: said before any is spent."""
    if parent_name:
        return _("Each job uses AI credits of the parent account “%(name)s”.") % {"name": parent_name}
    return _("Each job uses AI credits of “%(name)s”.") % {"name": account_name}


def parent_sentence(parent_name: str) -> str:
    """What a sub-account has to know; empty for others."""
    if not parent_name:
        return ""
    return _(
        "This is a sub-account. Its AI subtitles are requested with the token of the parent account “%(name)s”."
    ) % {"name": parent_name}
