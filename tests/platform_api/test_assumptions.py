"""Every row of the assumptions is complete, and what it says is what the client does."""

from dataclasses import fields

import pytest

import tests.platform_api.ai_proofs
import tests.platform_api.live_proofs
import tests.platform_api.proofs
import tests.platform_api.proofs_of_shapes  # noqa: F401  (all fill PROOFS)
from dashboard.platform_api import PlatformConfig
from dashboard.platform_api.assumptions import ALL, Basis
from tests.house.sources import assert_none
from tests.platform_api.conftest import Answering, Recorder
from tests.platform_api.operations import methods
from tests.platform_api.proving import PROOFS


@pytest.mark.parametrize("name", ALL)
def test_an_assumption_is_what_the_client_does(name: str, answering: Answering, recorder: Recorder) -> None:
    PROOFS[name](answering, recorder)


def test_every_row_has_its_proof_and_every_proof_its_row() -> None:
    assert set(PROOFS) == set(ALL)


def test_every_row_is_complete() -> None:
    settings = {f"PLATFORM_{field.name.upper()}" for field in fields(PlatformConfig)}
    assert_none(
        name
        for name, row in ALL.items()
        if not row.operations
        or not set(row.operations) <= methods() | {"*"}
        or not (row.assumed.endswith(".") and row.why.endswith("."))
        or not {*row.settings} <= settings
    )


def test_every_guess_about_a_read_of_reviews_has_the_setting_that_switches_it_off() -> None:
    rows = [row for row in ALL.values() if "PLATFORM_REVIEW_READS" in row.settings]
    assert {operation for row in rows for operation in row.operations} == {
        "review_links.list",
        "public_review.read_link",
        "public_review.comments",
    }
    assert all(row.basis is Basis.GUESS for row in rows)


def test_every_operation_that_the_specification_does_not_describe_has_a_row() -> None:
    described = {
        "ai_workflow.create",  # 4.1
        "organizations.create_sub_account",  # 4.2
        "ai_workflow.save_package",  # 4.3
        "review_links.create",  # 4.4
        "comparisons.update",  # 4.5
        "custom_fields.update",  # 4.6
        "public_review.create_comment",  # 4.7
        "public_review.update_comment",  # 4.8
        "lives.start",  # 4.9
        "funnels.add_videos",  # 4.10
        "folders.list",  # 4.11
        "playlists.delete",  # 4.14
    }
    assert methods() - described <= {operation for row in ALL.values() for operation in row.operations}


def test_the_settings_named_are_the_only_choices_of_the_configuration() -> None:
    assert ALL["TRAFFIC_AUTH"].settings == ("PLATFORM_TRAFFIC_AUTH",)
    choices = {field.name for field in fields(PlatformConfig) if not field.name.endswith("_url")} - {"timeout"}
    assert {f"PLATFORM_{name.upper()}" for name in choices} <= {name for row in ALL.values() for name in row.settings}
