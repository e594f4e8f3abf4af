"""The list of the cut before when its owner, or somebody else, was faster."""

import uuid
from html import unescape

import pytest

from dashboard.accounts.models import Account
from review_portal import cuts
from review_portal.models import CutCheck, ReviewLink
from tests.review_portal.conftest import World
from tests.review_portal.test_cuts import make_cut
from tests.review_portal.test_from_cut import Checker, ana, pair, texts, write_on

__all__ = ["ana", "pair"]
pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.mark.parametrize("left", [True, False], ids=["another cut before", "no cut before"])
def test_answers_to_a_list_of_a_cut_that_was_moved_meanwhile_are_not_saved_and_it_is_said(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, world: World, account: Account, *, left: bool
) -> None:
    comment = write_on(pair[0], "Sound.", 38)
    assert f'name="before" value="{pair[0].pk}"' in ana.page()
    if left:
        assert cuts.place_after(account, make_cut(world, account, "Version 2b"), pair[0]) is None
        assert cuts.find_before(pair[1]) and cuts.find_before(pair[1]).link.pk != pair[0].pk  # type: ignore[union-attr]
    else:
        assert cuts.remove(account, pair[0])
    response = ana.save({comment: "not"}, before=str(pair[0].pk))
    page = " ".join(unescape(response.content.decode()).split())
    assert response.status_code == 409
    assert "The owner changed the order of the cuts after you opened that list." in page
    assert not CutCheck.objects.exists() and texts(pair[1]) == []


def test_answers_that_were_saved_before_the_cut_moved_are_not_told_as_lost_when_their_form_comes_again(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker, world: World, account: Account
) -> None:
    comment, other, key = write_on(pair[0], "Sound.", 38), write_on(pair[0], "Hills.", 12), str(uuid.uuid4())
    form = {"before": str(pair[0].pk), "key": key}
    assert ana.save({comment: "not", other: "fixed"}, **form).status_code == 302
    jonas = Checker(pair[1], "Jonas Weber")
    assert jonas.save({write_on(pair[0], "Wordmark.", 5): "fixed"}).status_code == 302
    assert cuts.place_after(account, make_cut(world, account, "Version 2b"), pair[0]) is None
    again = ana.save({comment: "not", other: "fixed"}, **form)
    assert again.status_code == 302 and "saved=1" in again.url
    assert ana.save({comment: "not", other: "not"}, **form).status_code == 409, "one of them is another answer"
    assert jonas.save({comment: "not"}, **form).status_code == 409, "of somebody else"
    assert len(texts(pair[1])) == 1


def test_second_who_says_the_same_at_the_same_moment_hears_that_it_is_saved_and_adds_nothing(
    pair: tuple[ReviewLink, ReviewLink], ana: Checker
) -> None:
    comment, other = write_on(pair[0], "Sound.", 38), write_on(pair[0], "Hills.", 12)
    ana.save({comment: "not"})
    jonas = Checker(pair[1], "Jonas Weber")
    response = jonas.save({comment: "not"})
    assert response.url == f"/{pair[1].pk}/from-cut?saved=1#checks"
    assert "missed" in jonas.save({comment: "fixed"}).url
    assert "saved" not in jonas.save({other: ""}).url
    assert len(texts(pair[1])) == 1


def test_answers_to_the_list_of_the_cut_before_are_saved(pair: tuple[ReviewLink, ReviewLink], ana: Checker) -> None:
    comment = write_on(pair[0], "Sound.", 38)
    assert ana.save({comment: "not"}, before=str(pair[0].pk)).status_code == 302
    assert len(texts(pair[1])) == 1
