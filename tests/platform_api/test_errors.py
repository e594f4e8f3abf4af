"""Every refusal of section 7, and everything that no specification foresees: each is one error of the tree."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from dashboard.platform_api import errors
from dashboard.platform_api.errors import BadToken, Missing, NotAllowed, PlatformDown, RateLimited, Refused
from dashboard.platform_api.vocabulary import Message
from tests.house.sources import assert_none
from tests.platform_api.conftest import Answering, Recorder, error_of
from tests.platform_api.operations import COMMENT, LINK, LIVE, OPERATIONS, REVIEWER, TEST, TOKEN, VIDEO


@dataclass(frozen=True)
class Line:
    """One condition of section 7 and what it has to become."""

    operation: str
    status: int
    message: str
    error: type[errors.CallError]

    def __str__(self) -> str:
        return f"{self.operation} {self.status} {self.message[:40]}"


def lines(operation: str, status: int, error: type[errors.CallError], *messages: str) -> list[Line]:
    return [Line(operation, status, message, error) for message in messages]


SECTION_7 = [
    *lines(
        "ai_workflow.create",
        400,
        Refused,
        Message.FROM_LANG_REQUIRED,
        Message.TO_LANG_REQUIRED,
        Message.TIER_REQUIRED,
        Message.SOURCE_SUBTITLE_MISSING,
        Message.TARGET_SUBTITLE_EXISTS,
        Message.SUBTITLE_EXISTS,
        Message.TRANSCRIPTION_RUNNING.format(video_id=VIDEO),
        Message.TRANSLATION_RUNNING,
        Message.NO_ORGANIZATION,
    ),
    *lines("ai_workflow.create", 403, NotAllowed, Message.AUTO_NOT_ON_ESSENTIAL),
    *lines("ai_workflow.create", 404, Missing, Message.VIDEO_NOT_FOUND.format(video_id=VIDEO)),
    *lines(
        "organizations.create_sub_account",
        400,
        Refused,
        "status is not allowed",
        Message.SUB_ACCOUNT_OF_SUB_ACCOUNT,
        Message.ORGANIZATION_NOT_ACTIVE,
        Message.ORGANIZATION_IN_TRIAL,
    ),
    *lines("organizations.create_sub_account", 403, NotAllowed, Message.VERIFY_PERMISSIONS),
    *lines("ai_workflow.save_package", 400, Refused, "question without enunciate", "malformed options"),
    *lines("ai_workflow.save_package", 404, Missing, "video or resource not found"),
    *lines("review_links.create", 400, Refused, "invalid body", "link_name pattern", Message.EXPIRY_TOO_FAR),
    *lines("review_links.create", 404, Missing, "video not found", Message.ROUTE_NOT_FOUND),
    *lines("custom_fields.update", 400, Refused, "invalid body", "empty value", "duplicate key"),
    *lines("custom_fields.update", 404, Missing, "video not found", "custom field not found"),
    *lines(
        "public_review.create_comment",
        400,
        Refused,
        "invalid body",
        "time missing",
        "time greater than video duration",
        "reply_to not a valid sibling",
        "limit of 30 main comments reached",
        "limit of 30 replies reached",
    ),
    *lines("public_review.create_comment", 401, BadToken, "invalid session token"),
    *lines("public_review.create_comment", 403, NotAllowed, "link expired", "link inactive", "comments not allowed"),
    *lines("public_review.create_comment", 404, Missing, "link not found"),
    *lines("public_review.update_comment", 400, Refused, "invalid body"),
    *lines("public_review.update_comment", 401, BadToken, "invalid session token"),
    *lines("public_review.update_comment", 403, NotAllowed, "link expired", "status edit not allowed"),
    *lines("public_review.update_comment", 404, Missing, "comment not found"),
    *lines(
        "lives.start",
        400,
        Refused,
        Message.LIVE_ALREADY_STARTED,
        Message.LIVE_NOT_FOR_TRIAL,
        Message.LIVE_ID_INVALID.format(live_id="x"),
    ),
    *lines("lives.start", 404, Missing, Message.LIVE_NOT_FOUND.format(live_id="x")),
    *lines("lives.start", 500, Refused, "subscription status unreadable"),
    *lines("lives.start", 500, Refused, "ingest channel failed to start"),
    *lines(
        "funnels.add_videos",
        400,
        Refused,
        "empty videos",
        Message.FUNNEL_NEEDS_FIRST,
        Message.FUNNEL_ONE_FIRST,
        Message.FUNNEL_VIDEO_UNKNOWN,
    ),
    *lines("funnels.add_videos", 403, NotAllowed, "not of the funnel's organization"),
    *lines("funnels.add_videos", 404, Missing, "funnel does not exist"),
    *lines("comparisons.start", 400, Refused, Message.TYPE_NOT_SPECIFIED),
    *lines("comparisons.update", 400, Refused, Message.TYPE_NOT_SPECIFIED),
    *lines("comparisons.finish", 400, Refused, Message.TYPE_NOT_SPECIFIED),
    *lines("playlists.delete", 400, Missing, Message.PLAYLIST_NOT_FOUND),
    *lines("playlists.delete", 500, NotAllowed, Message.PLAYLIST_NOT_OWNED),
    *lines("playlists.delete", 500, PlatformDown, Message.INTERNAL),
    *lines("folders.list", 401, BadToken, Message.UNAUTHORIZED),
    *lines("folders.list", 500, PlatformDown, Message.INTERNAL),
    *lines("analytics.traffic", 400, Refused, "bad parameters"),
    *lines("analytics.traffic", 401, BadToken, "authentication failed"),
    *lines("analytics.traffic", 404, Missing, "not found"),
    *lines("analytics.traffic", 500, PlatformDown, "server error"),
    # "Status 401 on every authenticated operation means a missing or invalid API token", "any operation 500"
    *[
        Line(operation, 401, Message.UNAUTHORIZED, BadToken)
        for operation in OPERATIONS
        if operation not in errors.PUBLIC_FILES
    ],
    *[Line(operation, 500, Message.INTERNAL, PlatformDown) for operation in OPERATIONS],
]
BODIES: dict[str, Callable[[str], Any]] = {
    "errCode and errMsg": lambda message: {"errCode": "BadRequest", "errMsg": message},
    "message": lambda message: {"message": message},
    "error": lambda message: {"error": message},
    "error object": lambda message: {"error": {"message": message, "code": 7}},
}


def test_each_line_of_section_7_becomes_its_error_in_every_shape(answering: Answering) -> None:
    offenders = []
    for line in SECTION_7:
        wanted = (line.error, line.operation, line.status, line.message, None)
        for shape, build_body in BODIES.items():
            error = error_of(line.operation, answering(httpx.Response(line.status, json=build_body(line.message))))
            told = error and (type(error), error.operation, error.status, error.message, error.retry_after)
            if told != wanted:
                offenders.append(f"{line} as {shape}: {error!r}")
    assert len(SECTION_7) > 150
    assert_none(offenders)


def test_a_wrong_token_on_a_comment_s_text_is_not_allowed_rather_than_signed_out(answering: Answering) -> None:
    platform = answering(httpx.Response(401, json={"message": "Unauthorized"}))
    with pytest.raises(NotAllowed):
        platform.public_review.update_comment(LINK, COMMENT, REVIEWER, {"text": "not mine"})
    with pytest.raises(NotAllowed):
        platform.public_review.update_comment(LINK, COMMENT, REVIEWER, {"text": "not mine", "time": 3})
    with pytest.raises(BadToken):
        platform.public_review.update_comment(LINK, COMMENT, REVIEWER, {"time": 3})


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_public_content_file_that_is_not_given_out_is_missing(status: int, answering: Answering) -> None:
    with pytest.raises(Missing):
        OPERATIONS["ai_workflow.read_package"].call(answering(httpx.Response(status, text="<Error/>")))


@pytest.mark.parametrize(
    ("status", "message"), [(404, "Not found"), (405, "x"), (501, "x"), (403, "Missing Authentication Token")]
)
def test_an_assumed_operation_that_the_platform_lacks_is_missing(
    status: int, message: str, answering: Answering
) -> None:
    with pytest.raises(Missing):
        answering(httpx.Response(status, json={"message": message})).assistants.list()


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, Refused),
        (401, BadToken),
        (402, Refused),
        (403, NotAllowed),
        (404, Missing),
        (409, Refused),
        (410, Missing),
        (413, Refused),
        (418, Refused),
        (422, Refused),
        (429, RateLimited),
        (499, Refused),
        (500, PlatformDown),
        (502, PlatformDown),
        (503, PlatformDown),
        (504, PlatformDown),
        (599, PlatformDown),
        (301, PlatformDown),
        (302, PlatformDown),
        (304, PlatformDown),
        (307, PlatformDown),
    ],
)
@pytest.mark.parametrize("operation", ["folders.list", "lives.start"])
def test_every_status_has_an_error(
    operation: str, status: int, error: type[errors.CallError], answering: Answering
) -> None:
    platform = answering(httpx.Response(status, headers={"Location": "https://elsewhere.example/"}))
    with pytest.raises(errors.CallError) as raised:
        OPERATIONS[operation].call(platform)
    assert type(raised.value) is error
    assert raised.value.status == status


def test_a_redirect_is_not_followed(answering: Answering, recorder: Recorder) -> None:
    with pytest.raises(PlatformDown):
        answering(httpx.Response(302, headers={"Location": "https://elsewhere.example/"})).videos.get(VIDEO)
    assert len(recorder.requests) == 1


@pytest.mark.parametrize("status", [200, 201, 202, 206])
def test_any_2xx_is_a_success(status: int, answering: Answering) -> None:
    assert answering(httpx.Response(status, json={"id": VIDEO, "title": "Read"})).videos.get(VIDEO).title == "Read"


READS_NOTHING = {
    "ai_workflow.save_package",
    "ai_workflow.generate_package",
    "ai_workflow.delete_package",
    "comparisons.delete",
    "assistants.update_chat_visibility",
    "public_files.document",  # a HEAD
}
DENIED_ALONE = {"lives.finish"}
"""Any success is one, but for a status that says no."""
READS_A_MESSAGE = {"funnels.add_videos", "playlists.delete"}
ANY_JSON = {name for name in OPERATIONS if name.startswith("analytics.")}
"""Their answers are not shown, so any JSON is one: `raw` keeps it, `table` is None where it is not understood."""
UNREADABLE = {
    "empty": b"",
    "HTML": b"<!doctype html><title>Sign in</title>",
    "truncated": b'{"id": "1", "videos": [{"id": "2"',
    "latin-1": '{"id": "é"}'.encode("latin-1"),
    "utf-16": '{"id": "1"}'.encode("utf-16"),
    "too deep": b'{"id":' + b"[" * 5000 + b"]" * 5000 + b"}",
    "deeper than can be stored": b'{"id":"1","data":' + b"[" * 200 + b"]" * 200 + b"}",
    "a number of 10,000 digits": b'{"id": ' + b"9" * 10_000 + b"}",
}
TOO_LARGE = b'{"id": "' + b"x" * 10_000_000 + b'"}'
NO_RECORD = {"null": b"null", "a number": b"42", "a text": b'"ok"', "true": b"true"}


def list_not_down(operations: set[str], bodies: dict[str, bytes], answering: Answering) -> list[str]:
    """Which operations take which bodies for an answer, or for another error than `PlatformDown` without a message."""
    offenders = []
    for operation in sorted(operations):
        for name, body in bodies.items():
            error = error_of(operation, answering(httpx.Response(200, content=body)))
            if not isinstance(error, PlatformDown) or (error.status, error.message) != (200, ""):
                offenders.append(f"{operation}, {name}: {error!r}")
    return offenders


def test_an_answer_that_cannot_be_read_is_platform_down(answering: Answering) -> None:
    operations = set(OPERATIONS) - READS_NOTHING - DENIED_ALONE - READS_A_MESSAGE
    assert len(operations) > 40
    assert_none(list_not_down(operations, UNREADABLE, answering))
    assert_none(list_not_down({"videos.get", "lives.start"}, {"10 MB": TOO_LARGE}, answering))


def test_an_answer_of_another_type_is_platform_down(answering: Answering) -> None:
    operations = set(OPERATIONS) - READS_NOTHING - DENIED_ALONE - READS_A_MESSAGE - ANY_JSON
    assert_none(list_not_down(operations, NO_RECORD, answering))


def test_an_answer_whose_body_is_not_shown_is_a_success_whatever_it_holds(answering: Answering) -> None:
    bodies = UNREADABLE | NO_RECORD | {"10 MB": TOO_LARGE}
    assert_none(
        f"{operation}, {name}"
        for operation in sorted(READS_NOTHING)
        for name, body in bodies.items()
        if OPERATIONS[operation].call(answering(httpx.Response(200, content=body)))
    )


def test_an_answer_that_does_not_say_no_is_a_yes(answering: Answering) -> None:
    for body in (UNREADABLE | NO_RECORD).values():
        assert error_of("lives.finish", answering(httpx.Response(200, content=body))) is None


DENIALS: list[Any] = [
    {"error": True, "success": False},
    {"error": True},
    {"error": "true", "message": "Locked"},
    {"error": "Locked"},
    {"error": {"code": 4, "message": "Locked"}},
    {"error": 500},
    {"success": False, "message": "Locked"},
    {"success": "false"},
    {"success": 0},
    {"ok": False},
    {"errCode": "BadRequest", "errMsg": "Locked"},
    {"errMsg": "Locked"},
    {"errCode": "BadRequest"},
    {"errors": ["Locked"]},
    {"status": False},
    {"status": "error", "message": "Locked"},
    {"status": 400, "message": "Locked"},
    {"statusCode": 500},
    {"id": VIDEO, "organization_id": "1", "success": False},
    {"id": VIDEO, "organization_id": "1", "error": True},
    [{"error": "Locked"}],
    {"data": {"success": False}},
    {"result": {"error": "Locked"}},
    {"response": {"errMsg": "Locked"}},
]
WRITES = sorted(operation for operation, example in OPERATIONS.items() if example.method not in ("GET", "HEAD"))


@pytest.mark.parametrize("body", DENIALS, ids=str)
def test_a_write_is_unclear_whose_answer_denies_its_status(body: Any, answering: Answering) -> None:
    for operation in WRITES:
        error = error_of(operation, answering(httpx.Response(200, json=body)))
        assert isinstance(error, PlatformDown) and error.status == 200, operation


def test_the_words_of_a_denial_are_kept_and_no_token(answering: Answering) -> None:
    error = error_of("playlists.delete", answering(httpx.Response(200, json={"error": True, "message": f"No {TOKEN}"})))
    assert error is not None and error.message == "No …"


@pytest.mark.parametrize(
    "extra",
    [
        {"error": None, "success": True},
        {"error": False, "errors": [], "errCode": None, "errMsg": ""},
        {"error": ""},
        {"error": "false"},
        {"error": {}},
        {"error": 0},
        {"success": "true", "ok": True},
        {"success": None},
        {"status": "ok", "statusCode": 200},
        {"status": "PENDING"},
        {"status": None},
        {"message": "error, success: false"},
    ],
    ids=str,
)
def test_an_answer_that_says_that_nothing_failed_is_done(extra: dict[str, Any], answering: Answering) -> None:
    for operation in WRITES:
        body = {"id": VIDEO, "organization_id": "1", "type": "TRANSLATION", "status": True, **extra}
        if operation != "lives.start":
            assert error_of(operation, answering(httpx.Response(200, json=body))) is None, operation
    for operation in READS_A_MESSAGE:
        assert error_of(operation, answering(httpx.Response(200, json=extra))) is None, operation


def test_what_a_record_says_of_itself_is_no_denial(answering: Answering) -> None:
    job = {"id": "1", "type": "TRANSLATION", "status": "ERROR", "error": "The sound cannot be read"}
    for operation, body in {
        "ai_workflow.create": job,
        "ai_workflow.jobs": [job],
        "folders.list": [{"id": "1", "name": "Old", "status": False, "error": "?"}],
        "lives.get": {"id": LIVE, "status": "error"},
        "videos.get": {"id": VIDEO, "status": "FAILED", "error": True, "errCode": "Encoding", "errMsg": "No sound"},
        "comparisons.start": {"id": TEST, "status": False},
        "comparisons.update": {"data": {"id": TEST, "status": "error", "error": "?"}},
        "analytics.browser": {"error": 3, "ok": 0, "status": 404},
        "ai_workflow.read_package": {"ebook": "…", "error": True, "success": False},
    }.items():
        assert error_of(operation, answering(httpx.Response(200, json=body))) is None, operation


@pytest.mark.parametrize("body", [{"error": True}, {"success": False}, {"errMsg": "No"}, {"error": "No"}], ids=str)
def test_a_read_that_is_denied_brings_no_figures(body: Any, answering: Answering) -> None:
    for operation in sorted(set(OPERATIONS) - set(WRITES) - set(errors.PUBLIC_FILES)):
        error = error_of(operation, answering(httpx.Response(200, json=body)))
        assert isinstance(error, PlatformDown), operation


@pytest.mark.parametrize("operation", sorted(READS_A_MESSAGE))
def test_a_message_that_is_not_there_is_empty(operation: str, answering: Answering) -> None:
    for body in (b"", b"<p>Deleted</p>", b'{"message": "Del', b"null", b"[]", TOO_LARGE):
        assert OPERATIONS[operation].call(answering(httpx.Response(200, content=body))) == ""
    done = answering(httpx.Response(200, json={"message": "Playlist deleted"}))
    assert OPERATIONS[operation].call(done) == "Playlist deleted"


class TestMessage:
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({"errMsg": "first", "message": "second", "error": "third"}, "first"),
            ({"errMsg": "", "message": "second"}, "second"),
            ({"errMsg": None, "error": "third"}, "third"),
            ({"message": ["name is required", "phone is required"]}, "name is required; phone is required"),
            ({"message": {"message": "inner"}}, "inner"),
            ({"message": 17}, "17"),
            ({"message": True}, ""),
            ("plain JSON text", "plain JSON text"),
            ([], ""),
            ({}, ""),
            (None, ""),
        ],
    )
    def test_is_found_in_every_known_shape(self, body: Any, message: str, answering: Answering) -> None:
        with pytest.raises(Refused) as raised:
            answering(httpx.Response(400, json=body)).videos.get(VIDEO)
        assert raised.value.message == message

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"Bad request", "Bad request"),
            (b"<html>Bad gateway</html>", ""),
            (b"\x00\x01", ""),
            (b"", ""),
            (b"y" * 501, ""),
            (b'{"message": "cut of', ""),
        ],
    )
    def test_of_a_text_body_is_the_text_unless_it_is_markup_or_long(
        self, content: bytes, message: str, answering: Answering
    ) -> None:
        with pytest.raises(Refused) as raised:
            answering(httpx.Response(400, content=content)).videos.get(VIDEO)
        assert raised.value.message == message

    def test_is_cut_to_a_length_that_a_page_can_show(self, answering: Answering) -> None:
        with pytest.raises(Refused) as raised:
            answering(httpx.Response(400, json={"message": "z" * 5000})).videos.get(VIDEO)
        assert raised.value.message == "z" * 500

    def test_never_repeats_a_token(self, answering: Answering) -> None:
        platform = answering(httpx.Response(401, json={"message": f"Token {TOKEN} of {REVIEWER} is invalid"}))
        with pytest.raises(BadToken) as raised:
            platform.public_review.comments(LINK, REVIEWER)
        assert raised.value.message == "Token … of … is invalid"


class TestRetryAfter:
    @pytest.mark.parametrize(
        ("header", "seconds"), [("7", 7.0), ("0", 0.0), ("1.5", 1.5), ("-3", 0.0), ("soon", None), ("", None)]
    )
    def test_in_seconds(self, header: str, seconds: float | None, answering: Answering) -> None:
        with pytest.raises(RateLimited) as raised:
            OPERATIONS["lives.start"].call(answering(httpx.Response(429, headers={"Retry-After": header})))
        assert raised.value.retry_after == seconds

    def test_as_a_date(self, answering: Answering) -> None:
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
        with pytest.raises(RateLimited) as raised:
            OPERATIONS["lives.start"].call(answering(httpx.Response(429, headers={"Retry-After": date})))
        assert raised.value.retry_after == pytest.approx(90, abs=2)

    def test_comes_with_a_503_as_well(self, answering: Answering) -> None:
        with pytest.raises(PlatformDown) as raised:
            OPERATIONS["lives.start"].call(answering(httpx.Response(503, headers={"Retry-After": "60"})))
        assert raised.value.retry_after == 60


class TestTree:
    ALL = (errors.Unreachable, PlatformDown, RateLimited, BadToken, NotAllowed, Missing, Refused)

    @pytest.mark.parametrize("error", ALL)
    def test_every_error_is_a_call_error_and_survives_a_cache(self, error: type[errors.CallError]) -> None:
        original = error("videos.get", 404, "gone", 3.0)
        copy = pickle.loads(pickle.dumps(original))  # noqa: S301  (our own bytes)
        assert isinstance(copy, errors.CallError)
        assert type(copy) is error
        assert vars(copy) == vars(original)

    def test_only_the_end_of_the_session_is_no_platform_error(self) -> None:
        assert [error for error in self.ALL if not issubclass(error, errors.PlatformError)] == [BadToken]

    def test_an_unreachable_platform_keeps_whether_it_was_sent(self) -> None:
        again = pickle.loads(pickle.dumps(errors.Unreachable("videos.get", sent=False)))  # noqa: S301
        assert again.sent is False

    def test_the_log_line_has_operation_class_status_and_message(self) -> None:
        assert str(Missing("videos.get", 404, "gone")) == "videos.get Missing 404: gone"
        assert str(errors.Unreachable("videos.get")) == "videos.get Unreachable"

    def test_the_docstring_draws_every_class(self) -> None:
        drawn = errors.__doc__ or ""
        classes = {name for name, value in vars(errors).items() if isinstance(value, type) and name != "Oddity"}
        assert {name for name in classes if issubclass(vars(errors)[name], Exception)} <= set(drawn.split())
