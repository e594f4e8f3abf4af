"""Funnels: the list, the board with its list, videos to add, and sending with everything said before."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard import clients
from dashboard.funnels import drafts as drafting
from dashboard.funnels import folders, forms, library, pages, review_pages, rules, writes
from dashboard.funnels.forms import Arrangement
from dashboard.funnels.models import Draft
from dashboard.funnels.rules import Card, Problem
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.platform_api.records.funnels import Funnel
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.shared.listing import Listing, listing
from dashboard.upstream import reads
from dashboard.upstream.parallel import beside
from dashboard.upstream.reads import Query
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.requests import is_current

KEPT_SECONDS = 20.0
"""How old the funnel may be that a drag is compared with while it is kept."""


@require_safe
def funnels(request: OwnerRequest) -> HttpResponse:
    """Every funnel, filtered by name, with what is unsent; with chosen videos, the funnel they come onto is asked for."""
    chosen = library.chosen(request.GET)
    if wanted := request.GET.get("id", "").strip():
        return redirect(pages.opened_at(wanted, chosen))
    drafts = set(Draft.objects.filter(account_id=request.account.pk).values_list("funnel_id", flat=True))
    read = partial(reads.of(request).get, lambda platform: platform.funnels.list())
    listed, spare = beside(partial(listing, read), folders=partial(folders.names, request))
    if listed.unlisted and (found := writes.list_in_folders(request.account, reads.of(request).get)):
        listed = Listing(tuple(found))
    page = pages.funnels_page(listed, drafts, folders.known(spare["folders"]), chosen, find=request.GET.get("find", ""))
    return render(request, "funnels/funnels.html", {"page": page}, status=listed.status)


@require_safe
def funnel(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """The board and the same as a list, with what is unsent over what the platform has."""
    found, spare = beside(partial(_read, request, funnel_id), folders=partial(folders.names, request))
    return _show(request, found, _cards(request, found), called=folders.known(spare["folders"]))


@require_POST
def arrange(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """Keep what the form brings, then do what was pressed. With script: only the words of what is unsent."""
    act, _colon, which = request.POST.get("act", "review").partition(":")
    found = _read(request, funnel_id, KEPT_SECONDS if request.htmx else 0.0)
    if act == "discard":
        drafting.discard(request.account.pk, found.id)
        return redirect("funnels:funnel", found.id)
    given = forms.arrangement(request.POST, _cards(request, found))
    cards = given.cards
    if act == "tidy":
        places = rules.tidy(cards)
        cards = tuple(replace(card, x=places[card.id][0], y=places[card.id][1]) for card in cards)
    if act == "remove":
        cards = tuple(card for card in cards if not (card.added and card.id == which))
    drafting.keep(request.account.pk, found.id, cards)
    if request.htmx:
        context = {"unsent": pages.unsent_words(cards)}
        return render(request, "funnels/_unsent.html", context, status=422 if given.errors else 200)
    if given.errors:
        return _show(request, found, cards, given)
    onward = {"add": "funnels:add", "review": "funnels:review"}.get(act, "funnels:funnel")
    return redirect(onward, found.id)


@require_http_methods(["GET", "POST"])
def add(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """Videos of the library, searched and in pages, and those its address brings; chosen ones come onto the board."""
    posted = request.method == "POST"
    wish = library.asked(request.POST if posted else request.GET)
    shelf = library.read(request, funnel_id, wish)
    if posted and shelf.chosen and not shelf.wrong:
        count = drafting.add(request.account.pk, shelf.funnel, shelf.chosen)
        messages.success(request, pages.added_words(count))
        return redirect("funnels:funnel", shelf.funnel.id)
    problem = pages.add_problem(shelf) if posted else ""
    shown = pages.add_page(shelf, _cards(request, shelf.funnel), wish, problem=problem)
    return render(request, "funnels/add.html", {"page": shown}, status=422 if problem else 200)


@require_safe
def review(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """Every difference, and what it changes elsewhere, before anything leaves."""
    found = writes.open_funnel(reads.anew(request).get, request.account, funnel_id)
    return _review(request, found, _cards(request, found))


@require_POST
def send(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """Send what was reviewed, or show its request. While a sending is not confirmed, nothing more is sent."""
    key = writes.get_next_key(request.account, funnel_id)
    found = writes.open_funnel(reads.anew(request).get, request.account, funnel_id)
    cards, draft = _cards(request, found), drafting.find(request.account.pk, found.id)
    problem = rules.problem(cards)
    if draft is None or problem is Problem.NOTHING:
        if draft:
            drafting.discard(request.account.pk, found.id)
            messages.success(request, _("The platform has it as you arranged it."))
        return redirect("funnels:funnel", found.id)
    if problem:
        return redirect("funnels:review", found.id)
    if dry_run.asked(request):
        platform = clients.platform(request)
        shown = dry_run.show(platform.preview(lambda p: p.funnels.add_videos(found.id, rules.payload(cards))))
        return _review(request, found, cards, shown=shown)
    if sending := writes.find_open(request.account, found.id):
        outbox.wait_for_answer(sending)
        return _after_sending(request, sending)
    try:
        write = writes.send_funnel(request, found, cards, key)
    except PlatformError as error:
        return _review(request, found, cards, refusal=refusals.explain(error))
    return _after_sending(request, write)


def _after_sending(request: OwnerRequest, write: Write) -> HttpResponse:
    if write.state == State.DONE:
        messages.success(request, _("Sent. The funnel on the platform is as you arranged it."))
        return go(request, "funnels:funnel", write.subject)
    return go(request, "funnels:review", write.subject)


@require_safe
def progress(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """The polled part of the review: 204 while nothing changed; once the sending has ended, its page."""
    write = writes.find_open(request.account, funnel_id)
    if write is None:
        unsent = drafting.find(request.account.pk, funnel_id)
        return go(request, "funnels:review" if unsent else "funnels:funnel", funnel_id)
    part = review_pages.sending_part(write)
    if request.GET.get("v") == part.version:
        return unchanged()
    return render(request, "funnels/_sending.html", {"sending": part})


@require_POST
def arrived(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """The person says that an unconfirmed sending arrived."""
    write = _sending_or_404(request, funnel_id)
    if is_current(request, write):
        outbox.confirm(write)
    return _after_sending(request, write)


@require_POST
def again(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """The person says that an unconfirmed sending did not arrive: it is sent once more."""
    write = _sending_or_404(request, funnel_id)
    if is_current(request, write):
        outbox.send_again(write)
        if isinstance(write.raised, BadToken):
            raise write.raised
        if write.state == State.REFUSED and write.raised is not None:
            explained = refusals.explain(write.raised)
            messages.error(request, explained.whole)
    return _after_sending(request, write)


def _sending_or_404(request: OwnerRequest, funnel_id: str) -> Write:
    write = writes.find_last(request.account, funnel_id)
    if write is None:
        raise Http404
    return write


def _review(
    request: OwnerRequest,
    found: Funnel,
    cards: tuple[Card, ...],
    *,
    refusal: refusals.Explained | None = None,
    shown: dry_run.DryRun | None = None,
) -> HttpResponse:
    last = writes.find_last(request.account, found.id)
    moves = None if rules.problem(cards) else folders.moves(request, found, rules.to_send(cards))
    context = {"page": review_pages.review_page(found, cards, moves, last), "refusal": refusal, "dry_run": shown}
    return render(request, "funnels/review.html", context, status=422 if refusal else 200)


def _show(
    request: OwnerRequest,
    found: Funnel,
    cards: tuple[Card, ...],
    given: Arrangement | None = None,
    called: Mapping[str, str] | None = None,
) -> HttpResponse:
    sending = writes.find_open(request.account, found.id)
    page = pages.funnel_page(found, cards, sending, given, account=str(request.account.pk), called=called)
    context = {"page": page, "words": pages.script_words(page)}
    return render(request, "funnels/funnel.html", context, status=422 if given else 200)


def _cards(request: OwnerRequest, found: Funnel) -> tuple[Card, ...]:
    return rules.board(found, drafting.wanted(drafting.find(request.account.pk, found.id)))


def _read(request: OwnerRequest, funnel_id: str, seconds: float | None = None) -> Funnel:
    reader = reads.of(request)
    return writes.open_funnel(lambda call: reader.get(Query(call, seconds)), request.account, funnel_id)
