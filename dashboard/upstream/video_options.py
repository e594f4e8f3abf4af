"""Videos to choose from, the same wherever one is picked: the search, state, length, folder, and why viewers cannot play it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.errors import CallError, Missing
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.shared import formats
from dashboard.shared.entries import Entry, Wanted
from dashboard.shared.http import OwnerRequest, page_number
from dashboard.shared.text import fold, parse_uuid
from dashboard.upstream import library, reads
from dashboard.upstream.figures import FigureAnswer, build_answer, build_video_query, read_figures
from dashboard.upstream.parallel import Outcome, Ready
from dashboard.upstream.reads import Reads
from dashboard.upstream.single_records import is_untold

RECENT_SECONDS: Final = 10.0
"""How old a state may be that something irreversible is decided by."""
PAGE_SIZE: Final = 24
CHOSEN_MOST: Final = 100
NAMED_MOST: Final = 24
"""Videos that an address may name: each is a call, and anybody may write one for an owner to open."""
"""Chosen videos that one form or address may bring: each costs a read."""
FIND: Final = "_find"
"""The buttons of a picker inside a form, whose value is a page: nothing is checked or sent, everything typed stays."""


@dataclass(frozen=True)
class VideoOption:
    """A video in a picker. `problem`: why it is refused; `warning`: what is not known about it; "" where there is none."""

    id: str
    title: str
    state: str
    length: str = ""
    folder: str = ""
    thumbnail: str = ""
    problem: str = ""
    warning: str = ""


def build_option(video: Video | Entry, folder_names: Mapping[str, str] | None = None) -> VideoOption:
    """A video as it is shown to be chosen. `folder_names`: names by id, as far as they are known."""
    return VideoOption(
        id=video.id,
        title=video.title or video.id,
        state=_format_state(video.status),
        length=formats.clock(video.length) if video.length else "",
        folder=(folder_names or {}).get(video.folder_id or "", ""),
        thumbnail=video.thumbnail or "",
        problem=find_playing_problem(video),
        warning=find_warning(video),
    )


def describe_unplayable(status: str) -> str:
    """Why viewers cannot play a video of this status; "" where they can, or where nobody here knows it."""
    known = {
        VideoStatus.CONVERTING.value: _("It is still converting: viewers can't play it until that is done."),
        VideoStatus.DRAFT.value: _("It is only a draft: viewers can't play it."),
        VideoStatus.FAILED.value: _("Its conversion failed: viewers can't play it."),
        VideoStatus.DELETING.value: _("It is in the trash: viewers can't play it."),
    }
    return known.get(status, "")


def find_unplayable(reader: Reads, video_ids: Collection[str]) -> dict[str, str]:
    """By id the status of those videos that viewers cannot play, as far as the library is known."""
    entries = library.known_entries(reader, Wanted()) or ()
    return {entry.id: entry.status for entry in entries if entry.id in video_ids and describe_unplayable(entry.status)}


def find_playing_problem(video: Video | Entry) -> str:
    """Why viewers cannot play it, as the platform says; "" where they can, or where its state is none that is known."""
    if problem := describe_unplayable(video.status):
        return problem
    is_known = video.status in ("", VideoStatus.CONVERTED)
    return _("The platform says that it can't be played.") if is_known and video.is_unplayable else ""


def find_warning(video: Video | Entry) -> str:
    """What is said of a state that nobody here knows: it is not refused."""
    if video.status in ("", *VideoStatus):
        return ""
    return _("Its state is “%(status)s”: viewers may not be able to play it.") % {"status": video.status}


def _format_state(status: str) -> str:
    """The state in a word; one that nobody knows as it came."""
    known = {
        VideoStatus.DRAFT.value: _("Draft"),
        VideoStatus.CONVERTING.value: _("Converting"),
        VideoStatus.CONVERTED.value: _("Ready"),
        VideoStatus.FAILED.value: _("Failed"),
        VideoStatus.DELETING.value: _("In the trash"),
    }
    return known.get(status, status)


def format_problems(videos: Sequence[Video]) -> list[str]:
    """A sentence for each of the videos that viewers cannot play."""
    found = [(video.title or video.id, problem) for video in videos if (problem := find_playing_problem(video))]
    return [f"“{title}”: {problem}" for title, problem in found]


def load_problems(request: OwnerRequest, video_ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is wrong with these videos now, and what is not known of them: one sentence a video. Unread ones have neither."""
    seconds = 0.0 if request.method == "POST" else RECENT_SECONDS  # what is sent now may not be taken back
    asks = {video_id: replace(build_video_query(video_id), seconds=seconds) for video_id in video_ids}
    answers = read_figures(request, asks)
    videos = [answer.value for answer in answers.values() if answer.value is not None and not answer.error]
    missing = [key for key, answer in answers.items() if isinstance(answer.error, Missing)]
    absent = [f"“{video_id}”: " + _("This video was not found in this account.") for video_id in missing]
    warnings = [f"“{video.title or video.id}”: {words}" for video in videos if (words := find_warning(video))]
    return [*format_problems(videos), *absent], warnings


@dataclass(frozen=True)
class VideoPicker:
    """Videos to choose from: those chosen before, and a page of the others (templates/components/_video_picker.html)."""

    field: str
    """The name of the field with the words of the search."""
    find: str
    page: int
    has_more: bool
    chosen: tuple[VideoOption, ...]
    others: tuple[VideoOption, ...]
    note: str
    """What was not found, not read, or not read yet."""
    list_error: CallError | None
    answers: Mapping[str, FigureAnswer]
    """What was read of each chosen video, by its id."""


def load_picker(request: OwnerRequest, chosen_ids: Iterable[str] = (), *, field: str = "find") -> VideoPicker:
    """Load the videos that `request` asks for by part of a title, of their folder or by id, and those chosen before.

    Raises `BadToken`. Where something else goes wrong, what was chosen stays.
    """
    source = request.POST if request.method == "POST" else request.GET
    find = " ".join("".join(filter(str.isprintable, source.get(field, ""))).split())[:100]
    page = page_number(source.get(FIND) or source.get("page", ""))
    ids, named = list_video_ids(chosen_ids), list_video_ids([find])
    ids = ids if request.method == "POST" else ids[:NAMED_MOST]
    seconds = RECENT_SECONDS if request.method == "POST" else None
    asks = {key: replace(build_video_query(key).query(), seconds=seconds) for key in (*ids, *named)}
    reader = reads.of(request)
    if find:
        asks["titles"] = library.page_of(Wanted(title=find), 1, library.SAFE)
        outcomes = library.read_first(reader, Wanted(), library.waiting(), others=asks)
    else:
        asks |= {"first": library.page_of(Wanted(), page, PAGE_SIZE), "folders": library.FOLDERS}
        outcomes = reader.gather(library.waiting(), **asks)
    answers = {name: build_answer(outcome) for name, outcome in outcomes.items()}
    folders = {shelf.id: shelf.name for shelf in library.folders_of(outcomes["folders"])[0]}
    videos: list[Video | Entry] = [answers[key].value for key in named if answers[key].value]
    error, note, has_more = None, "", False
    try:
        if find:
            found, note = _search(reader, outcomes, find, folders)
            videos += found
            videos, has_more = videos[(page - 1) * PAGE_SIZE : page * PAGE_SIZE], len(videos) > page * PAGE_SIZE
        else:
            listed, _total, pages = library.value_of(outcomes["first"])
            videos += listed
            has_more = page < pages if pages is not None else len(listed) == PAGE_SIZE
        if not videos and not note:
            note = _("No video has this in its title, folder or id.") if find else _("No videos yet")
    except CallError as failure:
        error, note = failure, _describe_failure(failure)
    return VideoPicker(
        field=field,
        find=find,
        page=page,
        has_more=has_more,
        chosen=tuple(_build_chosen(key, answers[key], folders) for key in ids),
        others=tuple(
            build_option(video, folders) for video in {one.id: one for one in videos}.values() if video.id not in ids
        ),
        note=note,
        list_error=error,
        answers={key: answers[key] for key in ids},
    )


def list_video_ids(texts: Iterable[str]) -> list[str]:
    """Those of the texts that are ids of videos, each once, as the platform spells them."""
    return list(dict.fromkeys(str(video_id) for text in texts if (video_id := parse_uuid(text))))[:CHOSEN_MOST]


def _search(
    reader: Reads, outcomes: Mapping[str, Outcome], find: str, folders: Mapping[str, str]
) -> tuple[list[Entry], str]:
    """The videos with these words in their title, then those in a folder of this name; and what was not looked through.

    The platform finds titles alone; it looks through all of them, while here only a part may have been read.
    """
    words = fold(find)
    folder_ids = {folder for folder, name in folders.items() if words in fold(name)}
    entries, total = library.read_so_far(reader, outcomes["first"])
    titled = [entry for entry in entries if words in fold(entry.title)]
    if len(entries) < total and isinstance(outcomes["titles"], Ready):
        titled += library.value_of(outcomes["titles"])[0]
    others = [entry for entry in entries if entry.folder_id in folder_ids or entry.id.startswith(words)]
    note = ngettext(
        "Folders were searched in the %(read)s of %(count)s video read so far.",
        "Folders were searched in the %(read)s of %(count)s videos read so far.",
        total,
    ) % {"read": formats.number(len(entries)), "count": formats.number(total)}
    return [*{entry.id: entry for entry in (*titled, *others)}.values()], note if len(entries) < total else ""


def _describe_failure(error: CallError) -> str:
    if is_untold(error):
        return _("This platform does not list its videos. Search for one by its id.")
    return _("The list of videos could not be read. Try again in a minute; what you typed stays.")


def _build_chosen(video_id: str, answer: FigureAnswer, folders: Mapping[str, str]) -> VideoOption:
    if answer.value is not None:
        return build_option(answer.value, folders)
    missing = _("This video was not found in this account.") if isinstance(answer.error, Missing) else ""
    return VideoOption(video_id, video_id, "", problem=missing)
