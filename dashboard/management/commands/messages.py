"""manage.py messages: bring the catalogues of messages up to date with what the product says.

A feature's catalogue holds the sentences of its Python files and of its folder under `templates/`; everything that belongs
to no feature is in `dashboard/locale`. Templates are read with Django's own parser, Python with its syntax trees.
"""

import ast
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand
from django.template import Template, engines
from django.template.base import Node, NodeList
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from dashboard.apps import list_catalogues

LANGUAGES = ("pt_BR", "es")
PYTHON_NAMES = {
    "_": 1, "gettext": 1, "gettext_lazy": 1, "gettext_noop": 1,
    "ngettext": 2, "ngettext_lazy": 2, "pgettext": -1, "pgettext_lazy": -1,
}  # fmt: skip
"""Marking functions: how many arguments are sentences; -1 means that the first is a context."""

LITERAL = re.compile(r'_\("([^"]+)"\)')
"""A sentence that a tag or a filter of a template gets."""


@dataclass(frozen=True)
class Sentence:
    """One msgid, with its plural and its context where it has them."""

    text: str
    plural: str = ""
    context: str = ""


def by_catalogue() -> dict[Path, set[Sentence]]:
    """Every sentence of the product, by the folder of its catalogues (`…/locale`)."""
    sentences_by_home: dict[Path, set[Sentence]] = {}
    for source in _python_files():
        sentences_by_home.setdefault(_home(source), set()).update(in_python(source.read_text()))
    for template in (settings.BASE_DIR / "templates").rglob("*.html"):
        sentences_by_home.setdefault(_home(template), set()).update(in_template(template.read_text()))
    return {home: sentences for home, sentences in sentences_by_home.items() if sentences}


def _python_files() -> Iterator[Path]:
    for package in ("dashboard", "review_portal"):
        for path in (settings.BASE_DIR / package).rglob("*.py"):
            if "migrations" not in path.parts:
                yield path


def _home(source: Path) -> Path:
    """The catalogue folder a file belongs to."""
    base: Path = settings.BASE_DIR
    parts = source.relative_to(base).parts
    word = parts[1] if parts[0] in {"dashboard", "templates"} and len(parts) > 2 else ""
    if parts[0] == "review_portal" or word == "review_portal":
        return base / "review_portal" / "locale"
    shared = word in {"", "shared", "templatetags", "management", "components", "errors"}
    feature = base / "dashboard" / word
    return (base / "dashboard" if shared or not (feature / "__init__.py").exists() else feature) / "locale"


def in_python(text: str) -> set[Sentence]:
    """The sentences that marking functions get in a Python file."""
    sentences = set()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        words = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        count = PYTHON_NAMES.get(name)
        if count == -1 and len(words) == 2:
            sentences.add(Sentence(words[1], context=words[0]))
        elif count and count > 0 and len(words) >= count:
            sentences.add(Sentence(*words[:count]))  # lazy plurals name the number after the two sentences
    return sentences


def in_template(text: str) -> set[Sentence]:
    """The sentences of a Django template."""
    engine = engines["django"].engine  # type: ignore[attr-defined]  # the DjangoTemplates backend has it
    sentences = {Sentence(literal) for literal in LITERAL.findall(text)}
    for node in _walk(Template(text, engine=engine).nodelist):
        if isinstance(node, TranslateNode):
            message = node.filter_expression.var
            if isinstance(message, str) or getattr(message, "literal", None):
                literal = message if isinstance(message, str) else message.literal
                context = str(node.message_context.var) if node.message_context else ""
                sentences.add(Sentence(str(literal), context=context))
        elif isinstance(node, BlockTranslateNode):
            sentences.add(_block(node))
    return sentences


def _block(node: BlockTranslateNode) -> Sentence:
    singular, _names = node.render_token_list(node.singular)
    plural = node.render_token_list(node.plural)[0] if node.plural else ""
    context = str(node.message_context.var) if node.message_context else ""
    if node.trimmed:
        singular, plural = (" ".join(part.split()) for part in (singular, plural))
    return Sentence(singular, plural, context)


def _walk(nodes: NodeList) -> Iterator[Node]:
    """Every node, children of every kind of block included."""
    for node in nodes:
        yield node
        for name in node.child_nodelists:
            children = getattr(node, name, None)
            if isinstance(children, NodeList):
                yield from _walk(children)
        for _condition, branch in getattr(node, "conditions_nodelists", ()):
            yield from _walk(branch)


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
    for path in list_catalogues():
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
