"""Funnels: the list, the board with its list, videos to add, and sending with everything said before."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.funnels import models, pages, rules, writes
from dashboard.funnels.models import Draft
from dashboard.funnels.pages import Arrangement
from dashboard.funnels.rules import Card, FunnelProblem
from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.errors import BadToken, CallError, Missing, NotAllowed, PlatformError, Unreachable
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.videos import Video
from dashboard.shared import http, refusals
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.shared.refusals import Listing, listing
from dashboard.shared.text import parse_uuid
from dashboard.upstream import clients, reads
from dashboard.upstream.parallel import beside
from dashboard.upstream.reads import Query
from dashboard.upstream.video_options import (
    FIND,
    VideoPicker,
    format_problems,
    list_video_ids,
    load_picker,
    load_problems,
)
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.pages import open_write
from dashboard.writes.requests import is_current

TYPED_MOST = 5_000
"""Characters of ids that one form may bring."""
ARRANGE_AGE_SECONDS = 20.0
"""How old the funnel may be that a drag is compared with while it is kept."""


@require_safe
def funnels(request: OwnerRequest) -> HttpResponse:
    """Every funnel, filtered by name, with what is unsent; with chosen videos, the funnel they come onto is asked for."""
    video_ids = list_video_ids(request.GET.getlist("video"))
    if funnel_id := request.GET.get("id", "").strip():
        return redirect(pages.get_funnel_address(funnel_id, video_ids))
    draft_ids = set(Draft.objects.filter(account_id=request.account.pk).values_list("funnel_id", flat=True))
    read = partial(reads.of(request).get, lambda platform: platform.funnels.list())
    result, side_reads = beside(partial(listing, read), folders=partial(pages.load_folder_names, request))
    if result.unlisted and (funnels_of_folders := writes.list_in_folders(request.account, reads.of(request).get)):
        result = Listing(tuple(funnels_of_folders))
    find, folder_names = request.GET.get("find", ""), pages.get_folder_names(side_reads["folders"])
    context = {
        "funnels": [
            (
                funnel,
                pages.get_funnel_address(funnel.id, video_ids),
                rules.find_entry(funnel),
                folder_names.get(funnel.folder_id or ""),
            )
            for funnel in result.found
            if find.casefold() in funnel.name.casefold()
        ],
        "page": result,
        "drafts": draft_ids,
        "find": find,
        "chosen": video_ids,
    }
    return render(request, "funnels/funnels.html", context, status=result.status)


@require_safe
def funnel(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """The board and the same as a list, with what is unsent over what the platform has."""
    record, side_reads = beside(
        partial(_load_funnel, request, funnel_id), folders=partial(pages.load_folder_names, request)
    )
    return _render_board(
        request, record, _load_cards(request, record), folder_names=pages.get_folder_names(side_reads["folders"])
    )


@require_POST
def arrange(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """Keep what the form brings, then do what was pressed. With script: only the words of what is unsent."""
    act, _colon, which = request.POST.get("act", "review").partition(":")
    record = _load_funnel(request, funnel_id, ARRANGE_AGE_SECONDS if request.htmx else 0.0)
    if act == "discard":
        models.discard_draft(request.account.pk, record.id)
        return redirect("funnels:funnel", record.id)
    form = pages.parse_arrangement(request.POST, _load_cards(request, record))
    cards = form.cards
    if act == "tidy":
        places = rules.arrange_in_grid(cards)
        cards = tuple(replace(card, x=places[card.id][0], y=places[card.id][1]) for card in cards)
    if act == "remove":
        cards = tuple(card for card in cards if not (card.added and card.id == which))
    models.save_draft(request.account.pk, record.id, cards)
    if request.htmx:
        context = {"unsent": pages.format_unsent(cards)}
        return render(request, "funnels/_unsent.html", context, status=422 if form.errors else 200)
    if form.errors:
        return _render_board(request, record, cards, form)
    onward = {"add": "funnels:add", "review": "funnels:review"}.get(act, "funnels:funnel")
    return redirect(onward, record.id)


@require_http_methods(["GET", "POST"])
def add(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """Videos of the library, searched and in pages, and those its address brings; chosen ones come onto the board."""
    record = _load_funnel(request, funnel_id)
    is_sent = request.method == "POST" and FIND not in request.POST
    source = request.POST if request.method == "POST" else request.GET
    lines = source.get("ids", "")[:TYPED_MOST].replace("\0", "").replace(",", " ").split()
    picker = load_picker(request, [*source.getlist("video"), *lines])
    videos, gone, failure = _sort_chosen(picker)
    wrong = [text for text in lines if (key := str(parse_uuid(text))) in gone or key not in picker.answers]
    if failure:
        problems = [refusals.explain(failure, reading=True).whole]
    elif wrong:
        problems = [_("Some ids are not those of a video.")]
    else:
        problems = format_problems(videos) if videos else [_("Choose at least one video.")]
    if is_sent and not problems:
        count = models.add_to_draft(request.account.pk, record, videos)
        messages.success(request, pages.format_added_count(count))
        return redirect("funnels:funnel", record.id)
    context = {
        "funnel": record,
        "picker": replace(picker, chosen=tuple(option for option in picker.chosen if option.id not in gone)),
        "there": {card.id for card in _load_cards(request, record)},
        "wrong": wrong,
        "is_sent": is_sent,
        "problems": problems if is_sent else [],
    }
    return render(request, "funnels/add.html", context, status=422 if is_sent else 200)


def _sort_chosen(picker: VideoPicker) -> tuple[list[Video], set[str], CallError | None]:
    """The chosen videos (of one that may not be read, its id), the ids of those that are gone, and why one is unread."""
    videos, gone, failure = [], set(), None
    for video_id, answer in picker.answers.items():
        match answer.value or answer.error:
            case Video() as video:
                videos.append(video)
            case NotAllowed():
                videos.append(Video.from_json({"id": video_id}))
            case Missing():
                gone.add(video_id)
            case error:
                failure = error or Unreachable("videos.get")
    return videos, gone, failure


@require_safe
def review(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """Every difference, and what it changes elsewhere, before anything leaves."""
    record = writes.open_funnel(reads.anew(request).get, request.account, funnel_id)
    return _render_review(request, record, _load_cards(request, record))


@require_POST
def send(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """Send what was reviewed, or show its request. While a sending is not confirmed, nothing more is sent."""
    key = writes.get_next_key(request.account, funnel_id)
    record = writes.open_funnel(reads.anew(request).get, request.account, funnel_id)
    cards, draft = _load_cards(request, record), models.get_draft(request.account.pk, record.id)
    problem = rules.find_problem(cards)
    if draft is None or problem is FunnelProblem.NOTHING:
        if draft:
            models.discard_draft(request.account.pk, record.id)
            messages.success(request, _("The platform has it as you arranged it."))
        return redirect("funnels:funnel", record.id)
    if problem or _load_problems(request, cards):
        return redirect("funnels:review", record.id)
    if http.is_dry_run(request):
        platform = clients.platform(request)
        preview = http.show_request(
            platform.preview(lambda p: p.funnels.add_videos(record.id, rules.build_payload(cards)))
        )
        return _render_review(request, record, cards, preview=preview)
    if sending := writes.find_open_write(request.account, record.id):
        outbox.wait_for_answer(sending)
        return _redirect_after_sending(request, sending)
    try:
        write = writes.send_funnel(request, record, cards, key)
    except PlatformError as error:
        return _render_review(request, record, cards, refusal=refusals.explain(error))
    return _redirect_after_sending(request, write)


def _redirect_after_sending(request: OwnerRequest, write: Write) -> HttpResponse:
    if write.state == State.DONE:
        messages.success(request, _("Sent. The funnel on the platform is as you arranged it."))
        return go(request, "funnels:funnel", write.subject)
    return go(request, "funnels:review", write.subject)


@require_safe
def progress(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """The polled part of the review: 204 while nothing changed; once the sending has ended, its page."""
    write = writes.find_open_write(request.account, funnel_id)
    if write is None:
        unsent = models.get_draft(request.account.pk, funnel_id)
        return go(request, "funnels:review" if unsent else "funnels:funnel", funnel_id)
    sending = pages.describe_sending(write)
    if request.GET.get("v") == sending["version"]:
        return unchanged()
    return render(request, "funnels/_sending.html", {"sending": sending})


@require_POST
def arrived(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """The person says that an unconfirmed sending arrived."""
    write = _get_write_or_404(request, funnel_id)
    if is_current(request, write):
        outbox.confirm(write)
    return _redirect_after_sending(request, write)


@require_POST
def again(request: OwnerRequest, funnel_id: str) -> HttpResponse:
    """The person says that an unconfirmed sending did not arrive: it is sent once more."""
    write = _get_write_or_404(request, funnel_id)
    if is_current(request, write):
        outbox.send_again(write)
        if isinstance(write.raised, BadToken):
            raise write.raised
        if write.state == State.REFUSED and write.raised is not None:
            explained = refusals.explain(write.raised)
            messages.error(request, explained.whole)
    return _redirect_after_sending(request, write)


def _get_write_or_404(request: OwnerRequest, funnel_id: str) -> Write:
    write = writes.find_last_write(request.account, funnel_id)
    if write is None:
        raise Http404
    return write


def _load_problems(request: OwnerRequest, cards: tuple[Card, ...]) -> list[str]:
    """Why videos that come into the funnel, or become its entry, cannot be played by viewers now: one sentence a video."""
    return load_problems(request, [card.id for card in cards if card.added or (card.entry and not card.was_entry)])[0]


def _render_review(
    request: OwnerRequest,
    record: Funnel,
    cards: tuple[Card, ...],
    *,
    refusal: refusals.Explained | None = None,
    preview: http.DryRun | None = None,
) -> HttpResponse:
    last = writes.find_last_write(request.account, record.id)
    moves = None if rules.find_problem(cards) else pages.load_moves(request, record, rules.select_cards_to_send(cards))
    context = {
        **pages.describe_review(record, cards, moves, last, _load_problems(request, cards)),
        "refusal": refusal,
        "dry_run": preview,
    }
    return render(request, "funnels/review.html", context, status=422 if refusal else 200)


def _render_board(
    request: OwnerRequest,
    record: Funnel,
    cards: tuple[Card, ...],
    form: Arrangement | None = None,
    folder_names: Mapping[str, str] | None = None,
) -> HttpResponse:
    sending, words = writes.find_open_write(request.account, record.id), pages.build_script_words()
    context = {
        "funnel": record,
        "folder": (folder_names or {}).get(record.folder_id or ""),
        "cards": cards,
        "board": pages.build_board(cards, words, form),
        "words": words,
        "script_words": json.dumps(words, ensure_ascii=False),
        "unsent": pages.format_unsent(cards),
        "open": open_write(sending) if sending else None,
        "errors": form.errors if form else {},
        "raw": as_it_came(record.raw_videos) if record.raw_videos is not None else "",
    }
    return render(request, "funnels/funnel.html", context, status=422 if form else 200)


def _load_cards(request: OwnerRequest, record: Funnel) -> tuple[Card, ...]:
    return rules.build_board(record, models.parse_changes(models.get_draft(request.account.pk, record.id)))


def _load_funnel(request: OwnerRequest, funnel_id: str, seconds: float | None = None) -> Funnel:
    reader = reads.of(request)
    return writes.open_funnel(lambda call: reader.get(Query(call, seconds)), request.account, funnel_id)
