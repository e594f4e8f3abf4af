"""Creating a link, what became of an attempt without an answer, and taking in a link made elsewhere."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_http_methods

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.videos import Video
from dashboard.review_links import link_pages, pages, rules
from dashboard.review_links import writes as creating
from dashboard.review_links.forms import CUSTOM, ImportForm, KnownForm, LinkForm, NextCutForm, build_known_form
from dashboard.review_links.pages import LinkRow, Meter, build_meter
from dashboard.review_links.writes import CREATE, get_link_id, list_creations
from dashboard.shared import formats, http, refusals
from dashboard.shared.addresses import path_of
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.upstream import clients, reads
from dashboard.upstream.reads import Query
from dashboard.upstream.single_records import is_untold
from dashboard.upstream.video_options import (
    RECENT_SECONDS,
    VideoOption,
    build_option,
    find_playing_problem,
    load_picker,
)
from dashboard.writes import outbox
from dashboard.writes.failures import NOT_RECEIVED
from dashboard.writes.models import State, Write
from dashboard.writes.requests import is_current, scope_of
from review_portal import imports, owners, sync
from review_portal.cuts import CutRefusal
from review_portal.models import Claim, ReviewLink
from review_portal.owners import CountedLink

CHOICES = ("allow_preview", "send_decisions")
"""What is kept here: the platform does not know it."""
LISTED_OPEN = 5


@dataclass(frozen=True)
class ClosingPreset:
    """One offered closing time."""

    value: str
    label: str
    moment: str
    chosen: bool


@dataclass(frozen=True)
class LinkSwitch:
    """One of the three switches, with what reviewers see when it is on and when it is off."""

    name: str
    label: str
    on: str
    off: str
    checked: bool


@dataclass(frozen=True)
class CreatePage:
    """templates/review_links/create.html."""

    video: VideoOption
    like: str
    presets: tuple[ClosingPreset, ...]
    custom: bool
    zone: str
    switches: tuple[LinkSwitch, ...]
    meter: Meter
    links: tuple[LinkRow, ...]
    other_video: str
    title: str


@dataclass(frozen=True)
class AttemptPage:
    """templates/review_links/attempt.html. `again` and `arrived`: which buttons there are."""

    address: str
    version: str
    title: str
    name: str
    video: str
    facts: tuple[str, ...]
    polls: bool
    attempt: int
    again: bool
    arrived: bool
    form: str
    list: str


@dataclass(frozen=True)
class OpenCreation:
    """A link that was asked for and is not known to be there yet, in the list of links."""

    address: str
    name: str
    word: str


@dataclass(frozen=True)
class ImportPage:
    """templates/review_links/import.html."""

    video: VideoOption
    other_video: str
    readable: bool


SWITCHES = {
    "allow_comment": (
        gettext_noop("They can comment on the moment they are watching and reply to each other."),
        gettext_noop("They watch and read what is there. There is nothing to write in."),
    ),
    "allow_status_edit": (
        gettext_noop("Each comment shows Resolve to everybody who has the link."),
        gettext_noop("They see what is resolved but cannot change it. You cannot either, through this link."),
    ),
    "show_resolved": (
        gettext_noop("What is resolved stays in the list, folded, with its mark on the timeline."),
        gettext_noop("A comment disappears from their list the moment somebody resolves it."),
    ),
    "allow_preview": (
        gettext_noop("The title and a still of the video are shown, never a comment."),
        gettext_noop("Only the address is shown."),
    ),
    "send_decisions": (
        gettext_noop("Each decision is also a comment where the video ends. It counts as one of 30."),
        gettext_noop("Decisions stay in Reelroom."),
    ),
}


def build_create_page(form: LinkForm, video: Video, rows: Sequence[CountedLink], used: int, like: str) -> CreatePage:
    """The form's surroundings: the video, its other links, how much room its comments have."""
    now = timezone.now()
    choice = str(form["closes"].value() or "")
    return CreatePage(
        video=build_option(video),
        like=like,
        presets=tuple(
            ClosingPreset(
                str(days),
                _format_days(days),
                formats.moment(at.astimezone(form.zone_in_use), "full"),
                choice == str(days),
            )
            for days, at in rules.list_presets(form.shown_at)
        ),
        custom=choice == CUSTOM,
        zone=form.zone_in_use.key,
        switches=tuple(_build_switch(form, name) for name in (*rules.SWITCHES, *CHOICES)),
        meter=build_meter(used, known=owners.are_comments_complete(rows)),
        links=tuple(LinkRow(link, now, used) for link in rows[:5]),
        other_video=path_of("review_links:create"),
        title=_("Recreate review link") if like else _("Create review link"),
    )


def _format_days(days: int) -> str:
    return ngettext("In %(days)s day", "In %(days)s days", days) % {"days": formats.number(days)}


def _build_switch(form: LinkForm, name: str) -> LinkSwitch:
    on, off = SWITCHES[name]
    return LinkSwitch(
        name=name, label=str(form.fields[name].label), on=_(on), off=_(off), checked=bool(form[name].value())
    )


def build_attempt_page(write: Write) -> AttemptPage:
    """How a link that was asked for stands, as long as it is not there."""
    unconfirmed = write.state == State.UNCONFIRMED
    form = {"video": write.subject} if write.state in (State.REFUSED, State.HELD) else {}
    return AttemptPage(
        address=path_of("review_links:attempt", write.key),
        version=f"{write.state}-{write.attempt}-{int(write.due_at is None)}",
        title=_get_title(write),
        name=write.label,
        video=str(write.request.get("title") or "") or _("Video without a title"),
        facts=_list_facts(write),
        polls=write.state == State.SENDING or (unconfirmed and write.due_at is not None),
        attempt=write.attempt,
        again=write.state != State.SENDING,
        arrived=unconfirmed,
        form=f"{path_of('review_links:create')}?{urlencode(form)}" if form else "",
        list=path_of("review_links:review_links"),
    )


def _get_title(write: Write) -> str:
    return {
        State.SENDING: _("Creating the link"),
        State.UNCONFIRMED: _("Not confirmed"),
        State.HELD: _("The link was not sent"),
    }.get(State(write.state), _("The link was not created"))


def _list_facts(write: Write) -> tuple[str, ...]:
    """What is known, in sentences."""
    if write.state == State.SENDING:
        return (_("The platform has not answered yet. This page updates automatically."),)
    if write.state == State.UNCONFIRMED:
        values = {"moment": formats.moment(write.sent_at or write.created_at)}
        return (
            _("Sent %(moment)s. The platform didn't confirm it, so the link may exist already.") % values,
            _describe_check(write),
        )
    if write.reason == NOT_RECEIVED:
        return (_("The link was not created: we checked, and the video does not have it."),)
    if write.error is not None:
        explained = refusals.explain(write.error)
        return (explained.whole, _("Nothing was created."))
    return (_("The link was not sent to the platform. Nothing was created."),)


def _describe_check(write: Write) -> str:
    if not sync.is_readable():
        return _(
            "Reelroom cannot read links on this platform, so it cannot check. Check on the platform before you send it again."
        )
    if write.due_at is None:
        return _("Reelroom checked the video's links and could not tell whether it was created.")
    return _("We keep checking automatically.")


def list_open_creations(account: Account) -> tuple[OpenCreation, ...]:
    """What was sent and is not confirmed, newest first."""
    # Few are open: a database that sorts them itself would walk all that were ever made in their order.
    unclear = list_creations(account).filter(state__in=(State.SENDING, State.UNCONFIRMED)).order_by()
    newest = sorted(unclear, key=lambda write: write.created_at, reverse=True)[:LISTED_OPEN]
    return tuple(
        OpenCreation(path_of("review_links:attempt", write.key), write.label, _get_title(write)) for write in newest
    )


def build_import_page(video: Video, *, readable: bool) -> ImportPage:
    """`readable`: whether the platform can say what the link allows and what was written through it."""
    return ImportPage(build_option(video), path_of("review_links:import"), readable)


def describe_import_problem(reason: imports.ImportProblem) -> str:
    """Why a link cannot be taken in, and what to do."""
    return {
        imports.ImportProblem.VIDEO_MISSING: _("The platform does not have this video any more. Choose another one."),
        imports.ImportProblem.LINK_MISSING: _("The platform does not have this link. Copy the whole address again."),
        imports.ImportProblem.OTHER_VIDEO: _("This link shows another video. Choose that video first."),
    }[reason]


def add_refusal(form: LinkForm, error: errors.CallError) -> None:
    """The platform's refusal at the field it is about."""
    explained = refusals.explain(error)
    fields = {"expires_at": "closes", "link_name": "name"}
    form.add_error(fields.get(explained.field), explained.whole)


def load_settings_of(account: Account, like: str) -> dict[str, Any]:
    """Name and choices of another link of the account; nothing when there is none."""
    try:
        link = owners.get_link(account, uuid.UUID(like))
    except (ValueError, ObjectDoesNotExist):
        return {}
    return {"name": link.name, **{name: getattr(link, name) for name in (*rules.SWITCHES, *CHOICES)}}


@require_http_methods(["GET", "POST"])
def create(request: OwnerRequest) -> HttpResponse:
    """First which video, then the form; a refusal comes back to it with everything typed."""
    begun = creating.find_attempt(request) if request.method == "POST" and not http.is_dry_run(request) else None
    if begun is not None:
        return _redirect_to_result(request, begun)
    video = _load_video(request)
    if video is None:
        return _render_choose(request, importing=False)
    form = LinkForm(request.POST) if request.method == "POST" else LinkForm(initial=_get_initial(request, video))
    if request.method == "GET":
        return _render_form(request, form, video)
    is_valid = form.is_valid() & _build_cut_form(request, video).is_valid()
    if problem := find_playing_problem(video):
        form.add_error(None, problem)
    if problem or not is_valid:
        return _render_form(request, form, video, status=422)
    if http.is_dry_run(request):
        preview = clients.platform(request).preview(lambda p: p.review_links.create(video.id, form.to_payload()))
        return _render_form(request, form, video, preview=http.show_request(preview))
    return _create(request, form, video)


def _create(request: OwnerRequest, form: LinkForm, video: Video) -> HttpResponse:
    same = creating.find_recent(request, video, form.to_payload())
    if same is not None and creating.TWICE not in request.POST:
        return _render_form(request, form, video, status=409, same=reverse("review_links:attempt", args=[same.key]))
    try:
        choices = {name: bool(form.cleaned_data[name]) for name in CHOICES}
        write = creating.create(request, video, form.to_payload(), request.POST.get("next_of", ""), choices)
    except errors.PlatformError as error:
        add_refusal(form, error)
        status = 422 if isinstance(error, errors.Refused | errors.Missing | errors.NotAllowed) else 503
        return _render_form(request, form, video, status=status)
    return _redirect_to_result(request, write)


def _redirect_to_result(request: OwnerRequest, write: Write) -> HttpResponse:
    """Lead to the link, or to the page that says why there is none."""
    link_id = get_link_id(write)
    if link_id is not None:
        messages.success(request, _("Created “%(name)s”. Copy its address below.") % {"name": write.label})
        if refusal := (write.result or {}).get("cut_refusal"):
            messages.warning(request, link_pages.describe_refusal(CutRefusal(refusal)))
        return go(request, "review_links:link", link_id)
    if write.state == State.DONE:  # its owner says that it arrived
        return go(request, "review_links:video", write.subject)
    return go(request, "review_links:attempt", write.key)


@require_http_methods(["GET", "POST"])
def attempt(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """What is known of a link without an answer. It polls itself; its owner may say that it arrived or send it again."""
    write = outbox.find(scope_of(request.account), key)
    if write is None or write.operation != CREATE:
        raise Http404
    if request.method == "POST":
        return _settle(request, write)
    if write.state == State.DONE:
        return _redirect_to_result(request, write)
    page = build_attempt_page(write)
    if request.htmx and request.GET.get("v") == page.version:
        return unchanged()
    template = "review_links/_attempt.html" if request.htmx else "review_links/attempt.html"
    return render(request, template, {"page": page})


def _settle(request: OwnerRequest, write: Write) -> HttpResponse:
    """A form about an attempt that is over leads to what became of it, and changes nothing."""
    if not is_current(request, write):
        return _redirect_to_result(request, write)
    if request.POST.get("do") == "confirm":
        outbox.confirm(write)
        messages.success(request, _("Saved as created. Paste the address of the link to see it here."))
        return redirect(f"{reverse('review_links:import')}?{urlencode({'video': write.subject})}")
    try:
        return _redirect_to_result(request, creating.send_again(write))
    except errors.PlatformError as error:
        explained = refusals.explain(error)
        messages.error(request, explained.whole)
        return redirect("review_links:attempt", write.key)


@require_http_methods(["GET", "POST"])
def import_link(request: OwnerRequest) -> HttpResponse:
    """Take in a link made elsewhere, by its id and its video. One that the platform does not confirm is a claim."""
    video = _load_video(request)
    if video is None:
        return _render_choose(request, importing=True)
    form = ImportForm(request.POST if request.method == "POST" else None, initial={"link": request.GET.get("link", "")})
    status = 200
    if form.is_bound:
        result, status = _import_from_form(request, form, uuid.UUID(video.id))
        if isinstance(result, Claim):
            messages.warning(request, _("The link was imported, but the platform did not confirm that it is yours."))
            return redirect("review_links:claim", result.pk)
        if result is not None:
            messages.success(request, _("Link imported. What reviewers write through Reelroom appears here."))
            return redirect("review_links:link", result.pk)
    page = build_import_page(video, readable=sync.is_readable())
    return render(request, "review_links/import.html", {"form": form, "page": page}, status=status)


def _import_from_form(
    request: OwnerRequest, form: ImportForm, video_id: uuid.UUID
) -> tuple[ReviewLink | Claim | None, int]:
    """The link that was taken in or claimed; or None, with what is wrong at the form, and the status of the answer."""
    if not form.is_valid():
        return None, 422
    try:
        return imports.import_link(request.account, form.cleaned_data["link"], video_id), 302
    except imports.ImportRefused as refused:
        form.add_error("link", describe_import_problem(refused.reason))
        return None, 422
    except errors.PlatformError as error:
        explained = refusals.explain(error)
        form.add_error(None, explained.whole)
        return None, 503


def _build_cut_form(request: OwnerRequest, video: Video) -> NextCutForm:
    data = request.POST if request.method == "POST" else None
    return link_pages.build_form(request.account, None, uuid.UUID(video.id), data)


def _load_video(request: OwnerRequest) -> Video | None:
    """The video that the address or the form names. Raises `Missing` for one that is not the account's."""
    text = (request.POST.get("video") or request.GET.get("video", "")).strip()
    try:
        video_id = uuid.UUID(text) if text else None
    except ValueError as error:
        raise Http404 from error
    if video_id is None:
        return None
    seconds = RECENT_SECONDS if request.method == "POST" else None
    return reads.of(request).get(Query(lambda platform: platform.videos.get(video_id), seconds))


def _render_choose(request: OwnerRequest, *, importing: bool) -> HttpResponse:
    picker = load_picker(request, field="q")
    if picker.list_error is not None and not is_untold(picker.list_error):
        raise picker.list_error
    context = {"picker": picker, "importing": importing, "link": request.GET.get("link", "")}
    return render(request, "review_links/choose.html", context)


def _get_initial(request: OwnerRequest, video: Video) -> dict[str, Any]:
    """What the form starts with: the title as a name, a week, everything allowed; or another link's settings."""
    now = timezone.now()
    fixed = {"form_at": int(now.timestamp()), "zone": timezone.get_current_timezone_name()}
    usual: dict[str, Any] = dict.fromkeys(rules.SWITCHES, True)
    usual |= {"name": rules.suggest_name(video.title), "closes": str(rules.PRESET_FIRST)}
    return fixed | usual | load_settings_of(request.account, request.GET.get("like", ""))


def _render_form(
    request: OwnerRequest,
    form: LinkForm,
    video: Video,
    status: int = 200,
    preview: http.DryRun | None = None,
    same: str = "",
) -> HttpResponse:
    """`same`: the address of the same link, asked for a moment ago."""
    rows = list(owners.list_links(request.account, uuid.UUID(video.id)))
    used = owners.count_comments_by_video(request.account).get(uuid.UUID(video.id), 0)
    page = build_create_page(form, video, rows, used, like=request.GET.get("like", ""))
    cut_form = _build_cut_form(request, video)
    context = {"form": form, "page": page, "dry_run": preview, "custom": CUSTOM, "same": same, "cut_form": cut_form}
    return render(request, "review_links/create.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: OwnerRequest, claim_id: int) -> HttpResponse:
    """The page of the import. `do=check`: the platform is asked whose the link is; `do=say`: what the owner knows of it is
    kept; `do=remove`: it is forgotten."""
    try:
        claim = sync.get_claim(request.account, claim_id)
    except ObjectDoesNotExist as error:
        raise Http404 from error
    do = request.POST.get("do", "")
    if do == "remove":
        claim.delete()
        messages.success(request, _("The import was removed. The link itself was not changed."))
        return redirect("review_links:review_links")
    form = KnownForm(request.POST) if do == "say" else build_known_form(claim)
    if form.is_bound and form.is_valid():
        sync.update_claim(claim, form.to_claim())
        messages.success(request, _("Saved. It is marked as provided by you."))
        return redirect("review_links:claim", claim.pk)
    trouble = _check_claim(request, claim) if do == "check" else ""
    if do == "check" and not trouble:
        messages.success(request, _("The platform confirmed that the link is yours."))
        return redirect("review_links:link", claim.link_id)
    context = pages.build_claim_context(claim) | {"form": form, "trouble": trouble}
    return render(request, "review_links/claim.html", context, status=422 if trouble or form.errors else 200)


def _check_claim(request: OwnerRequest, claim: Claim) -> str:
    """Ask the platform once more. Returns why the link is still not confirmed, or nothing when it is."""
    try:
        imported = imports.import_link(request.account, claim.link_id, claim.video_id)
    except imports.ImportRefused as refused:
        return describe_import_problem(refused.reason)
    except errors.PlatformError as error:
        explained = refusals.explain(error)
        return explained.whole
    return pages.describe_claim() if isinstance(imported, Claim) else ""
