"""Link previews in chats and emails: title and a still of the video, where the owner allows it; never a comment."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.shared.formats import clock
from review_portal import rules
from review_portal.context import Visit
from review_portal.rules import LinkState


@dataclass(frozen=True)
class Preview:
    """The tags in the head of the room. `image` may be empty; both addresses are whole."""

    title: str
    description: str
    image: str
    address: str


def build_preview(visit: Visit) -> Preview | None:
    """None where the owner has not allowed it, and for a link that is not open."""
    link, video, request = visit.link, visit.shown, visit.request
    if not link.allow_preview or visit.state != LinkState.OPEN:
        return None
    asks = _("Watch the video and comment on any moment. You don't need an account.")
    reads = _("Watch the video and read its comments. You don't need an account.")
    sentences = [reads if rules.why_no_comment(link, visit.now) else asks]
    if video.length:
        sentences.append(_("Length: %(length)s.") % {"length": clock(video.length)})
    return Preview(
        title=" · ".join(filter(None, (video.title, link.name))) or _("Video review"),
        description=" ".join(sentences),
        image=request.build_absolute_uri(video.poster) if video.poster else "",
        address=request.build_absolute_uri(f"/{link.pk}"),
    )
