"""Quiz as CSV, mind map as OPML, eBook as Markdown: what leaves comes back, and what cannot be read is named."""

import csv
import io

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dashboard.ai_content import exchange
from dashboard.ai_content.exchange import UnusableFile
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.package import Package, get_text, is_same
from dashboard.platform_api.values import JSON
from tests.ai_content import packages as some
from tests.ai_content.packages import package, question


def told(question_: JSON) -> tuple[str, list[tuple[str, bool]]]:
    parsed = quiz.parse_question(question_)
    return parsed.text, [(option.text, option.correct) for option in parsed.options if option.text or option.correct]


writable = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=20)


@some.few
@given(
    st.lists(
        st.tuples(writable.filter(lambda t: bool(t.strip())), st.lists(st.tuples(writable, st.booleans()), max_size=4)),
        min_size=1,
        max_size=5,
    )
)
def test_a_quiz_comes_back_from_csv_as_it_left(listed: list[tuple[str, list[tuple[str, bool]]]]) -> None:
    questions: list[JSON] = [
        {"enunciate": text, "options": [{"text": t, "correct": c} for t, c in options]} for text, options in listed
    ]
    assume(any(options for _, options in listed))
    back = exchange.merge_csv(exchange.format_csv(questions), [])
    assert [told(found) for found in back] == [told(found) for found in questions]


def test_importing_the_quiz_that_was_exported_changes_nothing() -> None:
    questions = quiz.get_questions(package())
    assert is_same(exchange.merge_csv(exchange.format_csv(questions), questions), questions)


def test_an_import_keeps_what_csv_cannot_say() -> None:
    questions: list[JSON] = [question(1, hint={"a": 1}), question(2)]
    text = exchange.format_csv(questions).replace("Question number 1?", "First?")
    back = exchange.merge_csv(text, questions)
    assert is_same(back[0], question(1, hint={"a": 1}, enunciate="First?"))
    assert is_same(back[1], question(2))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "'=x", "''=x"])
def test_a_text_that_a_spreadsheet_would_run_leaves_harmless_and_comes_back(text: str) -> None:
    sent = exchange.format_csv([{"enunciate": text, "options": [{"text": text, "correct": True}]}])
    row = list(csv.reader(io.StringIO(sent)))[1]
    assert row[1].startswith("'")
    assert row[2].startswith("'")
    assert told(exchange.merge_csv(sent, [])[0]) == (text, [(text, True)])


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_commas_semicolons_and_tabs_are_read(delimiter: str) -> None:
    lines = [["Question", "Answer 1", "Correct 1"], ["Why?", "Because", "sim"]]
    text = "\r\n".join(delimiter.join(line) for line in lines)
    assert told(exchange.merge_csv(text, [])[0]) == ("Why?", [("Because", True)])


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "no_rows", 0),
        ("id,question,answer 1,correct 1\n", "no_rows", 0),
        ("a,b\n1,2\n", "no_question_column", 1),
        ("question,b\n1,2\n", "no_answer_columns", 1),
        ("question,answer 1,correct 1\nWhy?,Because,maybe\n", "not_yes_or_no", 2),
        ('question,answer 1\n"Why?,x\n', "not_csv", 0),
    ],
)
def test_a_csv_that_is_none_is_refused_with_reason_and_line(text: str, code: str, line: int) -> None:
    with pytest.raises(UnusableFile) as refused:
        exchange.merge_csv(text, [])
    assert (refused.value.code, refused.value.line) == (code, line)


def test_an_id_that_the_quiz_does_not_have_names_nothing() -> None:
    back = exchange.merge_csv("id,question,answer 1,correct 1\nq-1,A?,x,1\nother,B?,y,1\n", [question(1)])
    assert [questions.get("id") if isinstance(questions, dict) else "" for questions in back] == ["q-1", None]


def test_an_imported_tree_keeps_the_other_keys_of_nodes_it_knows() -> None:
    root = package()["mindmap"]
    shape = maps.find_shape(root)
    assert shape is not None
    text = '<opml><body><outline text="Coffee"><outline text="Cup"/><outline text="Shop"/></outline></body></opml>'
    assert exchange.merge_opml(exchange.parse_opml(text).root, root, shape) == {
        "label": "Coffee",
        "theme": "warm",
        "children": [{"id": "n4", "label": "Cup", "color": "#321"}, {"label": "Shop"}],
    }


def test_several_outlines_at_the_top_go_under_the_title() -> None:
    text = "<opml><head><title>Coffee</title></head><body><outline text='a'/><outline text='b'/></body></opml>"
    node = exchange.parse_opml(text).root
    assert (node.label, [child.label for child in node.children]) == ("Coffee", ["a", "b"])


BOMB = '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><opml><body><outline text="&b;"/></body></opml>'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_xml"),
        ("<opml>", "not_xml"),
        ("<html></html>", "not_opml"),
        ("<opml><body/></opml>", "no_outline"),
        (BOMB, "document_type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><opml/>', "document_type"),
        ("<opml>" + "<outline text='x'>" * 60 + "</outline>" * 60 + "</opml>", "too_deep"),
        ("<opml>" + "<outline text='x'/>" * (maps.NODES_MAX + 1) + "</opml>", "too_many_nodes"),
    ],
)
def test_an_opml_that_is_none_or_attacks_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(UnusableFile) as refused:
        exchange.parse_opml(text)
    assert refused.value.code == code


@some.few
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "abstract": some.text,
            "abstract_summary": some.text,
            "abstract_cover": st.fixed_dictionaries({"title": some.text, "kicker": some.text}),
        },
    )
)
def test_an_ebook_comes_back_from_its_markdown(values: Package) -> None:
    assume(not get_text(values.get("abstract")).startswith("\ufeff"))
    assert is_same(exchange.merge_markdown(exchange.format_markdown(values), values), values)
    fresh = exchange.merge_markdown(exchange.format_markdown(values), {})
    assert get_text(fresh.get("abstract")) == get_text(values.get("abstract"))
    assert fresh.get("abstract_summary") == values.get("abstract_summary")


def test_a_new_text_leaves_without_the_old_html() -> None:
    merged = exchange.merge_markdown("# New\n", package())
    assert merged["abstract"] == "# New\n"
    assert "abstract_html" not in merged
    assert merged["abstract_cover"] == package()["abstract_cover"]


@pytest.mark.parametrize("front", ["colour: red", "title", 'title: "open', "title: a\ntitle: b"])
def test_front_matter_that_cannot_be_read_is_named_with_its_line(front: str) -> None:
    with pytest.raises(UnusableFile) as refused:
        exchange.merge_markdown(f"---\n{front}\n---\ntext", {})
    assert (refused.value.code, refused.value.line) == ("front_matter", 2 + front.count("\n"))


def test_columns_of_answers_are_found_wherever_they_stand_and_short_rows_end_early() -> None:
    wide = 20_000
    head = ",".join(f"answer {number},correct {number}" for number in range(wide))
    rows = [f"id,question,{head}", "1,Short?,Yes,1,No,0", "2,Long?," + ",".join(f"A{n},0" for n in range(wide))]
    short, long = exchange.merge_csv("\n".join(rows), [])
    assert isinstance(short, dict) and short["options"] == [
        {"text": "Yes", "correct": True}, {"text": "No", "correct": False}
    ]  # fmt: skip
    assert isinstance(long, dict) and isinstance(long["options"], list) and len(long["options"]) == wide
    turned = exchange.merge_csv("correct 1,answer 1,question,answer 2\n1,Yes,Turned?,Perhaps\n", [])
    assert turned == [
        {"enunciate": "Turned?", "options": [{"text": "Yes", "correct": True}, {"text": "Perhaps", "correct": False}]}
    ]


@pytest.mark.parametrize(
    ("heads", "named"),
    [
        ("question,answer 1,correct 1,answer 1,correct 1", "answer 1"),
        ("question,answer 1,correct 1,CORRECT  01", "correct 1 / CORRECT  01"),
        ("question,Pergunta,answer 1,correct 1", "question / Pergunta"),
        ("pregunta,respuesta 1,correcta 1,alternativa 1", "respuesta 1 / alternativa 1"),
        ("id,ID ,question,answer 1", "id / ID"),
    ],
)
def test_a_column_that_is_there_twice_is_refused_by_name(heads: str, named: str) -> None:
    with pytest.raises(UnusableFile) as refused:
        exchange.merge_csv(f"{heads}\nWhy?,Because,1,Never,0,0\n", [])
    assert (refused.value.code, refused.value.line, refused.value.detail) == ("column_twice", 1, named)


def test_headings_in_each_of_our_languages_are_read_and_others_may_be_there_twice() -> None:
    for heads in ("Pergunta,Resposta 1,Correta 1,nota,nota", "pregunta,respuesta 1,correcta 1,,"):
        assert told(exchange.merge_csv(f"{heads}\nWhy?,Because,sim,a,b\n", [])[0]) == ("Why?", [("Because", True)])


NOTED = """<opml><body><outline text="Coffee" _note="A &lt;plant&gt;&#10;and a drink" created="2026">
<outline text="Cup" title="Mug" label="x" children="y" time="soon" mm:icon="1" complete="true"/></outline></body></opml>"""


def test_notes_and_attributes_of_other_programs_become_keys_or_are_listed() -> None:
    outline = exchange.parse_opml(NOTED)
    tree: JSON = {
        "theme": "Coffee",
        "_note": "A <plant>\nand a drink",
        "created": "2026",
        "children": [
            {"text": "Cup", "_title": "Mug", "_label": "x", "_children": "y", "complete": "true", "children": []}
        ],
    }
    assert exchange.merge_opml(outline.root, None, None) == tree
    assert outline.left_out == (("Cup", "time"), ("Cup", "mm:icon"))
    shape = maps.find_shape(tree)
    assert shape is not None
    sent = exchange.format_opml(tree, shape)
    assert ' _note="A &lt;plant&gt;&#10;and a drink"' in sent
    assert is_same(exchange.merge_opml(exchange.parse_opml(sent).root, tree, shape), tree)
    bare = sent.replace(' _note="A &lt;plant&gt;&#10;and a drink"', "")
    assert "_note" not in str(exchange.merge_opml(exchange.parse_opml(bare).root, tree, shape)), (
        "taken out in another program"
    )


def test_a_time_of_ours_that_was_spoilt_elsewhere_is_listed() -> None:
    text = f'\n<?xml version="1.0"?><opml xmlns:reelroom="{exchange.NAMESPACE}"><body><outline text="A" {exchange.TIME}="2:99"/>'
    outline = exchange.parse_opml(f"{text}</body></opml>")
    assert outline.left_out == (("A", exchange.TIME),)
    assert exchange.parse_opml(text.replace("2:99", "2:09") + "</body></opml>").root.keys == {"time": "2:09"}


def test_headings_of_a_quiz_are_read_without_accents_and_in_wide_letters() -> None:
    text = "QUESTAO;Opcao\u00a01;Certa 1;opc\u0327a\u0303o 2;Certa ２\r\nQ;a;x;b;\r\n"
    assert [told(each) for each in exchange.merge_csv(text, [])] == [("Q", [("a", True), ("b", False)])]
    with pytest.raises(UnusableFile) as refused:
        exchange.merge_csv("pergunta;resposta 1;respuesta 01\r\nQ;a;b\r\n", [])
    assert (refused.value.code, refused.value.detail) == ("column_twice", "resposta 1 / respuesta 01")
    with pytest.raises(UnusableFile) as refused:
        exchange.merge_csv("Questão;questao;resposta 1\r\nQ;a;b\r\n", [])
    assert refused.value.code == "column_twice"


def test_unicode_text_of_excel_is_a_file() -> None:
    assert exchange.decode_file("\ufeffquestão\tA".encode("utf-16-le")) == "questão\tA"
