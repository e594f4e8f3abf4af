"""The demo film: small, complete, seekable over its whole length, and the same bytes as HLS."""

import re
import struct
from collections.abc import Iterator
from itertools import pairwise
from uuid import UUID

import pytest

from dashboard.sandbox import media

VIDEO = UUID(int=7)


def film(length: float) -> bytes:
    file = media.read_file(media.FILM, VIDEO, length)
    assert file is not None
    return file.content


def playlist(length: float) -> str:
    file = media.read_file("media.m3u8", VIDEO, length)
    assert file is not None
    return file.content.decode()


def boxes(data: bytes, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int, int]]:
    at = start
    while at < (end or len(data)):
        size, name = struct.unpack_from(">I4s", data, at)
        yield name.decode(), at + 8, at + size
        at += size


def inside(data: bytes, path: str, start: int = 0, end: int | None = None, nth: int = 0) -> tuple[int, int]:
    """Where the body of the nth box at the end of a slash-separated path lies."""
    name, _, rest = path.partition("/")
    found = [(a, z) for got, a, z in boxes(data, start, end) if got == name]
    first, last = found[nth if name == "trak" else 0]
    return inside(data, rest, first, last) if rest else (first, last)


def numbers(data: bytes, span: tuple[int, int], skip: int, per: int) -> list[tuple[int, ...]]:
    count = (span[1] - span[0] - skip) // (4 * per)
    flat = struct.unpack_from(f">{count * per}I", data, span[0] + skip)
    return [flat[n : n + per] for n in range(0, len(flat), per)]


def sample_places(data: bytes, track: int) -> list[tuple[int, int]]:
    """Offset and size of every sample, as a player reads them out of the table."""
    trak = inside(data, "moov/trak", nth=track)
    table = inside(data, "mdia/minf/stbl", *trak)
    sizes = [size for (size,) in numbers(data, inside(data, "stsz", *table), 12, 1)]
    offsets = [offset for (offset,) in numbers(data, inside(data, "stco", *table), 8, 1)]
    changes = {first: count for first, count, _ in numbers(data, inside(data, "stsc", *table), 8, 3)}
    places: list[tuple[int, int]] = []
    count = 0
    for chunk, offset in enumerate(offsets, 1):
        count, at = changes.get(chunk, count), offset
        for _ in range(count):
            size = sizes[len(places)]
            places.append((at, size))
            at += size
    return places


def test_all_that_is_committed_of_the_film_is_small() -> None:
    assert sum(file.stat().st_size for file in media.HERE.rglob("*.*")) < 1_100_000


def test_tables_of_the_committed_film_say_where_each_frame_lies() -> None:
    """A frame is a row of units that begin with their own length, so that a wrong place or size shows at once."""
    data = (media.HERE / media.FILM).read_bytes()
    places = sample_places(data, 0)
    for start, size in places:
        at = start
        while at < start + size:
            at += 4 + int.from_bytes(data[at : at + 4], "big")
        assert at == start + size
    assert len(places) == 15 * media.FILM_SECONDS


def test_every_still_is_light_and_no_two_look_the_same() -> None:
    stills = {media.read_file(media.THUMBNAIL, UUID(int=n), 60) for n in range(media.STILLS)}
    assert len(stills) == media.STILLS
    assert all(still and len(still.content) <= 12_000 and still.content[:2] == b"\xff\xd8" for still in stills)


def test_preview_is_the_same_still_as_webp() -> None:
    preview = media.read_file(media.PREVIEW, VIDEO, 60)
    assert preview is not None
    assert (preview.content[8:12], preview.content_type) == (b"WEBP", "image/webp")


@pytest.mark.parametrize("length", [1.0, 71.9, 72, 72.1, 168, 1117.5])
def test_film_lasts_as_long_as_was_asked(length: float) -> None:
    data = film(length)
    start, _ = inside(data, "moov/mvhd")
    scale, duration = struct.unpack_from(">II", data, start + 12)
    assert duration / scale == pytest.approx(length, abs=0.07)


@pytest.mark.parametrize("track", [0, 1])
def test_every_sample_of_a_long_film_is_the_sample_of_the_film_at_that_time(track: int) -> None:
    once, often = film(72), film(72 * 9 + 5)
    short, long = sample_places(once, track), sample_places(often, track)
    assert len(long) > 9 * len(short)
    for number in range(0, len(long), 97):
        at, size = long[number]
        start, length = short[number % len(short)]
        assert often[at : at + size] == once[start : start + length]


def test_key_frames_let_people_seek_to_every_third_second_of_a_long_film() -> None:
    data = film(300)
    keys = numbers(data, inside(data, "moov/trak/mdia/minf/stbl/stss"), 8, 1)
    assert {after - before for (before,), (after,) in pairwise(keys)} == {45}
    assert len(keys) == 100


def test_a_long_film_costs_a_table_and_not_pictures() -> None:
    assert len(film(1200)) - len(film(72)) < 300_000


def test_playlist_names_ranges_that_are_whole_fragments_of_the_film() -> None:
    ranges = re.findall(r"#EXT-X-BYTERANGE:(\d+)@(\d+)", playlist(72))
    assert len(ranges) == 24
    for size, offset in ranges:
        names = [name for name, _, _ in boxes(film(72), int(offset), int(offset) + int(size))]
        assert names == ["moof", "mdat"]


def test_playlist_says_where_a_long_film_starts_over() -> None:
    text = playlist(216)
    assert text.count("#EXT-X-DISCONTINUITY\n") == 2
    assert sum(float(seconds) for seconds in re.findall(r"#EXTINF:([\d.]+),", text)) == 216


def test_master_playlist_leads_to_the_media_playlist_and_to_its_head_and_film() -> None:
    master = media.read_file(media.MASTER, VIDEO, 72)
    assert master is not None
    name = master.content.decode().splitlines()[-1]
    inner = media.read_file(name, VIDEO, 72)
    assert inner is not None
    addresses = {*re.findall(r'^[^#].*|(?<=URI=")[^"]+', inner.content.decode(), re.MULTILINE)}
    assert addresses == {"init.mp4", media.FILM}
    assert all(media.read_file(address, VIDEO, 72) for address in addresses)


def test_unknown_file_is_nobodys() -> None:
    assert media.read_file("../settings.py", VIDEO, 72) is None


@pytest.mark.parametrize("lang", media.CAPTION_LANGUAGES)
def test_captions_stay_inside_the_film_and_never_overlap(lang: str) -> None:
    times = [
        int(minute) * 60 + float(second)
        for minute, second in re.findall(r"00:(\d\d):(\d\d\.\d{3})", media.captions(lang))
    ]
    assert media.captions(lang).startswith("WEBVTT\n\n")
    assert times == sorted(times)
    assert times[-1] <= media.FILM_SECONDS
    assert len(times) == 32
