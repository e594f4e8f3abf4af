"""The form that says the same as the query: one field a filter, with what people can choose in it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared import formats
from dashboard.videos.labels import NAMES, VALUES, WITHOUT
from dashboard.videos.library import ListView
from dashboard.videos.query.form import ONE_VALUE, read_fields
from dashboard.videos.query.form import WITHOUT as WITHOUT_FIELD
from dashboard.videos.query.form import WORDS as WORDS_FIELD
from dashboard.videos.query.terms import CHOICES, NO_FOLDER, FilterName, Measure

Choices: TypeAlias = tuple[tuple[str, str], ...]
"""Values with their words."""
MOST_FOLDERS = 100
"""With more folders than this a list to choose from is no help: their names are typed."""


@dataclass(frozen=True)
class FormChoice:
    """One value of a field."""

    value: str
    words: str
    is_selected: bool


@dataclass(frozen=True)
class FormField:
    """One field: with choices a select, else a text."""

    name: str
    label: str
    value: str
    choices: tuple[FormChoice, ...] = ()
    hint: str = ""

    @property
    def drawn(self) -> SafeString:
        """The field as HTML. Its selects have a hundred options, which are the same on nearly every page."""
        return _draw(self)


@lru_cache(maxsize=256)
def _draw(field: FormField) -> SafeString:
    return render_to_string("videos/_query_field.html", {"field": field})


@dataclass(frozen=True)
class QueryForm:
    """The fields, and the terms that none of them can say."""

    fields: tuple[FormField, ...]
    is_below: bool
    rest: str


def build_form(view: ListView) -> QueryForm:
    """The form with the query of the list that is shown."""
    form_fields = read_fields(view.query)
    values = dict(form_fields.values)

    def field(name: str, label: str, choices: Choices) -> FormField:
        return _build_field(name, label, values.get(name, ""), choices)

    fields = [
        FormField(WORDS_FIELD, _("Words in the title"), values.get(WORDS_FIELD, "")),
        _build_folder(view, values.get(FilterName.FOLDER.value, "")),
        *(field(name.value, _(NAMES[name]), _list_choices(name, get_language() or "en")) for name in ONE_VALUE),
        field(WITHOUT_FIELD, _("Without"), tuple((value, _(label)) for value, label in WITHOUT.items())),
        FormField(Measure.TRAFFIC.value, _("Traffic over, GB in 28 days"), values.get(Measure.TRAFFIC.value, "")),
    ]
    return QueryForm(tuple(fields), form_fields.is_below, form_fields.rest)


def _build_field(name: str, label: str, value: str, choices: Choices) -> FormField:
    """A select; a value that it does not offer is offered as it is, so that nothing typed is lost."""
    if value and value.lower() not in {choice.lower() for choice, _words in choices}:
        choices = (*choices, (value, value))
    options = tuple(FormChoice(choice, words, choice.lower() == value.lower()) for choice, words in choices)
    return FormField(name, label, value, options)


def _build_folder(view: ListView, value: str) -> FormField:
    shelves = view.catalog.shelves
    shelf = view.catalog.shelf_by_id.get(value)
    label = _(NAMES[FilterName.FOLDER])
    if len(shelves) > MOST_FOLDERS:
        return FormField(FilterName.FOLDER.value, label, shelf.name if shelf else value, hint=_("Type its name."))
    names = sorted({shelf.name for shelf in shelves}, key=str.casefold)
    choices = ((NO_FOLDER, _("In no folder")), *((name, name) for name in names))
    return _build_field(FilterName.FOLDER.value, label, shelf.name if shelf else value, choices)


@lru_cache(maxsize=64)
def _list_choices(name: FilterName, language: str) -> Choices:
    """The values of a filter with their names in `language`, which is the reader's: looked up and sorted once."""
    if name is FilterName.MISSING:
        languages = [(code, formats.language_name(code)) for code in LANGUAGES]
        return tuple(sorted(languages, key=lambda pair: pair[1].casefold()))
    if name is FilterName.CREATED:
        return tuple(
            (f"{days}d", _("In the last %(days)s days") % {"days": formats.number(days)}) for days in (7, 28, 90, 365)
        )
    return tuple((value, _(VALUES[name, value])) for value in CHOICES[name])


@lru_cache(maxsize=4)
def draw_examples(language: str) -> SafeString:
    """What people can type, and what it finds, as rows of a table. Drawn once for each `language`, which is the reader's."""
    return render_to_string("videos/_query_examples.html", {"examples": _list_examples()})


def _list_examples() -> tuple[tuple[str, str], ...]:
    return (
        ('folder:"My course"', _("Videos directly in this folder")),
        ('folder:"My course"/**', _("This folder and its subfolders")),
        ("missing:fr", _("Without French subtitles")),
        ("has:quiz", _("With a quiz")),
        ("comments:open", _("With comments that are not resolved")),
        ("plays:falling", _("Fewer plays than in the 28 days before")),
        ("traffic>10GB", _("More than 10 GB in 28 days")),
        ("created:2026-11", _("Created in November 2026")),
        ("field.Course:barista", _("With this word in the custom field “Course”")),
        ("missing:fr,es", _("A comma: any of these")),
        ("-has:chat", _("A minus in front: without chat")),
    )
