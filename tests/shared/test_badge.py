"""The badge of a state, as templates write it."""

from django.template import Context, Template

from dashboard.shared import marks


def test_a_badge_has_the_shape_it_is_given_and_that_of_its_kind_without_one() -> None:
    text = Template('{% badge word "planned" "flagged" %}{% badge word "error" plain=True %}').render(
        Context({"word": "<b>"})
    )
    given, own = text.split("</span>")[:2]
    assert str(marks.draw_icon("flagged", "shape")) in given and 'class="badge is-planned"' in given
    assert str(marks.draw_icon("error", "shape")) in own and 'class="badge badge--plain is-error"' in own
    assert given.endswith("&lt;b&gt;")
