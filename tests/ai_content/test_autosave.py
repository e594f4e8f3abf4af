"""Autosave sends what changed and loses nothing: a patch that does not fit is refused, and edits at once are put in order."""

import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dashboard.ai_content import ebook_html, ebook_views
from dashboard.ai_content.models import Draft
from tests.ai_content.conftest import Hands
from tests.moments import at_statement

both = pytest.mark.django_db(databases=["default", "sandbox"])
texts = st.text(st.sampled_from("ab\n\r é👩🌾\U00010000"), max_size=12)


def units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def patch(before: str, after: str) -> dict[str, str]:
    """What static/js/ai_content/patch.js sends."""
    old, new = units(before), units(after)
    most, start, end = min(len(old), len(new)) // 2, 0, 0
    while start < most and old[2 * start : 2 * start + 2] == new[2 * start : 2 * start + 2]:
        start += 1
    while end < most - start and old[len(old) - 2 * end - 2 :][:2] == new[len(new) - 2 * end - 2 :][:2]:
        end += 1
    middle = new[2 * start : len(new) - 2 * end].decode("utf-16-le", "surrogatepass")
    check = f"{zlib.crc32(new):x}"
    return {"patch_from": str(start), "patch_to": str(end), "patch_text": middle, "patch_check": check}


@settings(max_examples=30 if settings().derandomize else 3000, deadline=None)
@given(texts, texts)
@example("a\r\nb", "a\nb")
@example("👩", "👨")
def test_patch_gives_the_text_as_it_was_typed(before: str, after: str) -> None:
    displayed, typed = (text.replace("\r\n", "\n").replace("\r", "\n") for text in (before, after))
    assert ebook_views.apply_patch(before, patch(displayed, typed)) == typed


@pytest.mark.parametrize(
    "change",
    [
        {"patch_check": "0"},
        {"patch_from": "99"},
        {"patch_to": "99"},
        {"patch_from": "-1"},
        {"patch_from": "x"},
        {"patch_text": "other"},
        {"patch_to": ""},
    ],
)
def test_patch_is_refused_when_the_outcome_is_not_what_was_typed(change: dict[str, str]) -> None:
    with pytest.raises(ebook_views.Mismatch):
        ebook_views.apply_patch("one two", {**patch("one two", "one and two"), **change})


def keep(hands: Hands, mark: str, **fields: str) -> Any:
    return hands.part("ebook/", {"part": "text", "seen": mark, **fields})


def seen_text(page: str) -> str:
    return page.split('id="seen-text" value="')[1].split('"')[0]


@both
def test_ebook_is_kept_from_patches_one_after_the_other(hands: Hands) -> None:
    before = str(hands.file["abstract"])
    mark = seen_text(hands.text("ebook/"))
    for after in (before + "\nMore 👩.\n", "# Anew 👨.\n"):
        answer = keep(hands, mark, **patch(before, after))
        assert answer.status_code == 200
        before, mark = after, seen_text(answer.content.decode())
    hands.save()
    assert hands.file["abstract"] == "# Anew 👨.\n"


@both
def test_a_change_of_a_long_ebook_is_answered_with_what_it_changes_in_the_preview(hands: Hands) -> None:
    before = "".join(f"## Chapter {number}\n\nSome words of a long book.\n\n" for number in range(1_000))
    answer = keep(hands, seen_text(hands.text("ebook/")), abstract=before)
    assert 'id="preview"' in answer.content.decode()
    after = before.replace("## Chapter 500\n\nSome", "## Chapter 500\n\nMany *more*", 1)
    answer = keep(hands, seen_text(answer.content.decode()), **patch(before, after))
    change = answer.content.decode().replace("&gt;", ">")
    assert len(change) < 4_000
    assert 'hx-swap-oob="delete:#preview-text > :nth-child(n+1002):nth-child(-n+1002)"' in change
    assert "<p>Many <em>more</em> words of a long book.</p>" in change
    assert "data-line" not in change, "no heading and no line of one has changed"
    assert "8,001 words" in change.replace("\u202f", ","), "the count of words follows"
    assert keep(hands, seen_text(change), **patch(after, before)).status_code == 200
    assert before in hands.get("ebook/").content.decode()


@both
def test_a_preview_that_becomes_too_long_to_be_shown_says_so(hands: Hands) -> None:
    before = "Some words. " * (ebook_html.PREVIEW_MOST // 12)
    answer = keep(hands, seen_text(hands.text("ebook/")), abstract=before)
    after = before + "More words than are shown."
    answer = keep(hands, seen_text(answer.content.decode()), **patch(before, after))
    assert "too long to be shown while you write" in answer.content.decode()


@both
def test_patch_for_a_text_that_another_window_changed_is_refused_and_the_whole_text_asks(hands: Hands) -> None:
    before = str(hands.file["abstract"])
    mark = seen_text(hands.text("ebook/"))
    keep(hands, mark, **patch(before, before + "theirs"))
    answer = keep(hands, mark, **patch(before, before + "mine"))
    assert (answer.status_code, answer.content) == (409, b"")
    whole = keep(hands, mark, abstract=before + "mine")
    assert whole.status_code == 422
    assert "mine" in whole.content.decode()
    assert "theirs" in hands.text("ebook/")


Meanwhile = Callable[[Callable[[], object]], None]


@pytest.fixture
def meanwhile() -> Iterator[Meanwhile]:
    """`meanwhile(act)`: between reading a draft and writing it, the next edit is overtaken by `act`."""
    with ExitStack() as stack:
        yield lambda act: stack.enter_context(at_statement("SAVEPOINT", act, after='FROM "ai_content_draft"'))


def question_edit(hands: Hands, number: int, text: str, tab: str) -> Callable[[], object]:
    page = f"quiz/questions/{hands.handle(number)}/"
    form = hands.form(page)
    return lambda: hands.part(page, {**form, "enunciate": text}, tab=tab)


@both
@pytest.mark.parametrize("started", [True, False], ids=["with a draft", "without a draft"])
def test_draft_edit_that_is_overtaken_by_another_window_keeps_both(
    hands: Hands, meanwhile: Meanwhile, started: bool
) -> None:
    if started:
        hands.write(3, "Third?")
    mine, theirs = question_edit(hands, 1, "Mine?", "one"), question_edit(hands, 2, "Theirs?", "two")
    meanwhile(theirs)
    mine()
    text = hands.text("quiz/")
    assert "Mine?" in text
    assert "Theirs?" in text
    draft = Draft.objects.get()
    assert draft.revision == (3 if started else 2)


@both
def test_draft_that_goes_back_to_the_file_is_not_deleted_over_another_windows_edit(
    hands: Hands, meanwhile: Meanwhile
) -> None:
    hands.write(1, "Edited?")
    back, theirs = question_edit(hands, 1, "Question number 1?", "one"), question_edit(hands, 2, "Theirs?", "two")
    meanwhile(theirs)
    back()
    text = hands.text("quiz/")
    assert "Theirs?" in text
    assert "Edited?" not in text
