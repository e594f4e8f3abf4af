"""What the pages of a link and of a video have in common: whose it is, its comments, its files."""

import uuid
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from dashboard.accounts import access
from dashboard.review_links import addresses, comment_pages, cut_pages, import_links, link_pages, rules
from dashboard.review_links.comment_pages import CommentList, ListAddresses, ReplyForm
from dashboard.review_links.forms import NextCutForm
from dashboard.review_links.rules import Reason
from dashboard.shared.addresses import path_of
from dashboard.shared.http import OwnerRequest
from review_portal import decision_pages, export_files, owner_queries, owner_writes, sync
from review_portal.context import parse_filter
from review_portal.models import ReviewLink
from review_portal.threads import Thread, select_threads


def get_link_or_404(request: OwnerRequest, link_id: uuid.UUID) -> ReviewLink:
    """The account's link; another account's is not there."""
    try:
        return owner_queries.get_link(request.account, link_id)
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
        row
        for row in owner_queries.list_links(request.account, video_id)
        if preferred is None or row.pk != preferred.pk
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
    trouble, now = import_links.refresh_comments_of_link(request, link), timezone.now()
    reading = link_pages.build_freshness(sync.get_read_at(link), trouble, now)
    used = owner_queries.count_comments_by_video(request.account).get(link.video_id, 0)
    talk = load_comments_of_link(request, link, forms)
    waiting = owner_writes.list_waiting(link)
    page = link_pages.build_link_page(
        request, link, reading, talk, used, now, waiting, decision_pages.load_rows_as_owner(link)
    )
    context = {
        "page": page,
        "cuts": cut_pages.build_panel(request.account, link, now, cut_form),
        "notice": link_pages.build_notice_choice(request.account, str(link.pk)),
    }
    return render(request, "review_links/link.html", context, status=status)


def build_reply_form(
    request: OwnerRequest, link: ReviewLink, problems: Mapping[str, Sequence[str]] | None = None
) -> ReplyForm:
    """The form that answers a comment, empty or with everything typed and what is wrong with it."""
    person = str(request.session.get(access.PERSON) or request.account.name)
    query = export_files.build_query(parse_filter(request.GET))
    return ReplyForm(
        action=f"{link_address(link.pk, {})}answers/{comment_pages.format_query(query)}",
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
        owner_writes.get_own_comment(request.account, link, comment_id).text,
    )
    return ReplyForm(
        action=f"{link_address(link.pk, {})}comments/{comment_id}/{comment_pages.format_query(query)}",
        key=str(uuid.uuid4()),
        text=request.POST.get("text", text),
        name="",
        errors=problems or {},
        cancel=link_address(link.pk, query),
        opened=text,
    )


def build_link_addresses(request: OwnerRequest, link: ReviewLink) -> ListAddresses:
    """Where the comments of one link stand."""
    own_address, length = link_address(link.pk, {}), owner_queries.build_subject(link).length
    return ListAddresses(
        here=own_address,
        files=f"{own_address}export",
        print=path_of("review_links:print", link.pk),
        status=f"{own_address}comments/",
        watch=addresses.public(request, link.pk),
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
    length = owner_queries.build_subject(rows[0]).length if rows else None
    return ListAddresses(
        here=own_address,
        files=f"{own_address}export",
        print=path_of("review_links:video_print", video_id),
        status=f"{own_address}comments/",
        watch=addresses.public(request, open_first[0].pk) if open_first else "",
        answers=answers[0] if answers else "",
        edits="",
        last_second=None if length is None else int(length),
    )


def load_comments_of_link(
    request: OwnerRequest, link: ReviewLink, forms: Mapping[str, ReplyForm] | None = None
) -> CommentList:
    """The comments of a link as the address asks to see them; `forms` stand open at the comments they answer."""
    threads = owner_queries.load_threads_of_link(request.account, link)
    choice, now = parse_filter(request.GET), timezone.now()
    which = select_usable_link(request, link.video_id, link)
    whole = owner_queries.are_comments_complete([link])
    return comment_pages.build_comment_list(
        request, build_link_addresses(request, link), threads, choice, which, now, forms=forms, whole=whole
    )


def build_comments_of_video(
    request: OwnerRequest, video_id: uuid.UUID, rows: Sequence[ReviewLink], threads: Sequence[Thread]
) -> CommentList:
    """The comments of a video over all its links as the address asks to see them."""
    choice, now = parse_filter(request.GET), timezone.now()
    place, link_names = build_video_addresses(request, video_id, rows), load_link_names(request, video_id, rows)
    which, whole = rules.select_usable(rows, now), owner_queries.are_comments_complete(rows)
    return comment_pages.build_comment_list(request, place, threads, choice, which, now, link_names, whole=whole)


def load_link_names(request: OwnerRequest, video_id: uuid.UUID, rows: Sequence[ReviewLink]) -> dict[uuid.UUID, str]:
    """The link each comment came through, where there are several and it is known."""
    return owner_queries.load_link_names(request.account, video_id) if len(rows) > 1 else {}


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
        back = base.removesuffix("export") + comment_pages.format_query(query)
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
    choice, now = parse_filter(request.GET), timezone.now()
    selected = select_threads(list(threads), choice)
    last = None if about.length is None else int(about.length)
    lines = tuple(
        export_files.build_line(thread, last, now, (link_names or {}).get(thread.first.comment_id, ""))
        for thread in selected
    )
    query = export_files.build_query(choice)
    page = link_pages.PrintPage(
        title=about.title or about.link,
        subtitle=about.link if about.title else "",
        summary=export_files.format_summary(threads, selected, whole=about.whole),
        lines=lines,
        decisions=about.decisions,
        cut=about.cut,
        back=back + (f"?{urlencode(query)}" if query else ""),
    )
    return render(request, "review_links/print.html", {"page": page})
