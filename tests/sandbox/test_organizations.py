"""Sub-accounts: who may create one, with which body, and when it becomes usable."""

from typing import Any

import pytest

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Organization, Token
from tests.sandbox.world import UNAUTHORIZED, Api, World, refused

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PATH = "/api/organizations?action=create-sub-account"


def body(**changes: Any) -> dict[str, Any]:
    user = {"name": "Bia Reis", "email": "bia@example.org"}
    if isinstance(changes.get("user"), dict):
        user |= changes.pop("user")
    whole = {
        "name": "Studio Sul",
        "currency": "brl",
        "phone": "+55 11 4002-8922",
        "tax_id": "12345678909",
        "user": user,
    }
    return {key: value for key, value in {**whole, **changes}.items() if value is not ...}


@pytest.mark.parametrize("role", ["owner", "past_due"])
def test_a_parent_with_an_active_or_past_due_subscription_creates_one(world: World, api: Api, role: str) -> None:
    status, made = api("POST", PATH, body(), token=role)
    assert status == 200
    assert made == {"status": "creating", "organization_id": made["organization_id"], "name": "Studio Sul"}
    child = Organization.objects.get(pk=made["organization_id"])
    assert child.parent == world.users[role].organization


def test_its_token_works_when_it_has_been_provisioned(world: World, api: Api, clock: Frozen) -> None:
    made = api("POST", PATH, body())[1]
    token = Token.objects.get(user__organization_id=made["organization_id"]).value
    usage = "/api/organizations?action=list-sub-accounts-usage"
    clock.travel(29.999)
    assert api("GET", "/api/videos", token=token) == UNAUTHORIZED
    assert api("GET", usage)[1]["sub_accounts"][0]["status"] == "creating"
    clock.travel(0.001)
    assert api("GET", "/api/videos", token=token)[0] == 200
    assert api("GET", usage)[1]["sub_accounts"][0]["status"] == "active"
    assert api("POST", PATH, body(), token=token) == refused(Message.SUB_ACCOUNT_OF_SUB_ACCOUNT)


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("no_permission", refused(Message.VERIFY_PERMISSIONS, "Forbidden", 403)),
        ("sub", refused(Message.SUB_ACCOUNT_OF_SUB_ACCOUNT)),
        ("inactive", refused(Message.ORGANIZATION_NOT_ACTIVE)),
        ("trial", refused(Message.ORGANIZATION_IN_TRIAL)),
        ("canceled", refused(Message.ORGANIZATION_IN_TRIAL)),
        ("orphan", refused(Message.NO_ORGANIZATION)),
        ("nobody", UNAUTHORIZED),
    ],
)
def test_everybody_else_is_refused_with_the_exact_sentence(world: World, api: Api, role: str, expected: Any) -> None:
    before = Organization.objects.count()
    assert api("POST", PATH, body(), token=role) == expected
    assert Organization.objects.count() == before


@pytest.mark.parametrize("missing", ["get-subaccount", "put-subaccount"])
def test_both_permissions_are_needed(world: World, api: Api, missing: str) -> None:
    user = world.users["owner"]
    user.permissions = [name for name in user.permissions if name != missing]
    user.save()
    assert api("POST", PATH, body())[0] == 403


@pytest.mark.parametrize("query", ["", "?action=", "?action=create", "?Action=create-sub-account"])
def test_without_the_action_there_is_no_route(world: World, api: Api, query: str) -> None:
    assert api("POST", f"/api/organizations{query}", body()) == refused(Message.ROUTE_NOT_FOUND, "NotFound", 404)


@pytest.mark.parametrize("name", ["name", "currency", "phone", "tax_id", "user"])
def test_every_field_is_required(world: World, api: Api, name: str) -> None:
    assert api("POST", PATH, body(**{name: ...})) == refused(f"{name} is required")


@pytest.mark.parametrize(
    "change",
    [
        {"status": "active"},
        {"currency": "eur"},
        {"currency": "BRL"},
        {"phone": 5511},
        {"phone": ""},
        {"tax_id": "123.456.789-09"},
        {"tax_id": "1234567890"},
        {"user": {"role": "owner"}},
        {"user": {"name": ""}},
        {"user": {"email": "bia"}},
        {"user": {"email": "bia@example"}},
        {"user": {"email": "b ia@example.org"}},
    ],
)
def test_an_extra_or_wrong_field_is_refused(world: World, api: Api, change: dict[str, Any]) -> None:
    assert api("POST", PATH, body(**change))[0] == 400


@pytest.mark.parametrize("tax_id", ["12345678909", "12345678000195", "12ABC34501DE35"])
def test_cpf_and_cnpj_are_taken_without_punctuation(world: World, api: Api, tax_id: str) -> None:
    assert api("POST", PATH, body(tax_id=tax_id))[0] == 200


@pytest.mark.parametrize(("length", "status"), [(0, 400), (1, 200), (255, 200), (256, 400)])
def test_names_have_1_to_255_characters(world: World, api: Api, length: int, status: int) -> None:
    assert api("POST", PATH, body(name="ã" * length))[0] == status
    assert api("POST", PATH, body(user={"name": "ã" * length}))[0] == status


@pytest.mark.parametrize(("length", "status"), [(255, 200), (256, 400)])
def test_the_address_has_at_most_255_characters(world: World, api: Api, length: int, status: int) -> None:
    email = "a" * (length - len("@example.org")) + "@example.org"
    assert api("POST", PATH, body(user={"email": email}))[0] == status


def test_permissions_come_before_the_body_and_the_body_before_the_state(world: World, api: Api) -> None:
    assert api("POST", PATH, body(name=...), token="no_permission")[0] == 403
    assert api("POST", PATH, body(name=...), token="sub") == refused("name is required")


def test_usage_counts_the_videos_of_each_sub_account(world: World, api: Api) -> None:
    world.new_video("sub", storage_size=700)
    (shown,) = api("GET", "/api/organizations?action=list-sub-accounts-usage")[1]["sub_accounts"]
    assert (shown["videos_count"], shown["storage_size"], shown["name"]) == (1, 700, "Sub")
    assert api("GET", "/api/organizations?action=list-sub-accounts-usage", token="no_permission")[0] == 403
