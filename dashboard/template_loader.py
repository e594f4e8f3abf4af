"""Templates without their indentation: it is for whoever reads the file, and would be sent with every page."""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

INDENTATION: Final = re.compile(r"\n[ \t]+")


class Loader(filesystem.Loader):
    """Django's own loader of files. Lines stay where they are, so an error names the right one."""

    def get_contents(self, origin: Origin) -> str:
        """The text of a template, each line without the white space it begins with."""
        return INDENTATION.sub("\n", super().get_contents(origin))
