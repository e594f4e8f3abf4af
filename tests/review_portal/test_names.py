"""Names of reviewers in the room: nobody looks like the owner, and a second person who looks like the first is marked."""

import unicodedata
import uuid

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from review_portal import reviewers
from review_portal.models import Comment, ReviewLink
from review_portal.threads import list_comments_by_writers
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


def fill(link: ReviewLink, count: int, names: tuple[str, ...]) -> None:
    """So many comments written through the link, in turn by people of these names."""
    writers = [reviewers.create_reviewer(link, name, uuid.uuid5(link.pk, name)) for name in names]
    now = timezone.now()
    Comment.objects.bulk_create(
        Comment(
            link=link, comment_id=uuid.uuid4(), user_name=writers[n % len(names)].name, text=f"Words {n}.", time=n % 60,
            created_at=now, updated_at=now, written_at=now, reviewer=writers[n % len(names)], born=1, version=1,
        )
        for n in range(count)
    )  # fmt: skip


@pytest.mark.parametrize(("names", "more"), [(("Ana", "Rui", "Zoe"), 0), (("Ana", "Rui", "An\u0430"), 1)])
def test_marks_of_930_comments_ask_no_more_than_those_of_three(world: World, names: tuple[str, ...], more: int) -> None:
    reader = Reviewer(world.link(), "Reader")
    reader.open()
    link, asked = ReviewLink.objects.get(pk=reader.link), []
    for count in (3, 927):
        fill(link, count, names)
        reader.open()
        with CaptureQueriesContext(connections["default"]) as room:
            assert reader.open().status_code == 200
        with CaptureQueriesContext(connections["default"]) as marks:
            owners, namesakes = list_comments_by_writers(link.video_id)
        asked.append((len(room), len(marks)))
        assert (len(owners), len(namesakes) > 0) == (0, bool(more)) and len(marks) == 1 + more
    assert asked[0][1] == asked[1][1]
    assert asked[1][0] <= asked[0][0] + 2, "a full room counts the replies that it leaves out"
