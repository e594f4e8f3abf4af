"""What a browser tells beside its forms, which a comment needs: how fast it saw the video run, and where stills are."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest

from review_portal import drawing_forms
from review_portal.models import ReviewLink
from review_portal.video_rate import get_measured_rate


@dataclass(frozen=True)
class Sender:
    """`rate`: frames a second of the video as this browser measured them; `stills`: where the stills of drawings are as it
    sees this server, "" where their addresses are not sent."""

    rate: str = ""
    stills: str = ""


NOBODY: Final = Sender()


def read_sender(request: HttpRequest, link: ReviewLink) -> Sender:
    """The sender of a form about the video of this link, which the address names."""
    measured = get_measured_rate(request)
    return Sender(measured.frames if measured else "", drawing_forms.get_stills_address(request, link))
