"""What the desk sends: new review links [4.4], one or one for each of many videos, once, and what is switched back.

`Write.subject` is the video, where Activity leads. A comment's status is switched back, and words of the owner's own are
put back, where the link still allows it [4.8]. A reviewer's words can be changed only with the session that wrote them.
Reelroom keeps that session for the reviewer, not for the owner: their undo is in the review room.
"""

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from dashboard.accounts.models import Account
from dashboard.activity.recorder import NotUndone, actor_of, undoes
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken, Missing, Refused
from dashboard.platform_api.reviews import ReviewLink as ReviewLinkRecord
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import LINK_NAME_MAX, CommentStatus, Message
from dashboard.review_links import link_pages, rules
from dashboard.review_links.forms import describe_problem
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared import formats, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import KNOWN, Refusal, not_accepted
from dashboard.upstream import clients
from dashboard.upstream.reads import Reads
from dashboard.upstream.video_options import describe_unplayable, find_unplayable
from dashboard.writes import outbox, run_actions
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, Operation, register
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import form_intent, form_key, scope_of
from dashboard.writes.run_actions import RunAction, RunOrder, Target
from review_portal import cuts, imports, owners, sync
from review_portal.messages import describe_write
from review_portal.models import ReviewLink

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


CREATE: Final = "review_links.create"


def list_creations(account: Account) -> QuerySet[Write]:
    """The links that the account asked for, newest first, whatever became of them."""
    return Write.objects.filter(account=account, operation=CREATE).order_by("-created_at")


def get_link_id(write: Write) -> uuid.UUID | None:
    """The link that `write` made; None where there is none, or where only its owner knows which."""
    link_id = (write.result or {}).get("link_id")
    return uuid.UUID(link_id) if link_id else None


def _send_created(write: Write) -> ReviewLinkRecord:
    platform = clients.platform_for(write.owner)
    return platform.review_links.create(uuid.UUID(write.request["video_id"]), write.request["payload"])


def _keep_created(write: Write, answer: ReviewLinkRecord) -> None:
    """The link is known, and the account's own. `ValueError` where the answer does not say which link it is."""
    account = write.owner
    link = imports.save_link(account, answer, video_fields=write.request.get("video"))
    transaction.on_commit(lambda: imports.complete_video(account, link), robust=True)
    write.result = {"link_id": str(link.pk)}
    if next_of := write.request.get("next_of", ""):
        earlier = owners.find_link(account, uuid.UUID(next_of))
        write.result["cut_refusal"] = (cuts.place_after(account, link, earlier) if earlier else None) or ""
    choices = write.request.get("choices", {})
    if choices:
        type(link).objects.filter(pk=link.pk).update(**choices)
    write.after = {**write.request["payload"], **choices, "id": str(link.pk)}


def _settle_created(write: Write) -> Found | Absence:
    """Look for a link with exactly what was sent among the video's links, where they can be read."""
    if not sync.is_readable():
        return UNKNOWN
    video_id = write.request["video_id"]
    rows = clients.platform_for(write.owner).review_links.list(uuid.UUID(video_id))
    listed = [replace(row, video_id=video_id) for row in rows if row.video_id.lower() in ("", video_id.lower())]
    others = list_creations(write.owner).filter(subject=write.subject, state=State.DONE).exclude(pk=write.pk)
    taken = {str(get_link_id(other)) for other in others}
    free = [link for link in listed if link.id not in taken]
    link = rules.find_created(write.request["payload"], write.created_at, free)
    return ABSENT if link is None else Found(link)


register(Operation(CREATE, _send_created, _keep_created, _settle_created))


SAME_WORDS = timedelta(seconds=60)
"""The same link asked for again within this, from another form, is asked about first."""
TWICE = "twice"
"""The button that creates it all the same."""
NOT_TYPED = frozenset({"csrfmiddlewaretoken", TWICE})


def build_key(request: OwnerRequest) -> uuid.UUID:
    """The key of the form in `request`: the same form with other words asks for another link."""
    typed = sorted((name, request.POST.getlist(name)) for name in request.POST if name not in NOT_TYPED)
    return uuid.uuid5(form_key(request), json.dumps(typed))


def find_attempt(request: OwnerRequest) -> Write | None:
    """What the same form began already and is not over; None where it has to be checked and sent."""
    write = outbox.find(scope_of(request.account), build_key(request))
    if write is not None:
        outbox.wait_for_answer(write)
    return None if write is None or write.state in (State.HELD, State.REFUSED) else write


def create(
    request: OwnerRequest,
    video: Video,
    payload: dict[str, Any],
    next_of: str = "",
    choices: Mapping[str, bool] | None = None,
) -> Write:
    """Send it. `next_of`: the link that it is the next cut of, once it is there; `choices` are kept here alone.

    Raises the `PlatformError` of a refusal.
    """
    intent = form_intent(
        request,
        CREATE,
        subject=video.id,
        sends={
            "video_id": video.id,
            "title": video.title,
            "payload": payload,
            "video": imports.serialize_video(video),
            "next_of": next_of,
            "choices": dict(choices or {}),
        },
        label=str(payload["link_name"]),
        after=payload | dict(choices or {}),
    )
    return outbox.perform(replace(intent, key=build_key(request)))


def find_recent(request: OwnerRequest, video: Video, payload: dict[str, Any]) -> Write | None:
    """The same link, asked for a moment ago by another form: one that was loaded anew with its words put back."""
    recent = list_creations(request.account).filter(
        subject=video.id, created_at__gte=timezone.now() - SAME_WORDS, state__in=(*OPEN, State.DONE)
    )
    recent = recent.exclude(key=build_key(request))
    return next((write for write in recent if rules.is_same(write.request["payload"], payload)), None)


def send_again(write: Write) -> Write:
    """Send it once more because its owner says so: a refused one is another attempt under a key of its own.

    Raises the `PlatformError` of a refusal.
    """
    if write.state == State.UNCONFIRMED:
        outbox.send_again(write)
    elif write.state == State.HELD:
        outbox.deliver(write)
    elif write.state == State.REFUSED:
        fields = {name: getattr(write, name) for name in outbox.Intent.__dataclass_fields__}
        return outbox.perform(outbox.Intent(**fields | {"key": uuid.uuid5(write.key, "again")}))
    if write.raised is not None and write.state in (State.HELD, State.REFUSED):
        raise write.raised
    return write


MESSAGES = {
    Message.EXPIRY_TOO_FAR: Refusal(
        gettext_noop("A review link can be open for 30 days at most."),
        gettext_noop("Choose an earlier end."),
        "expires_at",
    ),
}

refusals.register(
    messages=MESSAGES,
    conditions=(
        (
            "review_links.create",
            Refused,
            "link.?name",
            not_accepted("link_name", gettext_noop("Use letters, digits, spaces and - _ . in the name.")),
        ),
        (
            "review_links.create",
            Refused,
            "expires.?at",
            not_accepted("expires_at", gettext_noop("Choose another end.")),
        ),
        ("review_links.create", Missing, r"^video\b|\bvideo\b.*\bnot found\b", KNOWN[Message.VIDEO_NOT_FOUND]),
    ),
)


class ManyLinksForm(forms.Form):
    """What the links have in common."""

    name = forms.CharField(
        label=gettext_lazy("Name of the links"),
        help_text=gettext_lazy("Leave it empty to give each link the title of its video."),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": str(LINK_NAME_MAX), "autocomplete": "off"}),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Closes"),
        coerce=int,
        error_messages={"required": gettext_lazy("Choose when the links close.")},
    )
    allow_comment = forms.BooleanField(label=gettext_lazy("Reviewers may comment"), required=False)
    allow_status_edit = forms.BooleanField(label=gettext_lazy("Reviewers may resolve and reopen"), required=False)
    show_resolved = forms.BooleanField(label=gettext_lazy("Resolved comments stay visible"), required=False)

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={**dict.fromkeys(rules.SWITCHES, True), "days": rules.PRESET_FIRST})
        field = self.fields["days"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(days, _format_days(days)) for days, _at in rules.list_presets(timezone.now())]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if name and (problems := rules.check_name(name)):
            raise ValidationError([describe_problem(problem) for problem in problems])
        return name


def _format_days(days: int) -> str:
    return ngettext("In %(days)s day", "In %(days)s days", days) % {"days": formats.number(days)}


class CreateReviewLinks(RunAction):
    """One link a video; its days count from the moment it is created."""

    name = "review_links"
    label = gettext_lazy("Create review links")

    def build_form(self, account: Account, data: QueryDict | None = None) -> ManyLinksForm:
        """Name, closing time and permissions."""
        return ManyLinksForm(data)

    def read_options(self, form: ManyLinksForm) -> dict[str, Any]:
        """The form's values."""
        return {name: form.cleaned_data[name] for name in ("name", "days", *rules.SWITCHES)}

    def format_title(self, options: Mapping[str, Any]) -> str:
        """Create review links."""
        return _("Create review links: %(name)s") % {"name": options["name"]} if options["name"] else str(self.label)

    def find_reasons(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, str]:
        """Videos that viewers cannot play, by their status."""
        return find_unplayable(Reads(order.account), {target.video_id for target in targets})

    def explain(self, reason: str) -> str:
        """Why a video is left out."""
        return describe_unplayable(reason)

    def build_intent(self, order: RunOrder, target: Target, attempt: int) -> Intent:
        """The link of one video."""
        payload = _build_payload(order, target)
        return Intent(
            operation=CREATE,
            scope=scope_of(order.account),
            key=uuid.uuid5(uuid.UUID(order.key), f"{target.video_id} {attempt}"),
            request={"video_id": target.video_id, "title": target.title, "payload": payload},
            account=order.account,
            actor=order.actor,
            subject=target.video_id,
            label=payload["link_name"],
            after=payload,
        )

    def preview(self, order: RunOrder, target: Target) -> Callable[[Operations], object]:
        """The link of one video."""
        return lambda platform: platform.review_links.create(uuid.UUID(target.video_id), _build_payload(order, target))


def _build_payload(order: RunOrder, target: Target) -> dict[str, Any]:
    options = order.options
    days = dict(rules.list_presets(timezone.now()))
    closes = days.get(options["days"], timezone.now() + timedelta(days=options["days"]))
    switches = {name: bool(options[name]) for name in rules.SWITCHES}
    return rules.build_payload(options["name"] or rules.suggest_name(target.title) or target.video_id, closes, switches)


run_actions.register(CreateReviewLinks())


OPERATION = "public_review.update_comment"
ABOUT = {"comment_id", "session"}


def _get_fields(entry: "Entry") -> dict[str, Any]:
    """What the row says was there before; nothing of a row that names no comment."""
    before = entry.before if isinstance(entry.before, dict) else {}
    return {name: value for name, value in before.items() if name not in ABOUT} if "comment_id" in before else {}


def can_undo(entry: "Entry") -> bool:
    """A status by anybody, text and time only where the owner's own session wrote them."""
    fields = set(_get_fields(entry))
    own = isinstance(entry.before, dict) and entry.before.get("session") == "owner"
    return fields == {"status"} or (own and bool(fields) and fields <= {"text", "time"})


@undoes(OPERATION, only=can_undo)
def undo(request: HttpRequest, entry: "Entry") -> None:
    """Send what was before. Raises `NotUndone`, or the `PlatformError` of a refusal: `Missing` without link or comment."""
    asker, fields = cast(OwnerRequest, request), _get_fields(entry)
    comment_id = uuid.UUID(str(entry.before["comment_id"]))  # type: ignore[index]  # `possible` has looked
    actor, key = actor_of(request, asker.account), uuid.uuid5(entry.pk, "undo")
    try:
        link = owners.get_link(asker.account, uuid.UUID(entry.target))
        if "status" in fields:
            status = CommentStatus(fields["status"])
            through = link_pages.select_usable_link(asker, link.video_id, link)
            if isinstance(through, Reason):
                raise NotUndone(describe_problem(Problem(through)))
            write = owners.set_status(asker.account, through, comment_id, status, key=key, actor=actor, undoes=entry)
        else:
            _check_unchanged(entry, link, comment_id)
            write = owners.restore_comment(asker.account, link, comment_id, fields, key=key, actor=actor, undoes=entry)
        if still_open := describe_write(write, guest=False):
            raise NotUndone(still_open)
    except ObjectDoesNotExist as error:
        raise Missing("review_links.undo") from error  # ours: the platform was not asked
    except BadToken as error:  # the session of the link is meant, not the account's token
        raise NotUndone(
            _("The platform did not accept the owner's session on this link. Nothing was changed. Try again.")
        ) from error


def _check_unchanged(entry: "Entry", link: ReviewLink, comment_id: uuid.UUID) -> None:
    """What was written after the change is not written over."""
    comment, after = link.comments.get(comment_id=comment_id), entry.after or {}
    if any(getattr(comment, name) != after.get(name) for name in _get_fields(entry)):
        raise NotUndone(_("It was changed again in the meantime. Edit the comment instead."))
