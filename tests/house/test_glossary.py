"""One word for one thing: no sentence of a page uses a word that the glossary of STYLE.md replaces."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from dashboard.apps import list_catalogues
from tests.house.sources import ROOT, assert_none, read_text

LANGUAGES = {"en": "en", "pt-BR": "pt_BR", "es": "es"}
"""The languages of the glossary, and the folders of their catalogues."""


def list_glossary() -> list[list[str]]:
    """The rows of the glossary: the word in three languages, and the words that it replaces."""
    table = read_text(ROOT / "STYLE.md").partition("## Glossary")[2].partition("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")
    ]
    return rows[2:]


def compile_replaced_words(language: str) -> re.Pattern[str]:
    """What finds the words of a language that the glossary replaces."""
    words = []
    for row in list_glossary():
        for part in row[3].split(";"):
            code, _, listed = part.partition(":")
            if code.strip() == language:
                words += [word.strip() for word in listed.split(",")]
    assert len(words) > 5
    return re.compile(rf"(?<![\w%(])(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)


def list_sentences(language: str) -> Iterator[tuple[Path, str]]:
    """The sentences of all pages in a language, each with its catalogue."""
    for path in list_catalogues():
        if LANGUAGES[language] not in {"en", path.parts[-3]}:
            continue
        with path.open("rb") as file:
            messages = [message for message in read_po(file) if message.id]
        for message in messages:
            texts = message.id if language == "en" else message.string
            for text in [texts] if isinstance(texts, str) else texts or ():
                yield path, text


def test_glossary_has_each_word_in_three_languages() -> None:
    rows = list_glossary()
    assert len(rows) > 15
    assert_none([row[0] for row in rows if len(row) != 4 or not all(row[:3])])


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_uses_a_word_that_the_glossary_replaces(language: str) -> None:
    replaced = compile_replaced_words(language)
    sentences = list(list_sentences(language))
    assert len(sentences) > 1000
    assert_none(
        sorted(
            {
                f"{path.relative_to(settings.BASE_DIR)}: {match[0]!r} in {text!r}"
                for path, text in sentences
                for match in replaced.finditer(text)
            }
        )
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_replaced_words_are_found_in_any_case_and_only_as_whole_words(language: str) -> None:
    replaced = compile_replaced_words(language)
    word = {"en": "Film", "pt-BR": "Filme", "es": "Vídeo"}[language]
    assert replaced.search(f"{word}: 1") and replaced.search(word.lower())
    assert not replaced.search(f"x{word}") and not replaced.search(f"{word}x") and not replaced.search(f"%({word})s")
