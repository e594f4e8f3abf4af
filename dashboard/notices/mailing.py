"""E-mails as writes: each is an intent with a key, sent by the worker, once.

| what the mail server said | then |
|---|---|
| it took the e-mail | done |
| no connection, "not now" (4xx), or its numbers are not read | sent again, after 10 s, 1 min, then every 5 min, for a day |
| no such address (5xx to the recipient) | refused, and nothing is sent there any more |
| any other refusal | refused |
| it fell silent after the e-mail had left, or this process died | not sent again: it may have arrived |

The last line is the limit of SMTP: nobody can be asked whether an e-mail arrived, so one may be lost, and none is doubled.
"""

import uuid
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException, SMTPServerDisconnected
from typing import Final
from zoneinfo import ZoneInfo

from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from dashboard.notices import letters, rules
from dashboard.notices.letters import Letter
from dashboard.notices.models import LinkChoice, Mail, Notice, Subscription
from dashboard.notices.registry import NotKnownYet
from dashboard.notices.rules import Every
from dashboard.platform_api import errors
from dashboard.shared.vault import Unreadable
from dashboard.upstream import clients
from dashboard.writes import outbox, tasks
from dashboard.writes.models import State, Write
from dashboard.writes.operations import SUPERSEDED, Absence, NotWanted, Operation, register
from dashboard.writes.recovery import restored

SEND: Final = "notices.send_mail"
UNREACHABLE: Final = "@unreachable.example"
"""In the demo, a mail server that does not answer."""


def begin(
    subscription: Subscription,
    kind: Mail.Kind,
    name: str,
    *,
    every: Every = Every.NOW,
    due_at: datetime | None = None,
    source: str = "",
) -> Write:
    """Store an e-mail to be sent at `due_at`, or at once; the same `name` again is the same e-mail.

    A letter of `source` is the one that is called `name` there.
    """
    key = uuid.uuid5(subscription.pk, f"{kind} {source} {name}" if source else f"{kind} {name}")
    values = {"subscription": subscription, "kind": kind, "every": every, "source": source}
    Mail.objects.get_or_create(pk=key, defaults={**values, "ref": name if source else ""})
    hold = max(due_at - timezone.now(), timedelta(seconds=1)) if due_at else timedelta(seconds=1)
    intent = outbox.Intent(SEND, scope=str(subscription.pk), key=key, subject=str(key), request={"mail": str(key)})
    return outbox.begin(intent, hold=hold)[0]


def plan(subscription: Subscription) -> None:
    """Let an e-mail leave for each rhythm in which something waits. What waits already in one is not asked for twice.

    Called in a transaction: an e-mail chooses its notices either before this looks, or with those that it commits.
    """
    if not subscription.is_on:
        return
    Subscription.objects.select_for_update().filter(pk=subscription.pk).first()
    now = timezone.now().astimezone(ZoneInfo(subscription.zone))
    for every in (Every.NOW, Every.HOUR, Every.DAY):
        if list_waiting(subscription, every).exists() and not _is_planned(subscription, every):
            due_at = rules.get_due_time(every, now)
            begin(subscription, Mail.Kind.NEWS, uuid.uuid4().hex, every=every, due_at=due_at)


def _is_planned(subscription: Subscription, every: Every) -> bool:
    """Whether an e-mail in this rhythm has still to choose its notices."""
    keys = list(_list_uncomposed(subscription).filter(every=every).values_list("pk", flat=True))
    writes = Write.objects.filter(scope=str(subscription.pk), key__in=keys)
    return writes.filter(state__in=(State.HELD, State.SENDING)).exists()


def _list_uncomposed(subscription: Subscription) -> QuerySet[Mail]:
    return subscription.mails.filter(kind=Mail.Kind.NEWS, composed_at=None)


def plan_again(subscription: Subscription) -> None:
    """The same after the rhythm has changed: what waited with the old one is planned with the new one."""
    keys = list(_list_uncomposed(subscription).values_list("pk", flat=True))
    for write in _list_open(subscription).filter(key__in=keys):
        outbox.cancel(write)
    plan(subscription)


def drop_open(subscription: Subscription) -> None:
    """Send nothing of what waits for this address."""
    for write in _list_open(subscription):
        outbox.cancel(write)


def is_asking(subscription: Subscription) -> bool:
    """Whether a confirmation waits to leave."""
    keys = list(subscription.mails.filter(kind=Mail.Kind.CONFIRM).values_list("pk", flat=True))
    return _list_open(subscription).filter(key__in=keys).exists()


def _list_open(subscription: Subscription) -> QuerySet[Write]:
    return Write.objects.filter(operation=SEND, scope=str(subscription.pk), state=State.HELD)


def list_waiting(subscription: Subscription, every: Every) -> QuerySet[Notice]:
    """What the address has not been told yet and hears of in this rhythm."""
    if subscription.confirmed_at is None:
        return Notice.objects.none()
    notices = Notice.objects.filter(at__gt=subscription.confirmed_at).exclude(mails__subscription=subscription)
    if subscription.account_id is None:
        notices = notices.filter(subscription=subscription)
        return notices if every == subscription.every else notices.none()
    choices = LinkChoice.objects.filter(account_id=subscription.account_id)
    timed = Q(scope__in=choices.filter(every=every).values("scope"))
    if every == subscription.every:
        timed |= ~Q(scope__in=choices.values("scope"))
    return notices.filter(timed, account_id=subscription.account_id)


def list_told(mail: Mail) -> list[Notice]:
    """What an e-mail tells: what was chosen when it was first to leave, before that what waits."""
    is_open = mail.kind == Mail.Kind.NEWS and mail.composed_at is None
    notices = list_waiting(mail.subscription, Every(mail.every)) if is_open else mail.notices.all()
    return list(notices.order_by("at", "pk"))


def _compose(mail: Mail) -> Letter:
    """The e-mail as it is now. Its notices are chosen once. Raises `NotKnownYet`, and `NotWanted` where nothing is left to
    say, or the address is to get no such e-mail: before it is confirmed it gets the confirmation alone."""
    subscription = mail.subscription
    is_wanted = (
        bool(subscription.sealed_address) and subscription.stopped_at is None and subscription.refused_at is None
    )
    if not is_wanted or (mail.kind == Mail.Kind.CONFIRM) == (subscription.confirmed_at is not None):
        raise NotWanted
    if mail.kind == Mail.Kind.NEWS and mail.composed_at is None:
        with transaction.atomic():
            Subscription.objects.select_for_update().get(pk=subscription.pk)
            mail.notices.set(list_waiting(subscription, Every(mail.every)))
            mail.composed_at = timezone.now()
            mail.save(update_fields=["composed_at"])
    letter = letters.build_letter(mail, list_told(mail))
    if letter is None:
        raise NotWanted
    return letter


def _send(write: Write) -> None:
    """Hand the e-mail to the mail server; in the demo, keep it for the mailbox."""
    mail = Mail.objects.select_related("subscription__account").filter(pk=write.request["mail"]).first()
    if mail is None:
        raise NotWanted
    _give_up_late(write, mail)
    try:
        letter = _compose(mail)
    except Unreadable:  # the key of the address is gone: nobody can be written to
        raise NotWanted from None
    except NotKnownYet:
        raise _not_now(write, "The numbers could not be read.") from None
    if clients.embedded():
        _keep(mail, letter, write)
    else:
        _hand_over(mail.subscription, letter, write)


def _give_up_late(write: Write, mail: Mail) -> None:
    """Raise the refusal of an e-mail that could not be sent for too long."""
    began = mail.composed_at or mail.created_at
    if write.attempt > 1 and timezone.now() - began > rules.GIVE_UP:
        raise errors.Refused(SEND, message=write.message or "given up")


def _keep(mail: Mail, letter: Letter, write: Write) -> None:
    if mail.subscription.address.endswith(UNREACHABLE):
        raise _not_now(write, "The mail server did not answer.")
    mail.subject, mail.text, mail.html = letter.subject, letter.text, letter.html
    mail.save(update_fields=["subject", "text", "html"])


def _hand_over(subscription: Subscription, letter: Letter, write: Write) -> None:
    message = EmailMultiAlternatives(letter.subject, letter.text, to=[subscription.address], headers=letter.headers)
    message.attach_alternative(letter.html, "text/html")
    connection = get_connection()
    try:
        connection.open()
    except (OSError, SMTPException) as error:
        raise _not_now(write, type(error).__name__) from None
    try:
        connection.send_messages([message])
    except SMTPRecipientsRefused as error:
        code = max((code for code, _words in error.recipients.values()), default=500)
        if code < 500:
            raise _not_now(write, f"{code}") from None
        Subscription.objects.filter(pk=subscription.pk).update(refused_at=timezone.now())
        raise errors.Refused(SEND, message=f"{code}") from None
    except SMTPResponseException as error:
        if error.smtp_code < 500:
            raise _not_now(write, f"{error.smtp_code}") from None
        raise errors.Refused(SEND, message=f"{error.smtp_code}") from None
    except SMTPServerDisconnected as error:
        raise errors.Unreachable(SEND, message=type(error).__name__, sent=True) from None
    except SMTPException as error:  # itself an OSError
        raise errors.Refused(SEND, message=type(error).__name__) from None
    except OSError as error:
        raise errors.Unreachable(SEND, message=type(error).__name__, sent=True) from None
    finally:
        connection.close()


def _not_now(write: Write, words: str) -> errors.Unreachable:
    """It certainly was not taken: it is sent again after a pause."""
    return errors.Unreachable(SEND, message=words, retry_after=rules.get_pause(write.attempt), sent=False)


def send_now(write: Write) -> bool:
    """Let an e-mail that waits leave now, at the next look of the worker. False where it left already."""
    now = timezone.now()
    released = Write.objects.filter(pk=write.pk, state=State.HELD).update(due_at=now)
    if released:
        write.due_at = now
        tasks.enqueue(write)
    return bool(released)


def _settle(write: Write) -> Absence:
    """Nobody can be asked whether an e-mail arrived: it counts as sent, and is not sent again."""
    return SUPERSEDED


@receiver(restored)
def _begin_anew(sender: object, **kwargs: object) -> None:
    """What happened before a restore may have been told after the backup: nobody hears of it twice."""
    Subscription.objects.exclude(confirmed_at=None).update(confirmed_at=timezone.now())


register(Operation(SEND, send=_send, settle=_settle, waits=True, calls=1, longest_reads=120))
