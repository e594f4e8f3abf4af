"""What holds for every operation: 404 and 405 before 401, 401 before everything else, and no malformed body gets through."""

import json
from urllib.parse import urlencode

import pytest
from django.test import Client

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.http_types import BODY_LIMIT, moment
from dashboard.sandbox.models import Comparison, Fault
from dashboard.sandbox.operations import Auth, Operation
from dashboard.sandbox.routes import NAMES, OPERATIONS
from tests.moments import at_statement
from tests.sandbox.world import NOBODY, NOW, REVIEWER, UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
ROUTE_NOT_FOUND = refused(Message.ROUTE_NOT_FOUND, "NotFound", 404)


def address(operation: Operation) -> str:
    """An address that reaches the operation and names nothing that exists."""
    path = operation.path
    while "{" in path:
        start, _, rest = path.partition("{")
        path = start + NOBODY + rest.partition("}")[2]
    if operation.when is None or operation.when.in_body:
        return path
    return f"{path}?{operation.when.name}" + (f"={operation.when.value}" if operation.when.value else "")


def of(*auths: Auth) -> list[Operation]:
    """The operations that callers of these kinds can ask for."""
    return [one for one in OPERATIONS if one.auth in auths]


def operations(*auths: Auth) -> pytest.MarkDecorator:
    chosen = of(*auths)
    return pytest.mark.parametrize("operation", chosen, ids=[f"{one.name} {one.path}" for one in chosen])


@pytest.mark.parametrize("token", [None, "nobody", "owner ", "Bearer nobody"])
def test_a_missing_or_unknown_token_is_401_whatever_else_is_wrong(world: World, api: Api, token: str | None) -> None:
    for operation in of(Auth.ACCOUNT, Auth.BEARER):
        status, body = api(operation.method, address(operation), b"{" if operation.writes else None, token=token)
        expected = {"errCode": "Unauthorized", "errMsg": "Unauthorized"} if operation.coded else UNAUTHORIZED[1]
        assert (status, body) == (401, expected), operation.name


def test_bearer_is_no_part_of_a_token(world: World, api: Api) -> None:
    for operation in of(Auth.ACCOUNT):
        assert api(operation.method, address(operation), token="Bearer owner")[0] == 401, operation.name


@operations(Auth.ACCOUNT, Auth.BEARER)
def test_what_an_address_names_is_looked_for_among_the_callers_own(
    world: World, api: Api, operation: Operation
) -> None:
    status, body = api(operation.method, address(operation), {} if operation.writes else None)
    assert status in (200, 400, 404), body
    assert status != 200 or "{" not in operation.path


@operations(Auth.REVIEWER)
def test_reviewers_need_no_authorization(world: World, api: Api, operation: Operation) -> None:
    assert api(operation.method, address(operation), {}, token="owner") == UNAUTHORIZED
    path = f"{address(operation)}?token={REVIEWER}"
    assert api(operation.method, path, {}, token=None) == refused("Review link not found", "NotFound", 404)


@pytest.mark.parametrize(
    "operation",
    [pytest.param(one, id=f"{one.name} {one.path}") for one in of(Auth.ACCOUNT, Auth.REVIEWER) if one.body is not None],
)
def test_a_body_that_is_no_json_is_400(world: World, api: Api, operation: Operation) -> None:
    path = address(operation)
    for word, value in (
        ("/videos/", world.video.id),
        ("/video-review/", world.video.id),
        ("/public-video-review/", world.link().id),
        ("/comments/", world.comment().id),
    ):
        path = path.replace(word + NOBODY, f"{word}{value}")
    comparison = api("POST", "/api/comparison", {"name": "x"})[1]["id"]
    path = path.replace(f"/comparison/{NOBODY}", f"/comparison/{comparison}")
    field = api("POST", f"/api/videos/{world.video.id}?custom_fields", {"key": "a", "value": "b"})[1]["id"]
    path += f"{'&' if '?' in path else '?'}token={REVIEWER}&id={field}"
    if operation.name == "comparisons.delete":
        path = operation.path
    for body in (b"", b"{", b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000, b"nothing"):
        assert api(operation.method, path, body) == refused("Invalid JSON"), body[:20]


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/data/videos", "/api/browser", "/traffic/traffic"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_address_is_no_route_even_without_a_token(world: World, api: Api, path: str, method: str) -> None:
    assert api(method, path, token=None) == ROUTE_NOT_FOUND


def test_a_method_that_is_not_there_is_405_with_those_that_are(world: World, api: Api) -> None:
    response = api.send("PATCH", "/api/comparison", token=None)
    assert (response.status_code, response.headers["allow"]) == (405, "DELETE, GET, POST")
    for method in ("HEAD", "OPTIONS", "TRACE"):
        assert api.send(method, "/api/folders").status_code == 405


def test_doubled_and_trailing_slashes_are_forgiven(world: World, api: Api) -> None:
    assert api("GET", "/api//folders/")[0] == 200
    assert api("GET", "/traffic/analytics//traffic")[0] == 400


def test_no_answer_ever_redirects(world: World, api: Api) -> None:
    for operation in OPERATIONS:
        assert not 300 <= api.send(operation.method, address(operation)).status_code < 400


def test_a_body_over_the_limit_is_413(world: World, api: Api) -> None:
    body = b'{"name": "' + b"a" * (BODY_LIMIT - 12) + b'"}'
    assert len(body) == BODY_LIMIT
    assert api("POST", "/api/comparison", body)[0] == 400
    assert BODY_LIMIT == 10_485_760
    answer = api.send("POST", "/api/comparison", body + b" ")
    assert (answer.status_code, answer.text) == (413, "request entity too large")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_half_a_character_is_refused_instead_of_stored(world: World, api: Api, text: str) -> None:
    body = json.dumps({"name": text}).encode()
    assert api("POST", "/api/comparison", body)[0] == 400


def test_a_query_of_thousands_of_parameters_is_refused(world: World, api: Api) -> None:
    assert api("GET", "/api/folders?" + "&".join(f"a{n}=1" for n in range(2000)))[0] == 400


def test_a_defect_is_a_500_and_leaves_nothing_half_written(
    world: World, api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down() -> None:
        assert Comparison.objects.exists()
        raise RuntimeError("a defect")

    form = {"name": "x", "video_ids": [str(world.video.pk)]}
    with at_statement('INSERT INTO "sandbox_comparisonvideo"', break_down, using="sandbox"):
        assert api("POST", "/api/comparison", form) == (500, {"message": Message.INTERNAL})
    assert not Comparison.objects.exists()
    assert "comparisons.create" in caplog.text


def test_a_refusal_in_the_middle_of_a_write_takes_back_what_was_written(world: World, api: Api) -> None:
    world.subtitle("pt-BR")
    one = {"type": "TRANSLATION", "video_id": str(world.video.id), "from_lang": "pt-BR", "to_lang": "de", "tier": "pro"}
    assert api("POST", "/api/aiworkflow", [one, {**one, "video_id": NOBODY}])[0] == 404
    assert api("GET", f"/api/aiworkflow?video_id={world.video.id}") == (200, [])


def test_every_operation_has_a_name_that_a_fault_can_be_set_for() -> None:
    longest = Fault._meta.get_field("operation").max_length
    assert longest is not None and all(len(name) <= longest for name in NAMES)
    assert len(NAMES) >= 40


def test_times_are_written_in_utc_with_milliseconds() -> None:
    assert moment(NOW) == "2026-11-20T12:00:00.000Z"
    assert moment(None) is None


@pytest.mark.parametrize(
    "day", ["2026-01-01T00:00:00Z", "2026-01-01T00:00", "2026-1-1", "20260101", "01/01/2026", "2026-02-30"]
)
@pytest.mark.parametrize("name", ["start_date", "end_date"])
def test_traffic_takes_plain_dates_alone(world: World, api: Api, name: str, day: str) -> None:
    query = {"video_id": str(world.video.id), "start_date": "2026-01-01", "end_date": "2026-01-02"}
    assert api("GET", f"/traffic/analytics/traffic?{urlencode(query)}")[0] == 200
    asked = f"/traffic/analytics/traffic?{urlencode(query | {name: day})}"
    assert api("GET", asked) == refused(f"{name} must be a date: YYYY-MM-DD")
    assert api("GET", f"/data/ranking?{urlencode({'start_date': '2026-01-01T00:00:00Z'})}")[0] == 200


def test_an_identifier_with_a_line_break_is_refused_by_the_platform(world: World, client: Client) -> None:
    answer = client.get("/sandbox/api/videos/a%0Ab", headers={"Authorization": "owner"})
    assert (answer.status_code, answer.json()["errCode"]) == (404, "NotFound")


def test_identifiers_with_escapes_and_dots_are_refused_and_lead_nowhere_else(world: World) -> None:
    odd = ("..", ".", "%2e%2e", "%2E", "a.b", "..%2f..", "a%2Fb", "%252e", "a%20b", "%00", "x..json")
    offenders = []
    for name in odd:
        for path in ("videos", "lives", "playlists", "funnels", "comparison"):
            answer = Client().get(f"/sandbox/api/{path}/{name}", headers={"Authorization": "owner"})
            if answer.status_code not in (400, 404) or "Location" in answer.headers:
                offenders.append(f"{path}/{name}: {answer.status_code} {answer.headers.get('Location', '')}")
    assert not offenders
