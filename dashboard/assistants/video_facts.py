"""What assistants know of every video: where its chat is shown."""

from django.db.models import Count, Max

from dashboard.accounts.models import Account
from dashboard.assistants.models import Switch
from dashboard.upstream import library, store
from dashboard.upstream.facts import VideoFacts, VideoSource, register_source
from dashboard.upstream.parallel import Ready
from dashboard.upstream.reads import Query, Reads

LIST: Query[object] = Query(lambda platform: platform.assistants.list())


def _load_chats(account: Account) -> VideoFacts:
    """By video, the states of its chats, `shown` or `hidden`: as the platform tells them, else as they were switched here."""
    chats: dict[str, dict[str, bool]] = {}
    switches = Switch.objects.filter(account_id=account.pk, confirmed=True)
    for video, assistant, is_shown in switches.values_list("video_id", "assistant_id", "visible"):
        chats.setdefault(video, {})[assistant] = is_shown
    outcome = Reads(account).known(assistants=LIST)["assistants"]
    for assistant in outcome.value if isinstance(outcome, Ready) else ():
        for video, is_shown in assistant.chat.items():
            chats.setdefault(video, {})[assistant.id] = is_shown
    states = {
        video: tuple(sorted({"shown" if is_shown else "hidden" for is_shown in by_assistant.values()}))
        for video, by_assistant in chats.items()
    }
    return VideoFacts(states)


def _version(account: Account) -> tuple[object, ...]:
    known = store.states(account.pk, [library.digest_of(LIST)])
    switches = Switch.objects.filter(account_id=account.pk).aggregate(count=Count("pk"), newest=Max("at"))
    return (*switches.values(), *(state.changed_at for state in known.values()))


def _refresh(account: Account) -> None:
    """Read the assistants where their list is older than its interval."""
    Reads(account).gather(library.waiting(), assistants=LIST)


register_source(VideoSource("chat", _version, _load_chats, _refresh))
