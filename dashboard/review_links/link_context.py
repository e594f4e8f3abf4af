"""What the pages of a link and of a video have in common: whose it is, its comments, its files."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from dashboard.accounts import access
from dashboard.review_links import addresses, comment_pages, import_links, link_pages, rules
from dashboard.review_links.comment_pages import Answer, Place, Talk
from dashboard.shared.http import OwnerRequest
from review_portal import links


def link_or_404(request: OwnerRequest, link_id: uuid.UUID) -> Any:
    """The account's link; another account's is not there."""
    try:
        return links.link_of(request.account, link_id)
    except ObjectDoesNotExist as error:
        raise Http404 from error


def address(link_id: uuid.UUID, query: Mapping[str, str]) -> str:
    """A link's page with its filters."""
    return reverse("review_links:link", args=[link_id]) + (f"?{urlencode(query)}" if query else "")


def video_address(video_id: uuid.UUID, query: Mapping[str, str]) -> str:
    """A video's page with its filters."""
    return reverse("review_links:video", args=[video_id]) + (f"?{urlencode(query)}" if query else "")


def through(request: OwnerRequest, video_id: uuid.UUID, first: Any = None) -> Any:
    """The link that a change of status can go through: `first` where it allows that, else another one of the video."""
    others = [row for row in links.links_of(request.account, video_id) if first is None or row.pk != first.pk]
    return rules.through([*([first] if first else []), *others], timezone.now())


def link_page(request: OwnerRequest, link: Any, forms: Mapping[str, Answer], status: int = 200) -> HttpResponse:
    """The page of one link; `forms` stand open at the comments they answer."""
    trouble, now = import_links.follow(request, link), timezone.now()
    reading = link_pages.reading_of(links.read_at(link), trouble, now)
    used = links.used_comments(request.account).get(link.video_id, 0)
    talk = talk_of_link(request, link, forms)
    waiting = links.waiting(link)
    page = link_pages.link_page(request, link, reading, talk, used, now, waiting, links.show_decisions(link))
    return render(request, "review_links/link.html", {"page": page}, status=status)


def answer_form(request: OwnerRequest, link: Any, problems: Mapping[str, Sequence[str]] | None = None) -> Answer:
    """The form that answers a comment, empty or with everything typed and what is wrong with it."""
    person = str(request.session.get(access.PERSON) or request.account.name)
    back = address(link.pk, links.query_of(links.choice_of(request.GET)))
    return Answer(
        action=f"{address(link.pk, {})}answers/{comment_pages.query(links.query_of(links.choice_of(request.GET)))}",
        key=str(uuid.uuid4()),
        text=request.POST.get("text", ""),
        name=request.POST.get("user_name", rules.person_name(person)),
        errors=problems or {},
        cancel=back,
    )


def asked_forms(request: OwnerRequest, link: Any) -> dict[str, Answer]:
    """The forms that the address asks for, by the comment they stand at."""
    answered, edited = request.GET.get("answer", ""), request.GET.get("edit", "")
    if answered:
        return {answered: answer_form(request, link)} if takes_answers(link) else {}
    try:
        form = edit_form(request, link, uuid.UUID(edited))
    except (ValueError, ObjectDoesNotExist):
        return {}
    return {edited: form} if is_usable(link) else {}


def edit_form(
    request: OwnerRequest, link: Any, comment_id: uuid.UUID, problems: Mapping[str, Sequence[str]] | None = None
) -> Answer:
    """The form that changes an answer of the owner's own. Raises `ObjectDoesNotExist` for everything else."""
    query, text = links.query_of(links.choice_of(request.GET)), links.own(request.account, link, comment_id).text
    return Answer(
        action=f"{address(link.pk, {})}comments/{comment_id}/{comment_pages.query(query)}",
        key=str(uuid.uuid4()),
        text=request.POST.get("text", text),
        name="",
        errors=problems or {},
        cancel=address(link.pk, query),
        opened=text,
    )


def place_of_link(request: OwnerRequest, link: Any) -> Place:
    """Where the comments of one link stand."""
    here, length = address(link.pk, {}), links.about(link).length
    return Place(
        here=here,
        files=f"{here}export",
        print=reverse("review_links:print", args=[link.pk]),
        status=f"{here}comments/",
        watch=addresses.public(request, link.pk),
        answers=here if takes_answers(link) else "",
        edits=here if is_usable(link) else "",
        last_second=None if length is None else int(length),
    )


def is_usable(link: Any) -> bool:
    """Whether what stands there can be changed through the link [4.8]."""
    return rules.state_of(link, timezone.now()) in rules.USABLE


def takes_answers(link: Any) -> bool:
    """Whether something new can be written through the link [4.7]."""
    return bool(link.allow_comment) and is_usable(link)


def place_of_video(request: OwnerRequest, video_id: uuid.UUID, rows: Sequence[Any]) -> Place:
    """Where the comments of one video stand; they are watched through an open link, if there is one."""
    here, now = video_address(video_id, {}), timezone.now()
    open_first = sorted(rows, key=lambda row: rules.state_of(row, now) not in rules.USABLE)
    answers = [address(row.pk, {}) for row in rows if takes_answers(row)]
    length = links.about(rows[0]).length if rows else None
    return Place(
        here=here,
        files=f"{here}export",
        print=reverse("review_links:video_print", args=[video_id]),
        status=f"{here}comments/",
        watch=addresses.public(request, open_first[0].pk) if open_first else "",
        answers=answers[0] if answers else "",
        edits="",
        last_second=None if length is None else int(length),
    )


def talk_of_link(request: OwnerRequest, link: Any, forms: Mapping[str, Answer] | None = None) -> Talk:
    """The comments of a link as the address asks to see them; `forms` stand open at the comments they answer."""
    threads = links.threads_of_link(request.account, link)
    choice, now = links.choice_of(request.GET), timezone.now()
    which = through(request, link.video_id, link)
    whole = links.are_counted([link])
    return comment_pages.talk(
        request, place_of_link(request, link), threads, choice, which, now, forms=forms, whole=whole
    )


def talk_of_video(request: OwnerRequest, video_id: uuid.UUID, rows: Sequence[Any]) -> Talk:
    """The comments of a video over all its links as the address asks to see them."""
    threads = links.threads_of_video(request.account, video_id)
    choice, now = links.choice_of(request.GET), timezone.now()
    place, named = place_of_video(request, video_id, rows), names(request, video_id, rows)
    which, whole = rules.through(rows, now), links.are_counted(rows)
    return comment_pages.talk(request, place, threads, choice, which, now, named, whole=whole)


def names(request: OwnerRequest, video_id: uuid.UUID, rows: Sequence[Any]) -> dict[uuid.UUID, str]:
    """The link each comment came through, where there are several and it is known."""
    return links.written_through(request.account, video_id) if len(rows) > 1 else {}


def file_of(
    request: OwnerRequest,
    extension: str,
    threads: Sequence[links.Thread],
    about: links.About,
    named: Mapping[Any, str] | None = None,
) -> HttpResponse:
    """The threads that the address asks for, as a file; a timeline that cannot be is asked for again."""
    timeline = links.timeline_of(request)
    choice = links.choice_of(request.GET)
    if timeline.problem:
        base, kept = request.path.removesuffix(f".{extension}"), links.query_of(choice)
        menu = links.menu(request, base, kept, printed="")
        back = base.removesuffix("export") + comment_pages.query(kept)
        return render(
            request, "review_links/export.html", {"menu": menu, "title": about.title, "back": back}, status=422
        )
    try:
        file = links.as_file(extension, links.chosen(list(threads), choice), about, timeline, timezone.now(), named)
    except KeyError as error:
        raise Http404 from error
    return links.handed_over(file, timeline)


def paper(
    request: OwnerRequest,
    threads: Sequence[links.Thread],
    about: links.About,
    back: str,
    named: Mapping[Any, str] | None = None,
) -> HttpResponse:
    """The threads that the address asks for, to print or to save as PDF."""
    choice, now = links.choice_of(request.GET), timezone.now()
    shown = links.chosen(list(threads), choice)
    last = None if about.length is None else int(about.length)
    lines = tuple(links.line(thread, last, now, (named or {}).get(thread.first.comment_id, "")) for thread in shown)
    query = links.query_of(choice)
    page = link_pages.PrintPage(
        title=about.title or about.link,
        subtitle=about.link if about.title else "",
        summary=links.summary(threads, shown, whole=about.whole),
        lines=lines,
        decisions=about.decisions,
        back=back + (f"?{urlencode(query)}" if query else ""),
    )
    return render(request, "review_links/print.html", {"page": page})
