"""The look at accessibility that every journey takes finds what it is there to find."""

from playwright.sync_api import Page

from tests.journeys.conftest import FindingsOf, OpenBrowser

SEVENTH = "document.querySelector('tbody tr:nth-child(7) td.number').style.{} = '{}'"


def schemes_with_pale_text(page: Page, axe: FindingsOf) -> set[str]:
    """In which schemes a text is too pale for its ground."""
    return {one.split()[0] for one in axe(page) if "color-contrast" in one}


def test_one_pale_text_among_forty_rows_is_found_in_the_scheme_that_has_it(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    page.goto("/dashboard/videos/")
    assert schemes_with_pale_text(page, axe) == set()
    for colour, schemes in {"#ccc": {"light"}, "#444": {"dark"}}.items():
        page.evaluate(SEVENTH.format("color", colour))
        assert schemes_with_pale_text(page, axe) == schemes, colour


def test_one_ground_among_forty_rows_on_which_its_text_is_pale_is_found(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    page.goto("/dashboard/videos/")
    page.evaluate(SEVENTH.format("background", "#777"))
    assert schemes_with_pale_text(page, axe) == {"light", "dark"}


def test_what_is_not_about_colours_is_found_once(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    page.goto("/dashboard/videos/")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [one.split()[:2] for one in axe(page)] == [["light", "button-name:"]]
