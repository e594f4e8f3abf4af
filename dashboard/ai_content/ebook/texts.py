"""Build `abstract_html` when an eBook is sent: from the Markdown, once that was edited [4.3]."""

from dashboard.ai_content.ebook.html import has_drifted, render_markdown
from dashboard.ai_content.rules.package import Package, get_text, is_same

TEXT, HTML, SUMMARY, COVER = "abstract", "abstract_html", "abstract_summary", "abstract_cover"
COVER_KEYS = ("kicker", "title", "subtitle", "edition_label")
DECIDED = "decided"
"""The HTML is made from the text: the person decided it, or both were equal."""
EXACT = "exact"
"""The eBook was restored from a version of the platform: it is sent unchanged."""


class Undecided(Exception):
    """Text and HTML differed when they were loaded, and nobody has decided which to keep."""


def has_drift(values: Package) -> bool:
    """Whether Markdown and HTML of the eBook differ."""
    if HTML not in values or not isinstance(values.get(TEXT, ""), str):
        return False
    return has_drifted(get_text(values.get(TEXT)), get_text(values.get(HTML)))


def build_outgoing(values: Package, base: Package, choice: str) -> Package:
    """The eBook's keys as they are sent. Untouched text keeps its HTML, letter for letter.

    `values` are the draft's, `base` those it started from. HTML that came with an imported file is not taken: it is made
    from the text. Raises `Undecided` when it has to be asked first.
    """
    text = values.get(TEXT)
    if not isinstance(text, str):
        return values
    if choice == EXACT:
        return values
    touched = (
        not is_same(text, base.get(TEXT))
        or TEXT not in base
        or not is_same(values.get(HTML, base.get(HTML)), base.get(HTML))
    )
    if not touched and choice != DECIDED:
        return values if HTML in values or HTML not in base else {**values, HTML: base[HTML]}
    if choice != DECIDED and has_drift(base):
        raise Undecided
    return {**values, HTML: render_markdown(text)}
