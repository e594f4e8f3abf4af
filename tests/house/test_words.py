"""The product speaks three languages, completely."""

import re

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from dashboard.catalogues import files
from dashboard.management.commands.messages import brought_up, untranslated
from dashboard.messages import LANGUAGES, by_catalogue

SENTENCES = by_catalogue()
HOMES = sorted(SENTENCES)
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]|\{(\w*)\}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.parent.name)
def test_every_sentence_is_translated(home: object, language: str) -> None:
    path = next(h for h in HOMES if h == home) / language / "LC_MESSAGES" / "django.po"
    assert untranslated(brought_up(path, language, SENTENCES[path.parents[2]])) == []


@pytest.mark.parametrize("path", list(files()), ids=lambda path: str(path.relative_to(settings.BASE_DIR)))
def test_translations_keep_every_placeholder(path: object) -> None:
    with open(str(path), "rb") as file:  # noqa: PTH123  (the parameter is a path already)
        catalogue = read_po(file)
    for message in catalogue:
        if not message.id:
            continue
        sources = message.id if isinstance(message.id, tuple) else (message.id,)
        targets = message.string if isinstance(message.string, tuple | list) else (message.string,)
        allowed = {found for source in sources for found in PLACEHOLDER.findall(str(source))}
        forms = [str(target) for target in targets]
        for target in forms:
            assert set(PLACEHOLDER.findall(target)) <= allowed, target
        assert allowed <= {found for target in forms for found in PLACEHOLDER.findall(target)}, sources


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_translated_the_same_everywhere_or_says_its_context(language: str) -> None:
    """The catalogues meet in one domain at run time: of two translations one would win, on pages of the other."""
    found: dict[tuple[object, object], dict[object, list[str]]] = {}
    for path in files():
        if path.parents[1].name == language:
            with path.open("rb") as file:
                for message in read_po(file):
                    if message.id:
                        same = found.setdefault((message.context, message.id), {})
                        same.setdefault(message.string, []).append(path.parents[3].name)
    assert {message: said for message, said in found.items() if len(said) > 1} == {}
