"""The pages of one link and of one video over all its links: the address, the comments, the cuts, the files."""

import io
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

import segno
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.notices import subscriptions
from dashboard.platform_api.errors import CallError
from dashboard.review_links import rules, tasks
from dashboard.review_links.forms import NextCutForm, describe_problem
from dashboard.review_links.pages import (
    Badge,
    FilterChip,
    LinkRow,
    SelectOption,
    build_badge,
    get_video_title,
)
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared import formats, marks, refusals
from dashboard.shared.addresses import address, path_of
from dashboard.shared.http import OwnerRequest
from dashboard.shared.marks import QR_BORDER
from dashboard.upstream import clients
from review_portal import cuts, decisions, export_files, owners, sync, viewings
from review_portal.context import parse_filter
from review_portal.cuts import CutRefusal
from review_portal.export_files import format_cut
from review_portal.models import Claim, Decision, ReviewLink
from review_portal.owners import CountedLink
from review_portal.rules import ListFilter as ListFilter
from review_portal.rules import Show, Sort, count_by_name
from review_portal.threads import Thread, select_threads


def get_public_address(request: HttpRequest, link_id: uuid.UUID) -> str:
    """`{review_url}/{id}` where one is configured [2.3], else this installation's own portal."""
    elsewhere = clients.config().review_url
    return f"{elsewhere}/{link_id}" if elsewhere else request.build_absolute_uri(f"/{link_id}")


def draw_code(address: str, kind: str) -> bytes:
    """The QR code as a file, `svg` or `png`, big enough for print."""
    out = io.BytesIO()
    segno.make(address, error="m").save(out, kind=kind, scale=16, border=QR_BORDER, dark="#000", light="#fff")
    return out.getvalue()


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
class CommentList:
    """Comments with everything that finds and exports them."""

    here: str
    threads: Sequence[Thread]
    place: "ListAddresses"
    links: Mapping[uuid.UUID, str]
    """The link a comment came through, where there are several."""
    forms: Mapping[str, ReplyForm]
    """Those that stand open, by the comment they belong to."""
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
    last_second: int | None
    files: str = ""
    print: str = ""
    status: str = ""
    watch: str = ""
    answers: str = ""
    edits: str = ""

    @property
    def room(self) -> str:
        """What a moment's `t=` is put behind; "" where nothing can be watched."""
        return f"{self.watch}{'&' if '?' in self.watch else '?'}" if self.watch else ""


def build_comment_list(
    request: OwnerRequest,
    place: ListAddresses,
    threads: Sequence[Thread],
    choice: ListFilter,
    through: ReviewLink | Reason,
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
    query_fields = export_files.build_query(choice)
    return CommentList(
        here=place.here,
        threads=selected,
        place=replace(place, status="") if isinstance(through, Reason) else place,
        links=names or {},
        forms=forms or {},
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


CANDIDATES_MAX = 200


@dataclass(frozen=True)
class CutRow:
    """One cut of the series: `address` is its own page on the desk."""

    number: int
    name: str
    video: str
    address: str
    badge: Badge
    is_current: bool
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class CutPanel:
    """templates/review_links/_cuts.html. With `rows` the link is a cut; else `form` makes it one, where there is a choice."""

    rows: tuple[CutRow, ...]
    is_own: bool
    form: NextCutForm | None
    action: str


def build_panel(account: Account, link: ReviewLink, now: datetime, form: NextCutForm | None = None) -> CutPanel:
    """The series of a link, or the form that begins one; `form` is one that was refused."""
    numbered = cuts.list_cuts(link)
    rows = tuple(
        CutRow(
            number=cut.number,
            name=cut.link.name or _("Link without a name"),
            video=get_video_title(cut.link),
            address=reverse("review_links:link", args=[cut.link.pk]),
            badge=build_badge(cut.link, now),
            is_current=cut.link.pk == link.pk,
            is_first=cut.number == 1,
            is_last=cut.number == len(numbered),
        )
        for cut in numbered
    )
    if not rows and form is None:
        form = build_form(account, link, link.video_id)
    return CutPanel(
        rows=rows,
        is_own=cuts.owns_series(account, link),
        form=form if form is not None and form.has_choices else None,
        action=reverse("review_links:cuts", args=[link.pk]),
    )


def build_form(
    account: Account, link: ReviewLink | None, video_id: uuid.UUID, data: Mapping[str, str] | None = None
) -> NextCutForm:
    """The form that makes a link, or a new one of the video, the next cut of another link of the account."""
    numbers = cuts.load_numbers(account)
    links = list(cuts.list_candidates(account, link, video_id)[:CANDIDATES_MAX])
    return NextCutForm({row: _name_candidate(row, numbers) for row in links}, data)


def _name_candidate(link: ReviewLink, numbers: Mapping[uuid.UUID, tuple[int, int]]) -> str:
    name = f"{link.name or link.pk}: {get_video_title(link)}"
    number, total = numbers.get(link.pk, (0, 0))
    return f"{name} ({format_cut(number, total)})" if number else name


def describe_refusal(refusal: CutRefusal) -> str:
    """Why a link does not become the next cut, and what to do."""
    return {
        CutRefusal.SAME_LINK: _("Choose another link: this is the link itself."),
        CutRefusal.SAME_VIDEO: _("Choose another link: that series has a link of this video already."),
        CutRefusal.IN_SERIES: _("This link is a cut already. Remove it from its series first."),
        CutRefusal.OF_OTHERS: _("Another account declared the series of that link. Change it there."),
        CutRefusal.TOO_MANY: _("That series has %(most)s cuts, the most there can be.") % {"most": cuts.CUTS_MAX},
    }[refusal]


@dataclass(frozen=True)
class Freshness:
    """How fresh the comments are, and what to say when they cannot be."""

    sentence: str
    trouble: str
    unreadable: bool


@dataclass(frozen=True)
class LinkPage:
    """templates/review_links/link.html. `decisions`: of its reviewers, newest first; `waiting`: what is not there yet."""

    row: LinkRow
    public: str
    code: SafeString
    talk: CommentList
    reading: Freshness
    poll: str
    waiting: Sequence[owners.WaitingWrite]
    why_no_decisions: str
    """Why the next decision cannot become a comment, where the owner wishes that it does."""
    decisions: Sequence[Decision]
    watched: tuple[viewings.WatchedRow, ...]

    @property
    def link(self) -> ReviewLink:
        return self.row.link

    @property
    def name(self) -> str:
        return self.link.name or _("Link without a name")

    @property
    def zone(self) -> str:
        return formats.zone_name()

    @property
    def closes_full(self) -> str:
        """“Friday, November 27, 2026, 18:00” in the zone of the page."""
        return formats.moment(self.link.expires_at, "full") if self.link.expires_at else ""


@dataclass(frozen=True)
class VideoCommentsPage:
    """templates/review_links/video.html."""

    id: str
    title: str
    length: str
    links: tuple[LinkRow, ...]
    talk: CommentList
    reading: Freshness
    claims: tuple[Claim, ...]


def _describe_unsent(link: ReviewLink, now: datetime) -> str:
    problem = decisions.why_not_sent(link, now)
    if problem is None:
        return ""
    if problem.limit:
        return _("The video has %(limit)s comments, the most the platform allows. New decisions stay in Reelroom.") % {
            "limit": problem.limit
        }
    return _("This link takes no comments. New decisions stay in Reelroom.")


def build_video_page(
    video_id: uuid.UUID,
    about: export_files.ExportSubject,
    rows: Sequence[CountedLink],
    talk: CommentList,
    reading: Freshness,
    used: int,
    now: datetime,
    claims: Iterable[Claim] = (),
    cuts: Mapping[uuid.UUID, tuple[int, int]] | None = None,
) -> VideoCommentsPage:
    """One video over all the account's links of it; `claims`: those imported and not confirmed. `cuts`: numbers of cuts."""
    return VideoCommentsPage(
        id=str(video_id),
        title=about.title or _("Video without a title"),
        length="" if about.length is None else formats.clock(about.length),
        links=tuple(LinkRow(link, now, used, (cuts or {}).get(link.pk)) for link in rows),
        talk=talk,
        reading=reading,
        claims=tuple(claims),
    )


def build_freshness(at: datetime | None, error: CallError | None, now: datetime) -> Freshness:
    """How fresh the comments are. `at`: when they were last read from the platform; None: never."""
    if not sync.is_readable():
        return Freshness("", "", unreadable=True)
    trouble = refusals.explain(error).sentence if error else ""
    if at is None:
        return Freshness(_("Not read from the platform yet."), trouble, unreadable=False)
    return Freshness(_("Read from the platform %(ago)s.") % {"ago": formats.ago(at, now)}, trouble, unreadable=False)


@dataclass(frozen=True)
class NoticeChoice:
    """How often e-mails tell of this link: value, label and whether it is chosen; the first is that of all links."""

    action: str
    options: tuple[tuple[str, str, bool], ...]


def build_notice_choice(account: Account, scope: str) -> NoticeChoice | None:
    """None where no e-mail can be sent."""
    if not subscriptions.is_offered():
        return None
    current = subscriptions.get_choice(account, scope) or ""
    options = [("", _("As for all links")), *((value, str(label)) for value, label in subscriptions.RHYTHMS)]
    return NoticeChoice(
        address("notices:link", scope), tuple((value, label, value == current) for value, label in options)
    )


def get_link_or_404(request: OwnerRequest, link_id: uuid.UUID) -> ReviewLink:
    """The account's link; another account's is not there."""
    try:
        return owners.get_link(request.account, link_id)
    except ObjectDoesNotExist as error:
        raise Http404 from error


def link_address(link_id: uuid.UUID, query: Mapping[str, str]) -> str:
    """A link's page with its filters."""
    return path_of("review_links:link", link_id) + (f"?{urlencode(query)}" if query else "")


def video_address(video_id: uuid.UUID, query: Mapping[str, str]) -> str:
    """A video's page with its filters."""
    return path_of("review_links:video", video_id) + (f"?{urlencode(query)}" if query else "")


def select_usable_link(
    request: OwnerRequest, video_id: uuid.UUID, preferred: ReviewLink | None = None
) -> ReviewLink | Reason:
    """The link that a change of status can go through: `first` where it allows that, else another one of the video."""
    others = [
        row for row in owners.list_links(request.account, video_id) if preferred is None or row.pk != preferred.pk
    ]
    return rules.select_usable([*([preferred] if preferred else []), *others], timezone.now())


def render_link_page(
    request: OwnerRequest,
    link: ReviewLink,
    forms: Mapping[str, ReplyForm],
    status: int = 200,
    cut_form: NextCutForm | None = None,
) -> HttpResponse:
    """The page of one link; `forms` stand open at the comments they answer. `cut_form`: one that was refused."""
    trouble, now = tasks.refresh_comments_of_link(request, link), timezone.now()
    reading = build_freshness(sync.get_read_at(link), trouble, now)
    used = owners.count_comments_by_video(request.account).get(link.video_id, 0)
    talk = load_comments_of_link(request, link, forms)
    public = get_public_address(request, link.pk)
    page = LinkPage(
        row=LinkRow(link, now, used),
        public=public,
        code=marks.draw_qr_code(public, _("QR code of the review page")),
        talk=talk,
        reading=reading,
        poll=f"{talk.here}news/{format_query({**talk.kept, 'v': str(link.version)})}",
        waiting=owners.list_waiting(link),
        why_no_decisions=_describe_unsent(link, now) if link.send_decisions else "",
        decisions=decisions.load_as_owner(link),
        watched=viewings.build_watched_rows(link),
    )
    context = {
        "page": page,
        "cuts": build_panel(request.account, link, now, cut_form),
        "notice": build_notice_choice(request.account, str(link.pk)),
    }
    return render(request, "review_links/link.html", context, status=status)


def build_reply_form(
    request: OwnerRequest, link: ReviewLink, problems: Mapping[str, Sequence[str]] | None = None
) -> ReplyForm:
    """The form that answers a comment, empty or with everything typed and what is wrong with it."""
    person = str(request.session.get(access.PERSON) or request.account.name)
    query = export_files.build_query(parse_filter(request.GET))
    return ReplyForm(
        action=f"{link_address(link.pk, {})}answers/{format_query(query)}",
        key=str(uuid.uuid4()),
        text=request.POST.get("text", ""),
        name=request.POST.get("user_name", rules.clean_person_name(person)),
        errors=problems or {},
        cancel=link_address(link.pk, query),
    )


def build_open_forms(request: OwnerRequest, link: ReviewLink) -> dict[str, ReplyForm]:
    """The forms that the address asks for, by the comment they stand at."""
    answered, edited = request.GET.get("answer", ""), request.GET.get("edit", "")
    if answered:
        return {answered: build_reply_form(request, link)} if takes_answers(link) else {}
    try:
        form = build_edit_form(request, link, uuid.UUID(edited))
    except (ValueError, ObjectDoesNotExist):
        return {}
    return {edited: form} if is_usable(link) else {}


def build_edit_form(
    request: OwnerRequest, link: ReviewLink, comment_id: uuid.UUID, problems: Mapping[str, Sequence[str]] | None = None
) -> ReplyForm:
    """The form that changes an answer of the owner's own. Raises `ObjectDoesNotExist` for everything else."""
    query, text = (
        export_files.build_query(parse_filter(request.GET)),
        owners.get_own_comment(request.account, link, comment_id).text,
    )
    return ReplyForm(
        action=f"{link_address(link.pk, {})}comments/{comment_id}/{format_query(query)}",
        key=str(uuid.uuid4()),
        text=request.POST.get("text", text),
        name="",
        errors=problems or {},
        cancel=link_address(link.pk, query),
        opened=text,
    )


def build_link_addresses(request: OwnerRequest, link: ReviewLink) -> ListAddresses:
    """Where the comments of one link stand."""
    own_address, length = link_address(link.pk, {}), owners.build_subject(link).length
    return ListAddresses(
        here=own_address,
        files=f"{own_address}export",
        print=path_of("review_links:print", link.pk),
        status=f"{own_address}comments/",
        watch=get_public_address(request, link.pk),
        answers=own_address if takes_answers(link) else "",
        edits=own_address if is_usable(link) else "",
        last_second=None if length is None else int(length),
    )


def is_usable(link: ReviewLink) -> bool:
    """Whether what stands there can be changed through the link [4.8]."""
    return rules.state_of(link, timezone.now()) in rules.USABLE


def takes_answers(link: ReviewLink) -> bool:
    """Whether something new can be written through the link [4.7]."""
    return bool(link.allow_comment) and is_usable(link)


def build_video_addresses(request: OwnerRequest, video_id: uuid.UUID, rows: Sequence[ReviewLink]) -> ListAddresses:
    """Where the comments of one video stand; they are watched through an open link, if there is one."""
    own_address, now = video_address(video_id, {}), timezone.now()
    open_first = sorted(rows, key=lambda row: rules.state_of(row, now) not in rules.USABLE)
    answers = [link_address(row.pk, {}) for row in rows if takes_answers(row)]
    length = owners.build_subject(rows[0]).length if rows else None
    return ListAddresses(
        here=own_address,
        files=f"{own_address}export",
        print=path_of("review_links:video_print", video_id),
        status=f"{own_address}comments/",
        watch=get_public_address(request, open_first[0].pk) if open_first else "",
        answers=answers[0] if answers else "",
        edits="",
        last_second=None if length is None else int(length),
    )


def load_comments_of_link(
    request: OwnerRequest, link: ReviewLink, forms: Mapping[str, ReplyForm] | None = None
) -> CommentList:
    """The comments of a link as the address asks to see them; `forms` stand open at the comments they answer."""
    threads = owners.load_threads_of_link(request.account, link)
    choice = parse_filter(request.GET)
    which = select_usable_link(request, link.video_id, link)
    whole = owners.are_comments_complete([link])
    return build_comment_list(
        request, build_link_addresses(request, link), threads, choice, which, forms=forms, whole=whole
    )


def build_comments_of_video(
    request: OwnerRequest, video_id: uuid.UUID, rows: Sequence[ReviewLink], threads: Sequence[Thread]
) -> CommentList:
    """The comments of a video over all its links as the address asks to see them."""
    choice, now = parse_filter(request.GET), timezone.now()
    place, link_names = build_video_addresses(request, video_id, rows), load_link_names(request, video_id, rows)
    which, whole = rules.select_usable(rows, now), owners.are_comments_complete(rows)
    return build_comment_list(request, place, threads, choice, which, link_names, whole=whole)


def load_link_names(request: OwnerRequest, video_id: uuid.UUID, rows: Sequence[ReviewLink]) -> dict[uuid.UUID, str]:
    """The link each comment came through, where there are several and it is known."""
    return owners.load_link_names(request.account, video_id) if len(rows) > 1 else {}


def render_file(
    request: OwnerRequest,
    extension: str,
    threads: Sequence[Thread],
    about: export_files.ExportSubject,
    link_names: Mapping[uuid.UUID, str] | None = None,
) -> HttpResponse:
    """The threads that the address asks for, as a file; a timeline that cannot be is asked for again."""
    timeline = export_files.parse_timeline(request)
    choice = parse_filter(request.GET)
    if timeline.problem:
        base, query = request.path.removesuffix(f".{extension}"), export_files.build_query(choice)
        menu = export_files.build_menu(request, base, query, printed="")
        back = base.removesuffix("export") + format_query(query)
        return render(
            request, "review_links/export.html", {"menu": menu, "title": about.title, "back": back}, status=422
        )
    try:
        file = export_files.render_file(
            extension, select_threads(list(threads), choice), about, timeline, timezone.now(), link_names
        )
    except KeyError as error:
        raise Http404 from error
    return export_files.build_download(file, timeline)


def render_print(
    request: OwnerRequest,
    threads: Sequence[Thread],
    about: export_files.ExportSubject,
    back: str,
    link_names: Mapping[uuid.UUID, str] | None = None,
) -> HttpResponse:
    """The threads that the address asks for, to print or to save as PDF."""
    choice = parse_filter(request.GET)
    selected, query = select_threads(list(threads), choice), export_files.build_query(choice)
    context = {
        "title": about.title or about.link,
        "subtitle": about.link if about.title else "",
        "summary": export_files.format_summary(threads, selected, whole=about.whole),
        "threads": selected,
        "place": about,
        "links": link_names,
        "decisions": about.decisions,
        "cut": about.cut,
        "back": back + (f"?{urlencode(query)}" if query else ""),
    }
    return render(request, "review_links/print.html", context)
