"""The strict platform, the product pointed at it as in production, and an owner who has signed in."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from itertools import groupby

import pytest
from django.apps import apps
from django.db.models import Model
from django.test import override_settings

from dashboard.upstream import clients
from tests.forgetting import forget
from tests.strict.assumed import Manner
from tests.strict.drives import Desk
from tests.strict.person import Person
from tests.strict.platform import StrictPlatform, serving
from tests.strict.world import TOKEN


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is driven in every manner of the platform is light in the plain one alone."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec and callspec.params.get("manner", Manner.PLAIN) is not Manner.PLAIN:
            item.add_marker(pytest.mark.process)


@pytest.fixture(scope="session")
def strict_server() -> Iterator[StrictPlatform]:
    with serving() as platform:
        yield platform


@pytest.fixture(scope="module")
def manner(request: pytest.FixtureRequest) -> Manner:
    """The manner of the platform: plain, unless a test is driven in several (`IN_EVERY_MANNER`)."""
    return getattr(request, "param", Manner.PLAIN)


@pytest.fixture(scope="module")
def product(strict_server: StrictPlatform, manner: Manner) -> Iterator[StrictPlatform]:
    """The product with the settings of a production that uses the strict platform."""
    address = strict_server.address
    with override_settings(
        SANDBOX=False,
        PLATFORM_EMBEDDED=False,
        PLATFORM_BASE_URL=f"{address}/base",
        PLATFORM_DATA_URL=f"{address}/data",
        PLATFORM_TRAFFIC_URL=f"{address}/traffic",
        PLATFORM_CONFIG_URL=f"{address}/config",
        PLATFORM_SUBTITLES_URL=f"{address}/subtitles",
        PLATFORM_LIVE_CONFIG_URL=f"{address}/live-config",
        PLATFORM_REVIEW_URL="https://review.platform.example",
        PLATFORM_TRAFFIC_AUTH="bearer",
        PLATFORM_CALLS_PER_MINUTE=180,
        PLATFORM_REVIEW_READS=manner.has_reads,
        SECURE_SSL_REDIRECT=True,
        SESSION_COOKIE_SECURE=True,
        CSRF_COOKIE_SECURE=True,
    ):
        yield strict_server
    clients.forget()


@pytest.fixture
def platform(product: StrictPlatform, manner: Manner) -> StrictPlatform:
    """The strict platform as at its beginning."""
    product.begin(manner)
    return product


@pytest.fixture(scope="module")
def signed_in() -> dict[Manner, "SignedIn"]:
    """What signing in and checking the platform left behind when a test of this module first did, by manner."""
    return {}


@pytest.fixture
def desk(platform: StrictPlatform, signed_in: dict[Manner, "SignedIn"], db: None) -> Desk:
    """An owner who has signed in through the form and had the platform checked. Of things nothing is known."""
    owner = Person()
    if platform.manner in signed_in:
        signed_in[platform.manner].repeat(owner)
        return Desk(owner, platform)
    before = list_rows()
    answer = owner.press(owner.form("/sign-in/", "/sign-in/"), {"token": TOKEN})
    assert answer.status == 200, answer.text[:500]
    owner.press(owner.form("/dashboard/health/", "/probe/"))
    assert platform.wrong == []
    forget()
    signed_in[platform.manner] = SignedIn.of(owner, before)
    platform.calls.clear()
    return Desk(owner, platform)


@dataclass(frozen=True)
class SignedIn:
    """The rows of the database and the cookies of the browser."""

    rows: list[Model]
    cookies: dict[str, str]

    @classmethod
    def of(cls, person: Person, before: list[Model]) -> "SignedIn":
        rows = [row for row in list_rows() if row not in before]
        return cls(rows, {name: cookie.value for name, cookie in person.client.cookies.items()})

    def repeat(self, person: Person) -> None:
        """Leave the same for a test of its own."""
        for model, rows in groupby(self.rows, lambda row: row._meta.model):
            model._default_manager.bulk_create([copy(row) for row in rows])
        person.client.cookies.load(self.cookies)


def list_rows() -> list[Model]:
    """Everything that the product has in its database."""
    models = [model for model in apps.get_models() if model._meta.app_label not in ("sandbox", "contenttypes")]
    return [row for model in models for row in model._default_manager.all()]
