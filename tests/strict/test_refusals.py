"""What the platform refuses is told where it belongs, in the reader's language, with its own words, and nothing is lost."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.core.cache import cache
from django.db import transaction

from tests.house.sources import assert_none
from tests.strict.assumed import Manner
from tests.strict.drives import Desk, words
from tests.strict.refusals import FORMS, Form, Pressed, Refusal

pytestmark = [pytest.mark.django_db, pytest.mark.loopback]
OTHERS = ("pt-br", "es")


def judge(pressed: Pressed, refusal: Refusal, language: str) -> Iterator[str]:
    """What is wrong with the page after a refusal."""
    answer, said = pressed.answer, words(pressed.answer)
    for part in (refusal.message, *([refusal.said] if language == "en" else [])):
        times = 1 + bool(refusal.at and "error-summary" in answer.text)  # at its field, and in the list of such places
        if said.count(part) != times:
            yield f"“{part}” is there {said.count(part)} times: {said[:1500]}"
    if language != "en" and refusal.said in said:
        yield f"it is said in English: {said[:300]}"
    if refusal.at and refusal.message not in at_field(answer.text, refusal.at):
        yield f"it is not at the field {refusal.at}, where it says “{at_field(answer.text, refusal.at)}”"
    kept = {value for form in answer.forms("/") for _name, value in form.values}
    lost = [name for name, value in pressed.typed.items() if value not in kept and str(value) not in said]
    if lost:
        yield f"what was typed is lost: {lost}"


def at_field(html: str, name: str) -> str:
    """What is said at the control of this name: what describes it, or the group around it."""
    control = re.search(rf'<(?:input|select|textarea)\b[^>]*\bname="{name}"[^>]*>', html)
    if control is None:
        return "(there is no such control)"
    described = re.search(r'aria-describedby="([^"]*)"', control[0])
    places = described[1].split() if described else []
    found = [re.search(rf'(?s)id="{re.escape(place)}"[^>]*>(.*?)</p>', html) for place in places]
    said = " ".join(one[1] for one in found if one)
    group = html[: control.start()].rpartition("<fieldset")[2]
    if not said and "</fieldset>" not in group:
        said = " ".join(re.findall(r'(?s)class="field__error"[^>]*>(.*?)</p>', group))
    return unescape(re.sub(r"<[^>]+>", " ", said))


@pytest.mark.parametrize("manner", [Manner.PLAIN], indirect=True, scope="module", ids=str)
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_refusal_is_told_at_its_place_in_the_language_of_the_reader_and_nothing_typed_is_lost(
    desk: Desk, form: Form
) -> None:
    press, offenders = form.open(desk), []
    for number, refusal in enumerate(form.refusals):
        for language in ("en", OTHERS[number % 2]):
            desk.platform.calls.clear()
            desk.platform.refusals = {form.operation: (refusal.status, refusal.body)}
            cache.clear()
            with transaction.atomic():
                pressed = press(language)
                told = [*judge(pressed, refusal, language)]
                if len(desk.platform.writes) != 1:
                    told.append(f"{len(desk.platform.writes)} calls arrived: {words(pressed.answer)[:300]}")
                transaction.set_rollback(True)
            offenders += [f"{refusal.status} {refusal.message} [{language}]: {line}" for line in told]
    assert desk.platform.wrong == []
    assert_none(offenders)
