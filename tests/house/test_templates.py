"""Every template compiles, is used, and keeps the page's rules: no inline style or script, htmx only over real links."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.template.loader import get_template

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
NAMES = [str(path.relative_to(ROOT / "templates")) for path in TEMPLATES]
VERBS = ("hx-get", "hx-post", "hx-put", "hx-delete", "hx-patch")
POLLS = re.compile(r"every |load|revealed")


class Elements(HTMLParser):
    """Start tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def elements(path: Path) -> list[tuple[str, dict[str, str | None]]]:
    """The elements of a template, template tags left out."""
    text = re.sub(r"\{#.*?#\}", "", path.read_text(), flags=re.S)
    text = re.sub(r"\{%.*?%\}", "", text, flags=re.S)
    text = re.sub(r"\{\{.*?\}\}", "x", text, flags=re.S)
    parser = Elements()
    parser.feed(text)
    return parser.found


@pytest.mark.parametrize("name", NAMES)
def test_it_compiles(name: str) -> None:
    assert get_template(name) is not None


def test_each_one_is_used() -> None:
    code = "\n".join(
        path.read_text() for package in ("dashboard", "review_portal") for path in (ROOT / package).rglob("*.py")
    )
    markup = "\n".join(path.read_text() for path in TEMPLATES)
    unused = [
        name for name in NAMES if f'"{name}"' not in code and f'"{name}"' not in markup and f"{name}#" not in code
    ]
    assert unused == []


@pytest.mark.parametrize("path", TEMPLATES, ids=NAMES)
def test_no_style_or_script_is_inline(path: Path) -> None:
    for tag, attrs in elements(path):
        assert "style" not in attrs, f"<{tag} style>"
        assert tag != "style"
        assert not [name for name in attrs if name.startswith("on")], f"<{tag}> has a handler"
        assert tag != "script" or "src" in attrs or attrs.get("type") == "application/json", "inline script"
        assert not str(attrs.get("href") or "").startswith("javascript:")


@pytest.mark.parametrize("path", TEMPLATES, ids=NAMES)
def test_every_htmx_element_has_an_address_without_script(path: Path) -> None:
    """A link its href, a form its action, a button its form; a poll only replaces what the page already shows."""
    inside_form = "<form" in path.read_text()
    for tag, attrs in elements(path):
        verbs = [verb for verb in VERBS if verb in attrs]
        if not verbs or POLLS.search(str(attrs.get("hx-trigger") or "")):
            continue
        works = "href" in attrs or "action" in attrs or "formaction" in attrs
        works = works or (tag in {"button", "input", "select", "textarea"} and inside_form)
        assert works, f"<{tag} {verbs[0]}> does nothing without script"


@pytest.mark.parametrize("path", [p for p in TEMPLATES if p.name.startswith("_")], ids=lambda p: p.stem)
def test_a_part_that_is_swapped_has_its_own_name_as_root_id(path: Path) -> None:
    """A part that polls or is swapped by htmx carries `id="<name>"` (with a suffix where it repeats)."""
    text = path.read_text()
    name = path.stem.lstrip("_").replace("_", "-")
    first = next((attrs for tag, attrs in elements(path) if tag not in {"link"}), {})
    if 'hx-swap="outerHTML"' in text and "hx-target" not in text:
        assert str(first.get("id") or "").replace("_", "-").startswith(name), f"{path.name} swaps itself without its id"
