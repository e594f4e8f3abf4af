"""Comments as the desk lists them: cards with what can be done, and everything that finds and exports them."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.review_links.forms import describe_problem
from dashboard.review_links.pages import FilterChip, SelectOption
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest
from review_portal import export_files, markup, stills
from review_portal.messages import describe_unsettled
from review_portal.models import ReviewLink
from review_portal.rules import ListFilter as ListFilter
from review_portal.rules import Show, Sort, count_by_name, strip_range
from review_portal.threads import Entry, Thread, select_threads


@dataclass(frozen=True)
class ReplyRow:
    """One answer. `edit` leads to the form that changes it where the owner wrote it; `form` is that form, open."""

    key: str
    author: str
    when: str
    iso: str
    text: SafeString
    edit: str
    label: str
    form: "ReplyForm | None" = None
    unsettled: str = ""
    mark: SafeString = markup.NOTHING


@dataclass(frozen=True)
class ReplyForm:
    """The form that answers one comment, or changes an answer: what was typed, and what is wrong with it."""

    action: str
    key: str
    text: str
    name: str
    errors: Mapping[str, Sequence[str]]
    cancel: str
    opened: str = ""
    """What the answer said when the form was opened."""


@dataclass(frozen=True)
class ThreadRow:
    """One comment with its answers. `verb` and `status` are what its button does; without `action` it has none.

    `answer` leads to the form that answers it; `form` is that form where it stands open.
    """

    key: str
    kind: str
    state: str
    clock: str
    watch: str
    answer: str
    author: str
    when: str
    iso: str
    text: SafeString
    link: str
    replies: tuple[ReplyRow, ...]
    action: str
    verb: str
    status: str
    label: str
    form: ReplyForm | None = None
    unsettled: str = ""
    """A change of it that is not there yet, as a sentence."""
    still: str = ""
    """Its drawing, as a link to its frame."""
    mark: SafeString = markup.NOTHING


@dataclass(frozen=True)
class CommentList:
    """Comments with everything that finds and exports them."""

    here: str
    threads: tuple[ThreadRow, ...]
    chips: tuple[FilterChip, ...]
    people: tuple[SelectOption, ...]
    sorts: tuple[SelectOption, ...]
    show: str
    query: str
    narrowed: bool
    total: int
    counts: str
    summary: str
    why_not: str
    kept: Mapping[str, str]
    menu: export_files.ExportMenu
    whole: bool
    """Whether there are no others than those known here."""


@dataclass(frozen=True)
class ListAddresses:
    """Where a list of comments stands: its page, its files, its status forms, and the link it is watched through.

    `answers` is the page where a comment can be answered, `edits` where the owner's own answers can be changed, empty where
    none can be; `last_second` the video's.
    """

    here: str
    files: str
    print: str
    status: str
    watch: str
    answers: str
    edits: str
    last_second: int | None

    @property
    def moments(self) -> str:
        """What a moment's `t=` is put behind."""
        return f"{self.watch}{'&' if '?' in self.watch else '?'}"


def build_comment_list(
    request: OwnerRequest,
    place: ListAddresses,
    threads: Sequence[Thread],
    choice: ListFilter,
    through: ReviewLink | Reason,
    now: datetime,
    names: Mapping[uuid.UUID, str] | None = None,
    forms: Mapping[str, ReplyForm] | None = None,
    *,
    whole: bool = True,
) -> CommentList:
    """`threads`: all of them. `through`: the link a change of status can go through, or the reason why none can.

    `forms`: open forms by the comment they answer. `whole`: whether there are no others.
    """
    selected = select_threads(list(threads), choice)
    opened = sum(thread.is_open for thread in threads)
    locked = isinstance(through, Reason)
    query_fields = export_files.build_query(choice)
    return CommentList(
        here=place.here,
        threads=tuple(
            build_thread_row(thread, place, now, names or {}, locked=locked, forms=forms or {}) for thread in selected
        ),
        chips=_build_chips(place.here, choice, len(threads), opened),
        people=_build_people(threads, choice),
        sorts=tuple(SelectOption(sort.value, _(word), sort == choice.sort) for sort, word in SORTS.items()),
        show=choice.show.value,
        query=choice.query,
        narrowed=choice.narrows,
        total=len(threads),
        counts=_("%(resolved)s of %(total)s resolved")
        % {"resolved": formats.number(len(threads) - opened), "total": formats.number(len(threads))},
        summary=_format_summary(len(selected), len(threads)),
        why_not=describe_problem(Problem(through)) if isinstance(through, Reason) and threads else "",
        kept=query_fields,
        menu=export_files.build_menu(request, place.files, query_fields, printed=place.print),
        whole=whole,
    )


SORTS = {
    Sort.TIME: gettext_noop("By time in the video"),
    Sort.NEWEST: gettext_noop("Newest first"),
    Sort.ACTIVITY: gettext_noop("Latest reply first"),
}


def build_thread_row(
    thread: Thread,
    place: ListAddresses,
    now: datetime,
    names: Mapping[uuid.UUID, str],
    *,
    locked: bool,
    forms: Mapping[str, ReplyForm],
) -> ThreadRow:
    """A thread as a card; with `locked` its status cannot be changed from here."""
    first = thread.first
    key, kind = str(first.comment_id), "open" if thread.is_open else "resolved"
    times = export_files.format_times(thread, place.last_second)
    watch = f"{place.moments}t={stills.get_start(first)}#c-{key}" if place.watch else ""
    return ThreadRow(
        key=key,
        kind=kind,
        state=pgettext("comment", "Open") if thread.is_open else pgettext("comment", "Resolved"),
        clock=times,
        watch=watch,
        answer=f"{place.answers}?answer={key}#answer-text" if place.answers else "",
        author=first.user_name,
        when=formats.ago(first.created_at, now) if first.created_at else "",
        iso=first.created_at.isoformat() if first.created_at else "",
        text=_render_text(strip_range(first.text, first.time, place.last_second), place),
        link=names.get(first.comment_id, ""),
        replies=tuple(_build_reply_row(reply, place, now, forms) for reply in thread.replies),
        action="" if locked else f"{place.status}{key}/",
        verb=pgettext("comment", "Resolve") if thread.is_open else pgettext("comment", "Reopen"),
        status=CommentStatus.RESOLVED.value if thread.is_open else CommentStatus.OPEN.value,
        label=_("%(name)s at %(time)s") % {"name": first.user_name, "time": times},
        form=forms.get(key),
        unsettled=describe_unsettled(first.unsettled),
        still=stills.render_still(first, watch or f"#c-{key}"),
        mark=markup.render_mark(first),
    )


def _build_reply_row(reply: Entry, place: ListAddresses, now: datetime, forms: Mapping[str, ReplyForm]) -> ReplyRow:
    at, key = reply.created_at, str(reply.comment_id)
    when, iso = (formats.ago(at, now), at.isoformat()) if at else ("", "")
    edit = f"{place.edits}?edit={key}#edit-text" if place.edits and reply.mine else ""
    return ReplyRow(
        key,
        reply.user_name,
        when,
        iso,
        _render_text(reply.text, place),
        edit,
        reply.text[:60],
        forms.get(key),
        describe_unsettled(reply.unsettled),
        markup.render_mark(reply),
    )


def _render_text(text: str, place: ListAddresses) -> SafeString:
    """A person's words: times lead to the review page, addresses are links, everything else is text."""
    if not place.watch:
        return escape(text)
    return markup.render_linked_text(text, place.last_second, place.moments)


def _build_chips(address: str, choice: ListFilter, total: int, opened: int) -> tuple[FilterChip, ...]:
    every = (
        (Show.ALL, pgettext("comments", "All"), total),
        (Show.OPEN, pgettext("comments", "Open"), opened),
        (Show.RESOLVED, pgettext("comments", "Resolved"), total - opened),
    )
    return tuple(
        FilterChip(
            word,
            address + format_query(export_files.build_query(choice, show=show.value)),
            formats.number(count),
            choice.show == show,
        )
        for show, word, count in every
    )


def format_query(pairs: Mapping[str, str]) -> str:
    return f"?{urlencode(pairs)}" if pairs else ""


def _build_people(threads: Sequence[Thread], choice: ListFilter) -> tuple[SelectOption, ...]:
    counts = count_by_name(entry.user_name for thread in threads for entry in thread.entries)
    return tuple(SelectOption(name, f"{name} ({formats.number(count)})", name == choice.by) for name, count in counts)


def _format_summary(selected: int, total: int) -> str:
    if selected == total:
        return ""
    return _("%(shown)s of %(total)s comments shown") % {
        "shown": formats.number(selected),
        "total": formats.number(total),
    }
