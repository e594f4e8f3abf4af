"""The organizations and people of the demo, one for each thing the platform tells accounts apart by [2.2, 5, 7], and its ids."""

import tomllib
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid5

from dashboard.platform_api.vocabulary import COMPARISON_ID_PREFIX, PERMISSIONS_FOR_SUB_ACCOUNTS
from dashboard.sandbox.media import STILLS
from dashboard.sandbox.models import Organization, Referral, Token, User

_NAMES: Final = UUID("5e77a17a-0000-4000-8000-0000c0ffee00")


def read_content(name: str) -> dict[str, Any]:
    """What a file of `seed/content` holds."""
    return tomllib.loads((Path(__file__).parent / "content" / f"{name}.toml").read_text("utf-8"))


def known(kind: str, key: str) -> UUID:
    """The id of a seeded record."""
    return uuid5(_NAMES, f"{kind}:{key}")


def external_id(key: str, still: int) -> UUID:
    """The external id of a seeded video, chosen so that the library shows this still (1 to 24)."""
    number = known("external", key).int
    return UUID(int=number - number % STILLS + still - 1)


def comparison_id(key: str) -> str:
    """The id of a seeded A/B test, with the platform's prefix [2.5]."""
    return COMPARISON_ID_PREFIX + str(known("comparison", key))[9:]


def token(key: str) -> str:
    """The API token of a seeded person: opaque, and plainly of the demo."""
    return f"demo-{blake2b(key.encode(), key=b'reelroom', digest_size=20).hexdigest()}"


def pullzone(key: str) -> str:
    """The CDN zone of a seeded organization."""
    digits = known("zone", key).hex
    return f"vz-{digits[:8]}-{digits[8:11]}"


HISTORY: Final = timedelta(days=399)
"""With today that is 400 days of numbers."""


class House(NamedTuple):
    """An organization: what its subscription says, whose child it is, and since when it exists."""

    key: str
    name: str
    plan: str = "active"
    active: bool = True
    parent: str = ""
    age: timedelta = HISTORY
    tax_id: str = ""


class Person(NamedTuple):
    """Somebody with a token. `key` is the token's role in the cast."""

    key: str
    house: str
    name: str
    email: str
    may_create: bool = True
    note: str = ""


HOUSES: Final = (
    House("owner", "Serra Alta Cafés", tax_id="11222333000181"),
    House("sub_account", "Café Escola Serra Alta", parent="owner", age=timedelta(days=90)),
    House("trial", "Ateliê Pé de Jaca", plan="trial", age=timedelta(days=6)),
    House("no_permission", "Mercearia Dona Lia", age=timedelta(days=200)),
    House("inactive", "Empório Velho Porto", plan="canceled", active=False, age=timedelta(days=350)),
    House("past_due", "Quitanda do Largo", plan="past_due", age=timedelta(days=150)),
    House("unreadable", "Rádio Poste", plan="", age=timedelta(days=120)),
    House("other", "Pedra Funda Filmes", age=timedelta(days=300)),
)
PEOPLE: Final = (
    Person("owner", "owner", "Téo Martins", "teo@serra-alta.example", note="Owner: everything"),
    Person("sub_account", "sub_account", "Bruna Figueiredo", "bruna@serra-alta.example", note="Sub-account"),
    Person("trial", "trial", "Jandira Reis", "jandira@pe-de-jaca.example", note="Trial: no lives, no sub-accounts"),
    Person(
        "no_permission",
        house="no_permission",
        name="Lia Amaral",
        email="lia@dona-lia.example",
        may_create=False,
        note="Lacks two permissions",
    ),
    Person("inactive", "inactive", "Vasco Pinho", "vasco@velho-porto.example", note="Organization is not active"),
    Person("past_due", "past_due", "Nilo Serpa", "nilo@largo.example", note="Payment is late, still allowed"),
    Person("unreadable", "unreadable", "Zuleica Prates", "zu@radio-poste.example", note="Subscription unreadable"),
    Person("other", "other", "Morgana Lyra", "morgana@pedra-funda.example", note="A stranger's account"),
    Person("no_organization", "", "Olavo Sem-Casa", "olavo@nowhere.example", note="Belongs to no organization"),
)


def seed_people(now: datetime) -> None:
    """Write organizations, people, tokens and the owner's referral summary."""
    Organization.objects.bulk_create(
        Organization(
            id=known("organization", house.key),
            name=house.name,
            plan=house.plan,
            active=house.active,
            parent_id=known("organization", house.parent) if house.parent else None,
            pullzone=pullzone(house.key),
            library_id=known("library", house.key),
            ready_at=now - house.age,
            phone="+55 35 90000 0000",
            tax_id=house.tax_id,
            created_at=now - house.age,
            updated_at=now - house.age,
        )
        for house in HOUSES
    )
    User.objects.bulk_create(
        User(
            id=known("user", person.key),
            organization_id=known("organization", person.house) if person.house else None,
            name=person.name,
            email=person.email,
            permissions=list(PERMISSIONS_FOR_SUB_ACCOUNTS) if person.may_create else ["get-subaccount"],
            created_at=now - HISTORY,
            updated_at=now - HISTORY,
        )
        for person in PEOPLE
    )
    Token.objects.bulk_create(
        Token(value=token(person.key), user_id=known("user", person.key), note=person.note) for person in PEOPLE
    )
    Referral.objects.create(
        user_id=known("user", "owner"),
        link="https://join.example/r/serra-alta",
        pending_estimate=32_000,
        total_received=486_000,
        balance=124_000,
    )
