"""Templates compile, are used, and keep the page's rules: no inline style or script, htmx only where plain HTML works.

Each rule lists the templates that break it.
"""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from django.template.exceptions import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template

from tests.house.sources import OWN_PACKAGES, ROOT, assert_none, list_templates, read_text

VERBS = ("hx-get", "hx-post", "hx-put", "hx-delete", "hx-patch")
POLLS = re.compile(r"every |load|revealed")
Attributes = dict[str, str | None]


class ElementParser(HTMLParser):
    """Collects start tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


@cache
def list_elements(path: Path) -> list[tuple[str, Attributes]]:
    """The elements of a template, template tags left out."""
    text = re.sub(r"\{#.*?#\}", "", read_text(path), flags=re.S)
    text = re.sub(r"\{%.*?%\}", "", text, flags=re.S)
    text = re.sub(r"\{\{.*?\}\}", "x", text, flags=re.S)
    parser = ElementParser()
    parser.feed(text)
    return parser.elements


def template_name(path: Path) -> str:
    """The name by which a template is loaded."""
    return str(path.relative_to(ROOT / "templates"))


def test_every_template_compiles() -> None:
    assert len(list_templates()) > 100
    offenders = []
    for path in list_templates():
        try:
            get_template(template_name(path))
        except (TemplateSyntaxError, TemplateDoesNotExist) as error:
            offenders.append(f"{template_name(path)}: {error}")
    assert_none(offenders)


def test_every_template_is_used() -> None:
    code = "\n".join(read_text(path) for package in OWN_PACKAGES for path in (ROOT / package).rglob("*.py"))
    markup = "\n".join(read_text(path) for path in list_templates())
    names = [template_name(path) for path in list_templates()]
    assert_none(
        [name for name in names if f'"{name}"' not in code and f'"{name}"' not in markup and f"{name}#" not in code]
    )


@cache
def list_words(name: str, within: tuple[str, ...] = ()) -> frozenset[str]:
    """The words in the tags of a template, and in those of the templates that it includes."""
    text = re.sub(r"\{#.*?#\}", "", read_text(ROOT / "templates" / name), flags=re.S)
    included = set(re.findall(r'\{% *(?:include|extends) "([^"]+)"', text)) - {name, *within}
    own = re.findall(r"\w+", " ".join(re.findall(r"\{[{%].*?[%}]\}", text, re.S)))
    return frozenset(own).union(*(list_words(inner, (*within, name)) for inner in included))


def test_every_argument_of_an_include_is_used_there() -> None:
    includes = re.compile(r'\{% *include "([^"]+)" with (.*?)%\}', re.S)
    given = [
        (path, name, argument)
        for path in list_templates()
        for name, arguments in includes.findall(read_text(path))
        for argument in re.findall(r"\b(\w+)=", arguments)
    ]
    assert len(given) > 200
    assert_none(
        f"{template_name(path)}: {name} knows no {one}" for path, name, one in given if one not in list_words(name)
    )


def find_inline_code(tag: str, attrs: Attributes) -> list[str]:
    """What the content security policy would block in an element."""
    problems = [f"<{tag} {name}>" for name in attrs if name == "style" or name.startswith("on")]
    if tag == "style":
        problems.append("<style>")
    if tag == "script" and "src" not in attrs and attrs.get("type") != "application/json":
        problems.append("inline <script>")
    if str(attrs.get("href") or "").startswith("javascript:"):
        problems.append(f"<{tag} href=javascript:>")
    return problems


def test_no_template_has_inline_style_or_script() -> None:
    assert_none(
        [
            f"{template_name(path)}: {problem}"
            for path in list_templates()
            for tag, attrs in list_elements(path)
            for problem in find_inline_code(tag, attrs)
        ]
    )


def test_every_htmx_element_has_an_address_without_script() -> None:
    """A link its href, a form its action, a button its form; a poll only replaces what the page already shows."""
    offenders = []
    for path in list_templates():
        inside_form = "<form" in read_text(path)
        for tag, attrs in list_elements(path):
            verbs = [verb for verb in VERBS if verb in attrs]
            if not verbs or POLLS.search(str(attrs.get("hx-trigger") or "")):
                continue
            works = "href" in attrs or "action" in attrs or "formaction" in attrs
            works = works or (tag in {"button", "input", "select", "textarea"} and inside_form)
            if not works:
                offenders.append(f"{template_name(path)}: <{tag} {verbs[0]}> does nothing without script")
    assert_none(offenders)


def test_every_part_that_swaps_itself_has_its_own_name_as_id() -> None:
    """A part that polls or is swapped by htmx carries `id="<name>"` (with a suffix where it repeats)."""
    offenders = []
    for path in list_templates():
        text = read_text(path)
        if not path.name.startswith("_") or 'hx-swap="outerHTML"' not in text or "hx-target" in text:
            continue
        name = path.stem.lstrip("_").replace("_", "-")
        root: Attributes = next((attrs for tag, attrs in list_elements(path) if tag != "link"), {})
        if not str(root.get("id") or "").replace("_", "-").startswith(name):
            offenders.append(f"{template_name(path)}: its root has id={root.get('id')!r}")
    assert_none(offenders)
