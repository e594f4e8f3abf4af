"""What leaves, byte for byte: method, host, path, query, headers, body."""

import json
from dataclasses import replace

import httpx
import pytest

from dashboard.platform_api import Platform, errors
from tests.platform_api.conftest import Answering, Recorder
from tests.platform_api.operations import (
    BASE,
    CONFIG,
    EXAMPLES,
    FIELD,
    LINK,
    NO_BODY,
    OPERATIONS,
    REVIEWER,
    TOKEN,
    VIDEO,
    Example,
    methods,
)

ANY_ANSWER = {
    "id": "1",
    "organization_id": "1",
    "status": True,
    "videos": [],
    "sub_accounts": [],
    "vtt": "WEBVTT",
    "message": "ok",
    "lang": "en",
    "key": "color",
    "text": "x",
}


def ok(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json=ANY_ANSWER)


def test_every_operation_has_a_row() -> None:
    assert set(OPERATIONS) == methods()


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_call_leaves_exactly_as_specified(example: Example, answering: Answering, recorder: Recorder) -> None:
    example.call(answering(ok))
    (request,) = recorder.requests
    assert request.method == example.method
    assert str(request.url) == example.url
    assert request.headers.get("Authorization") == example.authorization
    if example.body is NO_BODY:
        assert request.content == b""
        assert "Content-Type" not in request.headers
    else:
        assert json.loads(request.content) == example.body
        assert request.headers["Content-Type"] == "application/json"
    assert [call.operation for call in recorder.calls] == [example.operation]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_what_is_previewed_is_what_leaves(example: Example, answering: Answering, recorder: Recorder) -> None:
    platform = answering(ok)
    preview = platform.preview(example.call)
    assert recorder.requests == []
    example.call(platform)
    (request,) = recorder.requests
    assert (preview.operation, preview.method) == (example.operation, request.method)
    assert preview.url.replace("$REVIEWER_TOKEN", REVIEWER) == str(request.url)
    assert (preview.body or "").encode() == request.content
    for name, value in preview.headers.items():
        assert request.headers[name] == value.replace("$PLATFORM_TOKEN", TOKEN)
    assert TOKEN not in repr(preview)
    assert REVIEWER not in repr(preview)


def test_the_custom_field_flag_has_no_equals_sign(answering: Answering, recorder: Recorder) -> None:
    answering(ok).custom_fields.update(VIDEO, FIELD, value="x")
    assert recorder.requests[0].url.raw_path == f"/v2/videos/{VIDEO}?custom_fields&id={FIELD}".encode()


def test_a_body_is_utf_8_without_escapes(answering: Answering, recorder: Recorder) -> None:
    answering(ok).public_review.create_comment(LINK, REVIEWER, {"text": "Ação 🎬 \ud800"})
    assert recorder.requests[0].content == '{"text":"Ação 🎬 ?"}'.encode()


def test_traffic_carries_the_raw_token_where_the_setting_says_so(answering: Answering, recorder: Recorder) -> None:
    OPERATIONS["analytics.traffic"].call(answering(ok, replace(CONFIG, traffic_auth="raw")))
    assert recorder.requests[0].headers["Authorization"] == TOKEN


def test_a_platform_without_token_sends_no_authorization(answering: Answering, recorder: Recorder) -> None:
    answering(ok, token="").folders.list()
    assert "Authorization" not in recorder.requests[0].headers


@pytest.mark.parametrize("base", ["https://api.example/v2", "https://api.example/v2/", "https://api.example/v2//"])
def test_addresses_join_whatever_the_base_ends_with(base: str, answering: Answering, recorder: Recorder) -> None:
    answering(ok, replace(CONFIG, base_url=base)).videos.get(VIDEO)
    assert str(recorder.requests[0].url) == f"{BASE}/videos/{VIDEO}"


@pytest.mark.parametrize(
    ("identifier", "path"),
    [
        ("a/b", "/v2/videos/a%2Fb"),
        ("a?b#c", "/v2/videos/a%3Fb%23c"),
        ("../folders", "/v2/videos/..%2Ffolders"),
        ("%2e%2e", "/v2/videos/%252e%252e"),
        ("é ", "/v2/videos/%C3%A9%20"),
        ("…", "/v2/videos/%E2%80%A6"),
        ("\ud800", "/v2/videos/%3F"),
    ],
)
def test_a_path_argument_cannot_leave_its_segment(
    identifier: str, path: str, answering: Answering, recorder: Recorder
) -> None:
    answering(ok).videos.get(identifier)
    assert recorder.requests[0].url.raw_path == path.encode()


@pytest.mark.parametrize("identifier", ["", ".", ".."])
def test_an_identifier_that_can_name_nothing_is_missing_and_not_sent(
    identifier: str, answering: Answering, recorder: Recorder
) -> None:
    with pytest.raises(errors.Missing):
        answering(ok).videos.get(identifier)
    assert recorder.requests == []


@pytest.mark.parametrize(("pullzone", "external_id", "lang"), [("", "e", "en"), ("z", "", "en"), ("z", "e", "")])
def test_a_content_file_without_a_name_is_missing_and_not_sent(
    pullzone: str, external_id: str, lang: str, answering: Answering, recorder: Recorder
) -> None:
    with pytest.raises(errors.Missing):
        answering(ok).ai_workflow.read_package(pullzone, external_id, lang)
    assert recorder.requests == []


def test_a_fresh_read_of_a_content_file_never_asks_for_the_same_address_twice(
    answering: Answering, recorder: Recorder
) -> None:
    platform = answering(ok)
    for _ in range(2):
        platform.ai_workflow.read_package("zone", "ext", "en", fresh=True)
    first, second = (str(request.url) for request in recorder.requests)
    assert first.startswith(f"{CONFIG.config_url}/zone/ext-ai.en.json?fresh=")
    assert first != second


@pytest.mark.parametrize("name", ["review_links.list", "public_review.read_link", "public_review.comments"])
def test_guessed_reads_of_reviews_stay_home_when_they_are_off(
    name: str, answering: Answering, recorder: Recorder
) -> None:
    with pytest.raises(errors.Missing):
        OPERATIONS[name].call(answering(ok, replace(CONFIG, review_reads=False)))
    assert recorder.requests == []


@pytest.mark.parametrize("token", ["wíth-accent", "two\nlines", "with\x00nul", " spaced ", "tab\t"])
def test_a_token_that_no_header_carries_is_a_bad_token_and_not_sent(
    token: str, answering: Answering, recorder: Recorder
) -> None:
    with pytest.raises(errors.BadToken):
        answering(ok, token=token).folders.list()
    assert recorder.requests == []


def test_a_reviewer_without_session_token_is_not_sent(answering: Answering, recorder: Recorder) -> None:
    with pytest.raises(errors.BadToken):
        answering(ok).public_review.comments(LINK, "")
    assert recorder.requests == []


def test_a_reviewer_s_token_cannot_add_parameters(answering: Answering, recorder: Recorder) -> None:
    answering(ok).public_review.comments(LINK, "a&b=c\n")
    assert recorder.requests[0].url.query == b"token=a%26b%3Dc%0A"


class TestPreview:
    def test_as_a_shell_command(self, answering: Answering) -> None:
        preview = answering(ok).preview(lambda p: p.custom_fields.update(VIDEO, FIELD, value="it's $HOME"))
        assert preview.curl() == (
            f"curl -X PUT '{BASE}/videos/{VIDEO}?custom_fields&id={FIELD}' \\\n"
            "  -H 'Accept: application/json' \\\n"
            "  -H 'Authorization: '\"$PLATFORM_TOKEN\" \\\n"
            "  -H 'Content-Type: application/json' \\\n"
            """  --data-raw '{"value":"it'"'"'s $HOME"}'"""
        )

    def test_masks_a_reviewer_s_token_in_the_address(self, answering: Answering) -> None:
        preview = answering(ok).preview(OPERATIONS["public_review.create_comment"].call)
        assert preview.url.endswith("?token=$REVIEWER_TOKEN")
        assert 'comments?token=\'"$REVIEWER_TOKEN" \\' in preview.curl()
        assert "Authorization" not in preview.headers

    def test_says_when_nothing_was_called(self, answering: Answering) -> None:
        with pytest.raises(ValueError, match="nothing was called"):
            answering(ok).preview(lambda p: None)

    def test_raises_what_the_operation_would_raise_before_sending(self, answering: Answering) -> None:
        with pytest.raises(errors.Missing):
            answering(ok).preview(lambda p: p.playlists.delete(".."))


def test_nothing_that_stays_in_memory_shows_a_token(answering: Answering) -> None:
    platform: Platform = answering(ok)
    assert TOKEN not in repr(vars(platform))
    assert TOKEN not in repr(vars(platform.videos))
