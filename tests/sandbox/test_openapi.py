"""The OpenAPI document says what is served: found out by asking, thousands of times, with bodies nobody would write."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, Phase, settings

from dashboard.sandbox import routes, transport
from dashboard.sandbox.routes import OPERATIONS
from tests.sandbox.world import World

if TYPE_CHECKING:
    import schemathesis

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
DOCUMENT = json.loads(json.dumps(routes.openapi_document()))
CONFIG = {
    # Unknown query parameters are ignored on purpose, and who may call is tested by name in test_dispatcher.
    "generation": {"allow-extra-parameters": False, "with-security-parameters": False},
}
EACH = [(path, method) for path, item in DOCUMENT["paths"].items() for method in item]
ASKING = settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def known(world: World) -> dict[str, str]:
    """Values for paths that lead somewhere."""
    return {
        "video_id": str(world.video.id),
        "link_id": str(world.link().id),
        "comment_id": str(world.comment().id),
        "pullzone": world.owner.pullzone,
    }


@pytest.fixture(scope="module")
def schema() -> Any:
    """The document, and who answers to it. Imported here: listing tests needs none of it."""
    import schemathesis
    from schemathesis.config import SchemathesisConfig

    found = schemathesis.openapi.from_dict(DOCUMENT, config=SchemathesisConfig.from_dict(CONFIG))
    found.app = transport.application
    return found


@pytest.mark.parametrize(("path", "method"), EACH, ids=[f"{method} {path}" for path, method in EACH])
def test_schemathesis_finds_nothing(path: str, method: str, world: World, schema: Any) -> None:
    """`schema.parametrize()` would make all cases wherever tests are listed: for seconds, in every process of a run."""
    from schemathesis.generation.feedback import FeedbackSources
    from schemathesis.pytest._test_builder import build_operation_test
    from schemathesis.python._constants.orchestrator import make_constants_value_source
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    asked: list[str] = []

    def ask(case: "schemathesis.Case[Any]") -> None:
        asked.append(case.method)
        if len(str(case.path_parameters)) % 2:
            case.path_parameters.update({k: v for k, v in known(world).items() if k in case.path_parameters})
        case.call_and_validate(headers={"Authorization": "owner"}, excluded_checks=[positive_data_acceptance])

    build_operation_test(
        config=schema.config,
        operation=schema[path][method],
        test_func=ask,
        given_kwargs={},
        feedback=FeedbackSources(constants_value_source=make_constants_value_source(schema)),
        explicit_settings=ASKING,
    )()
    assert len(asked) >= 10 or method == "get", "it asked"


def test_the_document_is_served(client: Client) -> None:
    response = client.get("/sandbox/openapi.json")
    assert response.status_code == 200
    assert response.json() == DOCUMENT
    assert client.post("/sandbox/openapi.json").status_code == 405


def test_it_names_every_operation_and_every_status() -> None:
    entries = [(path, method, entry) for path, item in DOCUMENT["paths"].items() for method, entry in item.items()]
    documented = {name for _, _, entry in entries for name in entry["operationId"].replace("-of-one", "").split("-or-")}
    assert documented == {one.name for one in OPERATIONS if one.documented}
    assert len({entry["operationId"] for _, _, entry in entries}) == len(entries)
    for operation in OPERATIONS:
        if operation.documented:
            responses = DOCUMENT["paths"][operation.path][operation.method.lower()]["responses"]
            assert {str(operation.status), "400", "500", *map(str, operation.refusals)} <= set(responses)


def test_what_routes_on_the_query_is_a_parameter() -> None:
    def parameter(path: str, method: str, name: str) -> Any:
        (found,) = [one for one in DOCUMENT["paths"][path][method]["parameters"] if one["name"] == name]
        return found["required"], found["schema"]

    assert parameter("/api/comparison/{comparison_id}", "put", "type") == (
        True,
        {"type": "string", "enum": ["start", "update", "finish"]},
    )
    assert parameter("/api/video-review/{video_id}", "post", "action")[0] is True
    assert parameter("/api/videos/{video_id}", "get", "custom_fields")[0] is False
    assert parameter("/api/videos/{video_id}", "put", "custom_fields")[0] is True
