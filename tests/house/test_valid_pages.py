"""What the look at every answer finds, and what it lets pass."""

import pytest

from tests.valid_pages import find_faults


@pytest.mark.parametrize(
    "text",
    [
        '<p id="a"></p><p class="b" id="a"></p>',
        '<p id=""></p>',
        '<form action=""></form>',
        '<button formaction=""></button>',
        '<span class="x" aria-label="Stage">On air</span>',
        '<p\n   aria-label="Stage"></p>',
        '<form action="/" method="post"></form><form method="post"><input name="csrfmiddlewaretoken"></form>',
        '<a href="#there"></a><p id="here"></p>',
        '<button hx-get="/" hx-target="#there"></button>',
        '<input aria-describedby="here there"><p id="here"></p>',
    ],
)
def test_what_makes_a_page_invalid_is_found(text: str) -> None:
    assert len(find_faults(f"<body>{text}</body>")) == 1


@pytest.mark.parametrize(
    "text",
    [
        '<p id="a"></p><p id="b" data-id="a"></p>',
        '<p id="a"></p><template><p id="a"></p></template>',
        '<p id="a"></p><script>const id = `<p id="a">`;</script>',
        '<p>id="a"</p><p id="a"></p>',
        '<form action="/"></form><form></form>',
        '<form method="post"><input name="csrfmiddlewaretoken"></form>',
        '<a href="#here"></a><label for="here"></label><p id="here" hx-target="this"></p>',
        '<span role="img" aria-label="Stage"></span><span aria-label="x" role="img"></span>',
        '<section aria-label="Stage"></section><button aria-label="Stage"></button>',
        '<preview aria-label="x"></preview><p>aria-label="x"</p>',
    ],
)
def test_what_is_valid_passes(text: str) -> None:
    assert find_faults(text) == []
