"""What getting started says of the parts of the product, and the video that it plays as a check."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.getting_started.models import Setup
from dashboard.overview.registry import Rank, Todo, provides
from dashboard.platform_api.errors import Missing, NotAllowed
from dashboard.platform_api.videos import Video
from dashboard.shared import refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.upstream.capabilities import STATES
from dashboard.upstream.capabilities import path_of as capability_path
from dashboard.upstream.models import Capability, CapabilityState
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready


@dataclass(frozen=True)
class ProductPart:
    """A part of the product that needs a read nobody has promised: any of `reads`. `without`: what is so without it.

    `works`: what is so with it, where its name does not say that; `host`: the setting of the host of its public files.
    """

    name: str
    reads: tuple[str, ...]
    without: str
    page: str
    works: str = ""
    host: str = ""


PARTS = (
    ProductPart(gettext_noop("Videos"), ("videos.list",), gettext_noop("They are not listed."), "videos:videos"),
    ProductPart(
        gettext_noop("Subtitles"),
        ("videos.subtitles",),
        gettext_noop("Those that a video has already are not shown."),
        "subtitles:subtitles",
    ),
    ProductPart(
        gettext_noop("Custom fields"),
        ("custom_fields.list",),
        gettext_noop("The fields of a video are not shown."),
        "custom_fields:custom_fields",
    ),
    ProductPart(
        gettext_noop("Review links made elsewhere"),
        ("review_links.list", "public_review.read_link"),
        gettext_noop("They are not listed. Import them by their addresses."),
        "review_links:review_links",
    ),
    ProductPart(
        gettext_noop("Comments written elsewhere"),
        ("public_review.comments",),
        gettext_noop("Only comments that are written here are shown."),
        "review_links:review_links",
    ),
    ProductPart(
        gettext_noop("Lives"),
        ("lives.list",),
        gettext_noop("They are not listed. Open one by its id."),
        "lives:lives",
    ),
    ProductPart(
        gettext_noop("Funnels"),
        ("funnels.list", "folders.funnels"),
        gettext_noop("They are not listed. Open one by its id."),
        "funnels:funnels",
    ),
    ProductPart(
        gettext_noop("Playlists"),
        ("playlists.list",),
        gettext_noop("They are not listed. Open one by its id."),
        "playlists:playlists",
    ),
    ProductPart(
        gettext_noop("Assistants"),
        ("assistants.list", "assistants.get"),
        gettext_noop("Their visibility is not known until it is set here."),
        "assistants:assistants",
    ),
    ProductPart(
        gettext_noop("Public files of videos"),
        ("public_files.video",),
        without=gettext_noop("Bookmarks are not shown as chapters."),
        page="videos:videos",
        works=gettext_noop("Bookmarks, languages and AI content of a video are read from its public file."),
        host="PLATFORM_CONFIG_URL",
    ),
    ProductPart(
        gettext_noop("Public subtitle files"),
        ("public_files.subtitle",),
        without=gettext_noop("Subtitles are read through the platform's API only."),
        page="subtitles:subtitles",
        works=gettext_noop("Subtitles are read from their public files where the platform's API does not give them."),
        host="PLATFORM_SUBTITLES_URL",
    ),
    ProductPart(
        gettext_noop("Public files of AI content"),
        ("ai_workflow.read_package",),
        without=gettext_noop("AI content cannot be opened."),
        page="videos:videos",
        works=gettext_noop("eBooks, mind maps and quizzes can be opened."),
        host="PLATFORM_CONFIG_URL",
    ),
    ProductPart(
        gettext_noop("Public files of A/B tests"),
        ("public_files.comparison",),
        without=gettext_noop("The state of an A/B test is read through the platform's API only."),
        page="ab_tests:ab_tests",
        works=gettext_noop(
            "The state of an A/B test is read from its public file where the platform's API does not give it."
        ),
        host="PLATFORM_CONFIG_URL",
    ),
    ProductPart(
        gettext_noop("Public files of lives"),
        ("public_files.live",),
        without=gettext_noop("The state of a live is read through the platform's API only."),
        page="lives:lives",
        works=gettext_noop(
            "The state of a live is read from its public file where the platform's API does not give it."
        ),
        host="PLATFORM_LIVE_CONFIG_URL",
    ),
)


def describe_part(part: ProductPart, capabilities: Mapping[str, Capability]) -> tuple[str, str, str]:
    """Whether the platform has what a part needs, as a shape and words, and a note: mostly what is so without it.

    `capabilities`: what trying the account's reads showed, by operation.
    """
    config = clients.config()
    if part.host and not any(capability_path(name, config) for name in part.reads):
        sentence = _("%(sentence)s To change this, set %(setting)s on the server.")
        note = sentence % {"sentence": _(part.without), "setting": part.host}
        return "none", _("Address not set on this installation"), note
    if part.reads[0].startswith(("review_links.", "public_review.")) and not config.review_reads:
        return "none", _("Switched off on this installation"), _(part.without)
    states = {capabilities[name].state for name in part.reads if name in capabilities}
    state = next((state for state in STATES if state in states), CapabilityState.UNTRIED)
    shape, label = STATES[state]
    note = part.works if state == CapabilityState.FOUND else part.without if state != CapabilityState.UNTRIED else ""
    if part.host and state == CapabilityState.UNTRIED and capabilities:
        note = gettext_noop("None was found for the first videos, A/B tests and lives.")
    return shape, _(label), note and _(note)


def find_playable(videos: Outcome) -> Video | None:
    """The first video of a page of the library that the platform says can be played, and where."""
    if not isinstance(videos, Ready):
        return None
    playable = (video for video in videos.value.videos if video.playable)
    return next((video for video in playable if video.player_url or video.mp4_url or video.hls_url), None)


def explain_missing(videos: Outcome) -> str:
    """Why a page of the library has no video that can be played."""
    if isinstance(videos, Late):
        return _("The platform has not answered yet. Open this page again in a moment.")
    if isinstance(videos, Failed) and not isinstance(videos.error, Missing | NotAllowed):
        return refusals.explain(videos.error).sentence
    if isinstance(videos, Failed):
        return _("The platform does not list its videos. Open a video by its id and see whether it plays there.")
    return _("There is no video yet that can be played. Upload one on the platform, then open this page again.")


@provides("getting_started", asks_platform=False)
def getting_started(request: OwnerRequest) -> Iterator[Todo]:
    """Until somebody finishes it. The embedded platform plays its videos everywhere."""
    if clients.embedded() or Setup.objects.filter(account=request.account, finished_at__isnull=False).exists():
        return
    page = address("getting_started:getting_started")
    sentence = _("The platform may play videos only on addresses that its account allows.")
    yield Todo(
        Rank.ASKED,
        "queue",
        word=_("To do"),
        title=_("Set up this account"),
        address=page,
        why=sentence,
        action=_("Get started"),
        action_address=page,
    )
