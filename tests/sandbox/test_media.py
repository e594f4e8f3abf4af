"""Films, stills and subtitle files, with the ranges that seeking needs."""

import pytest
from django.test import Client

from tests.sandbox.world import NOBODY, Api, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def film(world: World) -> str:
    return f"/media/{world.video.external_id}/film.mp4"


def test_the_addresses_in_a_video_lead_to_files(world: World, api: Api) -> None:
    video = api("GET", f"/api/videos/{world.video.id}")[1]
    for name, kind in (
        ("video_mp4", "video/mp4"),
        ("video_hls", "application/vnd.apple.mpegurl"),
        ("thumbnail", "image/jpeg"),
        ("preview", "image/webp"),
    ):
        response = api.send("GET", video[name].removeprefix("/sandbox"), token=None)
        assert (response.status_code, response.headers["content-type"]) == (200, kind)
        assert response.headers["accept-ranges"] == "bytes"
        assert len(response.content) == int(response.headers["content-length"])


@pytest.mark.parametrize("word", ["media.m3u8", "init.mp4"])
def test_the_playlist_leads_on(world: World, api: Api, word: str) -> None:
    assert api.send("GET", f"/media/{world.video.external_id}/{word}").status_code == 200


def test_a_range_is_the_part_that_was_asked_for(world: World, api: Api) -> None:
    whole = api.send("GET", film(world)).content
    size = len(whole)
    for asked, start, end in (
        ("bytes=0-0", 0, 1),
        ("bytes=0-99", 0, 100),
        ("bytes=500-", 500, size),
        (f"bytes={size - 1}-", size - 1, size),
        ("bytes=-7", size - 7, size),
        (f"bytes=-{size + 5}", 0, size),
        (f"bytes=10-{size + 99}", 10, size),
    ):
        response = api.send("GET", film(world), headers={"range": asked})
        assert response.status_code == 206, asked
        assert response.headers["content-range"] == f"bytes {start}-{end - 1}/{size}", asked
        assert response.content == whole[start:end], asked


def test_a_range_outside_is_416_with_the_size(world: World, api: Api) -> None:
    size = len(api.send("GET", film(world)).content)
    for asked in (f"bytes={size}-", "bytes=9-3", "bytes=-0"):
        response = api.send("GET", film(world), headers={"range": asked})
        assert (response.status_code, response.headers["content-range"]) == (416, f"bytes */{size}"), asked


@pytest.mark.parametrize("asked", ["bytes=0-1,5-6", "bytes=-", "items=0-5", "bytes=a-b", "bytes=٣-٤"])
def test_a_range_that_is_not_understood_gives_the_whole(world: World, api: Api, asked: str) -> None:
    response = api.send("GET", film(world), headers={"range": asked.encode()})
    assert response.status_code == 200


def test_a_range_of_another_version_gives_the_whole(world: World, api: Api) -> None:
    etag = api.send("GET", film(world)).headers["etag"]
    for condition, status in ((etag, 206), ('"another"', 200)):
        headers = {"range": "bytes=0-1", "if-range": condition}
        assert api.send("GET", film(world), headers=headers).status_code == status


def test_head_tells_the_size_without_the_bytes(world: World, api: Api) -> None:
    size = len(api.send("GET", film(world)).content)
    response = api.send("HEAD", film(world))
    assert (response.status_code, response.headers["content-length"], response.content) == (200, str(size), b"")


def test_a_subtitle_file_is_text(world: World, api: Api) -> None:
    world.subtitle("pt-BR")
    response = api.send("GET", f"/media/{world.video.external_id}/subtitles/pt-BR.vtt", token=None)
    assert (response.status_code, response.headers["content-type"]) == (200, "text/vtt; charset=utf-8")
    for wrong in ("pt-BR.srt", "de.vtt", "pt-BR"):
        assert api.send("GET", f"/media/{world.video.external_id}/subtitles/{wrong}").status_code == 404


@pytest.mark.parametrize("path", [f"/media/{NOBODY}/film.mp4", "/media/42/film.mp4"])
def test_an_unknown_video_has_no_files(world: World, api: Api, path: str) -> None:
    assert api.send("GET", path).status_code == 404
    assert api.send("GET", f"/media/{world.video.external_id}/passwd").status_code == 404


def test_a_part_of_a_film_is_never_compressed_over_http(world: World, client: Client) -> None:
    response = client.get(f"/sandbox{film(world)}", headers={"range": "bytes=0-999", "accept-encoding": "gzip"})
    assert (response.status_code, response["content-length"], response["content-encoding"]) == (206, "1000", "identity")
    assert len(response.content) == 1000
