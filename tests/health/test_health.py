"""The platform's health as pages show it: per operation, and a quiet banner that goes by itself."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.upstream.platform_health import TROUBLE_AFTER

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

BANNER = "The platform has trouble answering right now."


def test_each_operation_that_was_called_has_its_row(owner: Client) -> None:
    owner.get("/dashboard/lives/")
    owner.get("/dashboard/folders/")
    text = owner.get("/dashboard/health/").content.decode()
    assert "lives.list" in text and "folders.list" in text
    assert "Answering" in text


def test_an_operation_that_fails_says_how(owner: Client, faults: ModuleType) -> None:
    faults.set("lives.list", status=500)
    owner.get("/dashboard/lives/")
    assert "Trouble of its own" in owner.get("/dashboard/health/").content.decode()


def test_an_operation_that_asked_for_a_pause_says_so(owner: Client, faults: ModuleType) -> None:
    faults.set("lives.list", status=429, retry_after=30)
    owner.get("/dashboard/lives/")
    assert "Asked for a pause" in owner.get("/dashboard/health/").content.decode()


def test_the_banner_comes_with_trouble_and_goes_with_the_first_success(
    owner: Client, faults: ModuleType, cast: dict[str, Any]
) -> None:
    faults.set("lives.list", status=500)
    for _time in range(TROUBLE_AFTER):
        owner.get("/dashboard/lives/")
    assert BANNER in owner.get("/accounts/").content.decode()
    assert owner.get("/dashboard/health/banner/").status_code == 204
    faults.clear()
    owner.get("/dashboard/lives/")
    assert BANNER not in owner.get("/accounts/").content.decode()
    gone = owner.get("/dashboard/health/banner/")
    assert (gone.status_code, gone.content) == (200, b""), "an open page takes it away without being loaded again"
