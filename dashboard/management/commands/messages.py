"""manage.py messages: bring the catalogues of messages up to date with what the product says."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand

from dashboard.catalogues import files
from dashboard.messages import LANGUAGES, Sentence, by_catalogue


class Command(BaseCommand):
    """Adds new sentences, drops unused ones, keeps every translation, also of a sentence that moved to another feature."""

    help = "Add new sentences to the catalogues and list what is not translated. With --check only list."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("words", nargs="*", help="Features to look at, such as subtitles; all without it.")
        parser.add_argument("--check", action="store_true", help="Change nothing.")

    def handle(self, *args: Any, **options: Any) -> None:
        missing = 0
        known = {language: read_translations(language) for language in LANGUAGES}
        for home, sentences in sorted(by_catalogue().items()):
            if options["words"] and home.parent.name not in options["words"]:
                continue
            for language in LANGUAGES:
                path = home / language / "LC_MESSAGES" / "django.po"
                catalogue = brought_up(path, language, sentences, known[language])
                if not options["check"]:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    with path.open("wb") as file:
                        write_po(
                            file, catalogue, width=120, sort_output=True, omit_header=False, include_previous=False
                        )
                for text in untranslated(catalogue):
                    missing += 1
                    self.stdout.write(f"{path.relative_to(settings.BASE_DIR)}: {text!r}")
        self.stdout.write(f"{missing} not translated")


def read_translations(language: str) -> Catalog:
    """Every translated sentence of the product, whichever catalogue has it."""
    merged = Catalog(locale=language)
    for path in files():
        if path.parent.parent.name == language:
            with path.open("rb") as file:
                for message in read_po(file, locale=language):
                    if message.id and message.string and message.id not in merged:
                        merged.add(message.id, message.string, context=message.context, flags=message.flags)
    return merged


def brought_up(path: Path, language: str, sentences: set[Sentence], known: Catalog | None = None) -> Catalog:
    """The catalogue at `path` with exactly `sentences`. Old translations are kept; a new sentence takes that in `known`."""
    old = Catalog(locale=language)
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, locale=language)
    fresh = Catalog(locale=language, project="Reelroom", charset="utf-8", fuzzy=False)
    for sentence in sentences:
        context = sentence.context or None
        translated = old.get(sentence.text, context) or (known.get(sentence.text, context) if known else None)
        message_id = (sentence.text, sentence.plural) if sentence.plural else sentence.text
        usable = translated is not None and translated.string and bool(translated.pluralizable) == bool(sentence.plural)
        flags = ["python-format"] if translated is not None and translated.python_format else []
        fresh.add(message_id, translated.string if usable and translated else None, context=context, flags=flags)
    fresh.creation_date = old.creation_date if path.exists() else fresh.creation_date
    fresh.revision_date = fresh.creation_date
    return fresh


def untranslated(catalogue: Catalog) -> list[str]:
    """The sentences without a translation, or with an empty form of the plural."""
    sentences = []
    for message in catalogue:
        if not message.id:
            continue
        forms = message.string if isinstance(message.string, list | tuple) else (message.string,)
        if not all(forms):
            sentences.append(message.id if isinstance(message.id, str) else message.id[0])
    return sorted(sentences)
