"""Which sentences the product says, and where each is translated.

A feature's catalogue holds the sentences of its Python files and of its folder under `templates/`; everything that belongs
to no feature is in `dashboard/locale`. Templates are read with Django's own parser, Python with its syntax trees.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.template import Template, engines
from django.template.base import Node, NodeList
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

LANGUAGES = ("pt_BR", "es")
PYTHON_NAMES = {
    "_": 1, "gettext": 1, "gettext_lazy": 1, "gettext_noop": 1,
    "ngettext": 2, "ngettext_lazy": 2, "pgettext": -1, "pgettext_lazy": -1,
}  # fmt: skip
"""Marking functions: how many arguments are sentences; -1 means that the first is a context."""


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
    sentences = set()
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
