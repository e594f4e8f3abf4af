"""No address of the product holds a NUL."""

from contextlib import suppress
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch

from tests.house.addresses import OF_AN_OBJECT, walk
from tests.house.sources import assert_none
from tests.house.things import address, make_things

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_no_address_holds_a_nul_whatever_is_asked_for(owner: Client, cast: dict[str, Any]) -> None:
    """It would reach a database, which takes none, or the platform."""
    texts = ("live_id", "playlist_id", "funnel_id", "folder_id", "assistant_id")
    nul = {**make_things(owner, cast), **dict.fromkeys(texts, "\x00")}

    def judge(name: str, path: str) -> list[str]:
        statuses = {owner.get(path).status_code, owner.post(path).status_code}
        return [] if statuses == {404} else [str(statuses)]

    paths = {}
    for name in OF_AN_OBJECT:
        with suppress(NoReverseMatch):
            paths[name] = address(name, nul)
    holding = {name: path for name, path in paths.items() if "%00" in path}
    assert_none(walk(owner, holding, judge))
