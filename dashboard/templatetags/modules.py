"""What a page's script imports, named in the page's head, so that it comes beside the script and not after it."""

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from dashboard.static_storage import JoinedManifestStorage

register = template.Library()


@register.simple_tag
def module_imports(script: str) -> SafeString:
    """A link for every file that a script needs before it runs; none where files are not bundled."""
    files = staticfiles_storage.imports_of(script) if isinstance(staticfiles_storage, JoinedManifestStorage) else ()
    return format_html_join("\n  ", '<link rel="modulepreload" href="{}">', ((address,) for address in files))
