"""The way of a plan through subtitles, from the form to the platform."""

import pytest
from django.test import Client

from tests.subtitles.conftest import Library, planned, send, translation
from tests.ways import follow

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

MOST = 20
"""Stays, the reads of what each video has by now among them: a plan is compared with them before it leaves."""


def test_a_plan_enters_few_functions_of_subtitles_before_it_leaves(owner: Client, library: Library) -> None:
    batch = planned(owner, translation(library.source_only))
    with follow("dashboard/subtitles", "AiWorkflow.create") as way:
        send(owner, batch)
    assert way.is_over, "the plan did not leave"
    assert 10 < len(way.stays) <= MOST, str(way)
