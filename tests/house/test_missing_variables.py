"""What of a template's variables has to be there, and what it may ask for."""

from types import SimpleNamespace

import pytest
from django.template import Engine, Origin, Template
from django.template.context import Context

from tests.missing_variables import FOLDER, MissingVariableError


def draw(text: str) -> str:
    """A template of ours over a page with a number, an optional part and errors by field."""
    template = Template(text, origin=Origin(f"{FOLDER}/drawn.html"), engine=Engine.get_default())
    page = SimpleNamespace(part=None, errors={"name": ["Write a name."]}, count=2, find=lambda name: name)
    return template.render(Context({"page": page}))


@pytest.mark.parametrize(
    "text",
    [
        "{{ nothing }}",
        "{{ page.cuont }}",
        "{{ page.part.title }}",
        "{{ page.errors.text }}",
        "{{ page.find }}",
        "{{ page.count|default:page.cuont }}",
        "{% if page.cuont %}{% endif %}",
        "{% if not page.cuont or page.count > 2 %}{% endif %}",
        "{% if page.cuont == 2 %}{% endif %}",
        "{% if page.count.cuont %}{% endif %}",
        "{% if page.errors.cuont %}{% endif %}",
        "{% if page.find %}{% endif %}",
        "{% if cuont %}{% endif %}",
        "{% for row in page.cuont %}{% endfor %}",
        "{% for row in cuont %}{% endfor %}",
        "{% with count=page.cuont %}{% endwith %}",
        "{% with count=title %}{% endwith %}",
        "{% include 'components/_brand.html' with title=title %}",
        "{% url page.cuont %}",
        "{% url 'sign_in' page.cuont as address %}",
        "{% icon page.cuont %}",
        "{% firstof page.cuont %}",
        "{% blocktranslate with count=page.cuont %}{{ count }}{% endblocktranslate %}",
        "{% blocktranslate %}{{ cuont }}{% endblocktranslate %}",
    ],
)
def test_a_variable_that_does_not_exist_fails_whoever_draws_it(text: str) -> None:
    with pytest.raises(MissingVariableError):
        draw(text)


@pytest.mark.parametrize(
    "text",
    [
        "{% if title or page.part.title %}{% endif %}{{ page.count }}",
        "{% for error in page.errors.text %}{% endfor %}{{ page.count }}",
        "{% firstof page.part.title title page.count %}",
    ],
)
def test_a_tag_may_ask_for_what_somebody_gives(text: str) -> None:
    assert draw(text) == "2"
