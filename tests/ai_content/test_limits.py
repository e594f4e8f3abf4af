"""How much may be given to AI content: at each limit it is taken, one above it is refused with the limit and the next step."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import translation

from dashboard.ai_content import exchange, pages, views
from dashboard.ai_content.exchange import FILE_MOST, UnusableFile
from dashboard.ai_content.rules import mindmap, package
from dashboard.ai_content.rules.package import TEXT_MOST, NotAPackage
from dashboard.platform_api.config import PlatformConfig
from dashboard.platform_api.request import Request
from dashboard.platform_api.values import JSON
from tests.ai_content.conftest import Hands
from tests.answering import count_calls
from tests.pages import one_line

HEAD = "id,question,answer 1,correct 1\n"


def _nested(levels: int) -> str:
    return '{"a":' + "[" * (levels - 1) + "]" * (levels - 1) + "}"


def _outline(topics: int) -> str:
    inner = "<outline text='b'/>" * (topics - 1)
    return f"<opml><body><outline text='a'>{inner}</outline></body></opml>"


LIMITS: dict[str, tuple[Callable[[int], object], int, str, str]] = {
    "rows of a quiz": (
        lambda rows: exchange.merge_csv(HEAD + "1,q,a,1\n" * (rows - 1), []), exchange.ROWS_MOST, "too_many_rows", "5000",
    ),
    "topics of an outline": (lambda topics: exchange.parse_opml(_outline(topics)), mindmap.NODES_MAX, "too_many_nodes", "2000"),
    "levels of JSON": (lambda levels: package.parse_package(_nested(levels)), package.DEPTH_MAX, "too_deep", "100"),
    "characters of an eBook": (
        lambda length: exchange.import_package("a" * length, "md", {}), TEXT_MOST, "text_too_long", "2,000,000",
    ),
    "questions of a file": (
        lambda count: exchange.import_package(package.format_json({"questions": [0] * count}), "json", {}),
        exchange.ROWS_MOST, "too_many_questions", "5000",
    ),
    "characters of a pasted file": (lambda length: views._read_text(None, "a" * length), FILE_MOST, "too_large", "5.00 MB"),
}  # fmt: skip


@pytest.mark.parametrize("what", LIMITS)
def test_what_is_given_is_taken_up_to_its_limit_and_refused_above_with_the_limit(what: str) -> None:
    give, most, code, text = LIMITS[what]
    give(most)
    with pytest.raises((UnusableFile, NotAPackage)) as refused:
        give(most + 1)
    assert isinstance(refused.value, UnusableFile | NotAPackage)
    assert refused.value.code == code
    detail = refused.value.detail if isinstance(refused.value, UnusableFile) else ""
    assert text in pages.format_reason(code, detail)
    for language in ("pt-br", "es"):
        with translation.override(language):
            assert pages.format_reason(code, detail) != _english(code, detail)


def _english(code: str, detail: str) -> str:
    with translation.override("en"):
        return pages.format_reason(code, detail)


def test_a_part_that_is_too_large_already_stops_no_file_that_leaves_it_alone() -> None:
    large: dict[str, JSON] = {"abstract": "a" * (TEXT_MOST + 1), "questions": [0] * (exchange.ROWS_MOST + 1)}
    assert (
        exchange.import_package("<opml><body><outline text='a'/></body></opml>", "opml", large)["abstract"]
        == large["abstract"]
    )
    with pytest.raises(UnusableFile):
        exchange.import_package(package.format_json({**large, "abstract": "b" * (TEXT_MOST + 1)}), "json", large)


@pytest.mark.django_db(databases=["default", "sandbox"])
@pytest.mark.parametrize(("part", "field"), [("text", "abstract"), ("summary", "abstract_summary")])
def test_a_text_that_is_too_long_comes_back_at_its_field_with_the_limit(
    owner: Client, cast: dict[str, dict[str, str]], part: str, field: str
) -> None:
    address = f"/dashboard/ai-content/{cast['videos']['with_ai_content']}/pt-BR/ebook/"
    owner.get(address)
    assert owner.post(address, {"part": part, field: "a" * TEXT_MOST}).status_code == 302
    for headers in ({}, {"HX-Request": "true"}):
        answer = owner.post(address, {"part": part, field: "b" * (TEXT_MOST + 1)}, headers=headers)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "more than 2,000,000 characters" in page and f'aria-describedby="{field}-error"' in page
        assert "b" * (TEXT_MOST + 1) in page
    assert "b" * 9 not in owner.get(address).content.decode()


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_a_save_that_is_too_large_is_refused_before_it_leaves_with_what_makes_it_large(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = count_calls(monkeypatch, "ai_workflow.save_package")
    hands.write(1, "What is new?")
    monkeypatch.setattr(package, "BODY_MOST", 100)
    page = one_line(hands.save().content.decode())
    assert "The file is larger than the" in page and "Shorten its largest parts: questions" in page and not sent
    monkeypatch.undo()
    sent = count_calls(monkeypatch, "ai_workflow.save_package")
    assert hands.save().status_code == 302 and len(sent) == 1, "nothing typed is lost"


def test_the_bytes_of_a_save_are_counted_as_they_leave() -> None:
    request = Request("ai_workflow.save_package", "PUT", ("a",), body={"abstract": "é\ud800", "lang": "en"})
    content = request.content(PlatformConfig("https://a", "https://a", "https://a", "https://a", "https://a"))
    assert content is not None and package.count_bytes(dict(request.body or {})) == len(content)
    rest = package.count_bytes({"abstract": ""})
    assert package.list_large_parts({"abstract": "a" * (package.BODY_MOST - rest)}) == ()
    above: JSON = "a" * (package.BODY_MOST - rest + 1)
    assert package.list_large_parts({"abstract": above}) == (("abstract", package.BODY_MOST - rest + 3),)
