"""Django's templates, sent without their indentation and without leaving anything to be searched for as garbage."""

import re
from typing import Any, Final

from django.http import HttpRequest
from django.template import Origin, TemplateDoesNotExist
from django.template.backends.django import DjangoTemplates, reraise
from django.template.backends.django import Template as DjangoTemplate
from django.template.context import make_context
from django.template.loaders import filesystem
from django.utils.safestring import SafeString

INDENTATION: Final = re.compile(r"\n[ \t]+")


class Loader(filesystem.Loader):
    """Django's own loader of files. Indentation is for whoever reads the file, and would be sent with every page.

    Lines stay where they are, so an error names the right one.
    """

    def get_contents(self, origin: Origin) -> str:
        """The text of a template, each line without the white space it begins with."""
        return INDENTATION.sub("\n", super().get_contents(origin))


class Template(DjangoTemplate):
    """Django's, whose context ends with the page.

    A context refers to its dictionaries, and each of them back to it: so everything that a page was made of, and its text,
    stayed in memory until the collector of garbage came by (docs/decisions.md).
    """

    def render(self, context: dict[str, Any] | None = None, request: HttpRequest | None = None) -> SafeString:
        """The page. Where it fails, the context stays, for the page of the error."""
        page_context = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            page = self.template.render(page_context)
        except TemplateDoesNotExist as error:
            reraise(error, self.backend)
        page_context.dicts.clear()
        return page


class Templates(DjangoTemplates):
    """The engine of the setting `TEMPLATES`."""

    def get_template(self, template_name: str) -> Template:
        """The template of a file. Raises `TemplateDoesNotExist`."""
        return Template(super().get_template(template_name).template, self)
