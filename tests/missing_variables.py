"""A template that uses a variable which does not exist fails the test that draws it.

A tag may ask whether there is an argument or a key that somebody gives (`{% if oob %}`, `{% if form.errors.text %}`), and what
is behind something that may be None. All else that a template names has to be there.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import pytest
from django.template import Context
from django.template.base import Variable, VariableDoesNotExist

from tests.house.sources import OWN_PACKAGES, ROOT, list_templates, read_text

FOLDER: Final = str(ROOT / "templates")
_resolve: Final[Any] = Variable._resolve_lookup  # type: ignore[attr-defined]  # not in its stubs


class MissingVariableError(BaseException):
    """What a template names is not there. No `{% if %}` and no view swallows it, as they do with an `Exception`."""


class _Invalid(str):
    """What Django would show for a variable that is not there, after asking whether its name has a place in it."""

    __slots__ = ()

    def __contains__(self, text: object) -> bool:
        return text == "%s"

    def __mod__(self, variable: object) -> str:
        raise MissingVariableError(f"There is no {variable}")


INVALID: Final = _Invalid("a variable that is not there")


@cache
def list_given_names() -> frozenset[str]:
    """Every name that a tag gives to a template, or Python may: as a word between quotation marks or as an argument."""
    modules = [read_text(path) for package in OWN_PACKAGES for path in (ROOT / package).rglob("*.py")]
    tags = [tag for path in list_templates() for tag in re.findall(r"\{% *(?:include|with) .*?%\}", read_text(path))]
    quoted, arguments = re.compile(r'"([a-z]\w*)"'), re.compile(r"\b([a-z]\w*)=")
    return frozenset(quoted.findall("".join(modules)) + arguments.findall("".join(modules + tags)))


def resolve(variable: Any, context: Context) -> Any:
    """What a variable stands for. Raises `MissingVariableError` where it cannot stand for anything."""
    try:
        value = _resolve(variable, context)
    except VariableDoesNotExist as error:
        name, parent = error.params
        is_optional = isinstance(parent, Context | dict) and name in list_given_names()
        template = context.render_context.template
        if parent is None or is_optional or not template or not str(template.origin).startswith(FOLDER):
            raise
        raise MissingVariableError(f"There is no {name} of {variable} in {template.origin}: {parent!r:.200}") from None
    if value is INVALID:
        raise MissingVariableError(f"{variable} is nothing that a template may call")
    return value


@contextmanager
def refused() -> Iterator[None]:
    """While this lasts, drawing a template raises `MissingVariableError` where a variable of it does not exist."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Variable, "_resolve_lookup", resolve)
        yield
