"""The videos that can be variants: chosen ones first, then search results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from dashboard.ab_tests.forms import VARIANTS_MOST, VIDEO_ID
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.figures import (
    build_folder_list_query,
    build_video_list_query,
    build_video_query,
    read_figures,
)
from dashboard.upstream.video_options import VideoOption, build_option

CHOSEN_MOST: Final = 3 * VARIANTS_MOST
"""Each chosen video costs a read. The form allows fewer; only a forged address has more."""


@dataclass(frozen=True)
class VariantChooser:
    """The choice of videos in templates/ab_tests/_form.html."""

    chosen: tuple[VideoOption, ...]
    others: tuple[VideoOption, ...]
    find: str
    note: str


def load_chooser(request: OwnerRequest, find: str, video_ids: Sequence[str]) -> VariantChooser:
    """Load the videos to choose from. Chosen videos stay in the list whatever the search."""
    find = "".join(letter for letter in find if letter.isprintable()).strip()[:100]
    chosen_ids = [text for text in dict.fromkeys(video_ids) if VIDEO_ID.fullmatch(text)][:CHOSEN_MOST]
    got = read_figures(
        request,
        {
            "list": build_video_list_query(find),
            "folders": build_folder_list_query(),
            **{text: build_video_query(text) for text in chosen_ids},
        },
    )
    folder_names = {folder.id: folder.name for folder in got["folders"].value or ()}
    listed = got["list"].value.videos if got["list"].value is not None else ()
    chosen = (
        build_option(video, folder_names) if (video := got[text].value) else VideoOption(text, text, "")
        for text in chosen_ids
    )
    others = (build_option(video, folder_names) for video in listed if video.id not in chosen_ids)
    note = ""
    if got["list"].value is None:
        note = _("The list of videos could not be read. Try again in a minute; what you typed stays.")
    elif find and not listed:
        note = _("No video has “%(words)s” in its title.") % {"words": find}
    elif got["list"].value.total and got["list"].value.total > len(listed):
        note = _("These are the newest videos. Find others by title.")
    return VariantChooser(tuple(chosen), tuple(others), find, note)
