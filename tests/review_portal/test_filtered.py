"""A comment that the reader's own filter hides is said to be posted, with a way to it that works without script."""

from datetime import timedelta

import pytest
from django.utils import timezone

from review_portal.models import Comment, ReviewLink
from tests.review_portal.conftest import Reviewer

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HIDDEN = "Your comment is posted. The filter hides it."


def read(reviewer: Reviewer, link: ReviewLink, query: str) -> str:
    return str(reviewer.client.get(f"/{link.pk}{query}").content.decode())


def test_what_the_filter_hides_is_offered_to_its_writer_alone(link: ReviewLink) -> None:
    ana, other = Reviewer(link.pk, "Ana Prado"), Reviewer(link.pk, "Jonas Weber")
    ana.post("The cup needs one more beat.")
    other.post("Louder.")
    key = Comment.objects.get(text__startswith="The cup").comment_id
    page = read(ana, link, "?show=resolved")
    assert HIDDEN in page and f'href="/{link.pk}?thread={key}#c-{key}"' in page
    assert HIDDEN not in read(ana, link, "") and HIDDEN not in read(ana, link, "?q=cup")
    assert Comment.objects.get(text="Louder.").comment_id != key
    assert str(key) not in read(other, link, "?q=nothing")


def test_it_is_offered_for_a_moment_and_not_of_what_was_resolved(link: ReviewLink) -> None:
    ana = Reviewer(link.pk, "Ana Prado")
    ana.post("The cup needs one more beat.")
    Comment.objects.update(status="resolved")
    assert HIDDEN not in read(ana, link, "?show=open")
    Comment.objects.update(status="open", created_at=timezone.now() - timedelta(minutes=3))
    assert HIDDEN not in read(ana, link, "?show=resolved")
