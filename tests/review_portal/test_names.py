"""Names of reviewers in the room: nobody looks like the owner, and a second person who looks like the first is marked."""

import unicodedata

import pytest

from review_portal.models import ReviewLink
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

MARK = "another person of this name"


@pytest.mark.parametrize("second", ["Ana Prado", "An\u0430 Pr\u0430do", "ana prado", "Ana Prado\u3164", "Ana Pradо"])
def test_second_person_whose_name_looks_the_same_is_marked_for_readers(world: World, second: str) -> None:
    link = world.link()
    first, other = Reviewer(link, "Ana Prado"), Reviewer(link, second)
    first.open()
    first.post("From the first.")
    assert MARK not in first.open().content.decode()
    other.open()
    other.post("From the second.")
    first.post("The first again.")
    assert MARK not in other.open().content.decode()
    page = Reviewer(link, "Zoe").open().content.decode()
    assert page.count(MARK) == 1
    after = page.split(MARK)[1]
    texts = ("From the first.", "From the second.", "The first again.")
    assert min((text for text in texts if text in after), key=after.index) == "From the second."


def test_same_person_and_another_name_are_not_marked(world: World) -> None:
    link = world.link()
    ana, rui = Reviewer(link, "Ana Prado"), Reviewer(link, "Rui Prado")
    for reviewer in (ana, rui, ana):
        reviewer.open()
        reviewer.post(f"Words of {reviewer.name}.", repeat="1")
    assert MARK not in ana.open().content.decode()


def test_name_without_ink_is_refused_in_the_room_with_a_sentence(world: World) -> None:
    nobody = Reviewer(world.link(), "\u3164")
    nobody.open()
    assert "This name cannot be seen." in nobody.post("Hello.").content.decode()
    assert world.texts() == []


def test_name_typed_with_marks_of_its_own_is_taken(world: World) -> None:
    joao = Reviewer(world.link(), unicodedata.normalize("NFD", "Jo\u00e3o"))
    joao.open()
    joao.post("Ol\u00e1.")
    assert world.texts() == ["Ol\u00e1."] and ReviewLink.objects.exists()
