"""The product speaks three languages, completely. Each rule lists the sentences that break it."""

import re
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

from dashboard.apps import list_catalogues
from dashboard.management.commands.messages import (
    LANGUAGES,
    Sentence,
    brought_up,
    by_catalogue,
    in_template,
    untranslated,
)
from tests.house.sources import assert_none

DENIES = {
    "en": re.compile(r"\b(?:cannot|neither|never|no|nobody|none|nor|not|nothing)\b|n['’]t\b", re.IGNORECASE),
    "pt_BR": re.compile(r"\b(?:nada|nem|nenhum\w*|ninguém|não|nunca|sem)\b", re.IGNORECASE),
    "es": re.compile(r"\b(?:nada|nadie|ni|ning\w+|no|nunca|sin)\b", re.IGNORECASE),
}
"""What says in each language that something is not so."""
OTHERWISE = {
    "en": re.compile(
        r"\b(?:alone|any\w*|before|else|empty|except|fail\w*|few\w*|free|gone|hid\w+|instead|invalid|lack\w*|left|less|lost|miss\w*"
        r"|muted|off|offline|old\w*|only|other|out|plain|refus\w+|stop\w*|too|un\w+|until|without|wrong|yet)\b",
        re.IGNORECASE,
    ),
    "pt_BR": re.compile(r"\b(?:desconhecid\w+|desmarcar|exceto|falta|fora|só)\b", re.IGNORECASE),
    "es": re.compile(r"\b(?:desconocid\w+|excepto|falta|fuera)\b", re.IGNORECASE),
}
"""What says the same in other words."""
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]|\{(\w*)\}")


@cache
def read_catalogue(path: Path) -> Catalog:
    """A catalogue of messages."""
    with path.open("rb") as file:
        return read_po(file)


def list_texts(text: object) -> list[str]:
    """A message or its translation as a list, all forms of a plural."""
    return [str(form) for form in text] if isinstance(text, tuple | list) else [str(text)]


def test_every_sentence_is_translated_into_every_language() -> None:
    offenders = []
    catalogues = by_catalogue()
    for home, sentences in sorted(catalogues.items()):
        for language in LANGUAGES:
            path = home / language / "LC_MESSAGES" / "django.po"
            offenders += [
                f"{path.relative_to(settings.BASE_DIR)}: {text!r}"
                for text in untranslated(brought_up(path, language, sentences))
            ]
    assert len(catalogues) > 10
    assert_none(offenders)


def differs_in_placeholders(message: Message) -> bool:
    """Whether a translation has a placeholder that its sentence has not, or misses one."""
    allowed = {name for source in list_texts(message.id) for name in PLACEHOLDER.findall(source)}
    forms = [set(PLACEHOLDER.findall(target)) for target in list_texts(message.string)]
    return any(form - allowed for form in forms) or bool(allowed - set().union(*forms))


def test_sentences_that_tags_and_filters_of_templates_get_are_found() -> None:
    assert in_template('{% badge _("Sent") "finished" %}{{ name|default:_("Nobody") }}') == {
        Sentence("Sent"),
        Sentence("Nobody"),
    }


def test_every_translation_keeps_the_placeholders_of_its_sentence() -> None:
    paths = list(list_catalogues())
    offenders = [
        f"{path.relative_to(settings.BASE_DIR)}: {message.id!r} -> {message.string!r}"
        for path in paths
        for message in read_catalogue(path)
        if message.id and differs_in_placeholders(message)
    ]
    assert len(paths) > 10
    assert_none(offenders)


def says_the_opposite(language: str, source: str, target: str) -> bool:
    """Whether one of the two says that something is not so, and the other one does not, in whatever words."""
    denied, denies = DENIES["en"].search(source), DENIES[language].search(target)
    lost = denied and not denies and not OTHERWISE[language].search(target)
    return bool(lost or (denies and not denied and not OTHERWISE["en"].search(source)))


def test_no_translation_denies_what_its_sentence_says_or_says_what_it_denies() -> None:
    pairs = [
        (path, *pair)
        for path in list_catalogues()
        for message in read_catalogue(path)
        if message.id and path.parts[-3] in OTHERWISE
        for pair in zip(list_texts(message.id), list_texts(message.string), strict=False)
    ]
    assert len(pairs) > 5_000
    assert_none(
        f"{path.relative_to(settings.BASE_DIR)}: {source!r} -> {target!r}"
        for path, source, target in pairs
        if target and says_the_opposite(path.parts[-3], source, target)
    )


def test_a_sentence_is_translated_the_same_everywhere_or_has_a_context() -> None:
    """The catalogues meet in one domain at run time: of two translations one would win, on pages of the other."""
    translations: dict[tuple[object, ...], dict[object, list[str]]] = {}
    for path in list_catalogues():
        for message in read_catalogue(path):
            if message.id:
                sentence = (path.parents[1].name, message.context, message.id)
                same = translations.setdefault(sentence, {})
                same.setdefault(message.string, []).append(path.parents[3].name)
    assert_none(f"{sentence}: {texts}" for sentence, texts in translations.items() if len(texts) > 1)
