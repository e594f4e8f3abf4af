"""Packages for the tests: strategies for any package at all, and one that looks like the real thing."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from dashboard.ai_content.rules.mindmap import CHILDREN, LABELS
from dashboard.ai_content.rules.package import Package
from dashboard.platform_api.values import JSON

few = settings(max_examples=25 if settings().derandomize else 2000, deadline=None)
"""Whole packages are large examples: sixty of them find what a hundred would, in half the time."""

text = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
"""Without NUL, which the client replaces in every answer: databases do not take it."""
scalars: st.SearchStrategy[JSON] = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.floats(allow_nan=False, allow_infinity=False), text
)
values: st.SearchStrategy[JSON] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(text, inner, max_size=4)),
    max_leaves=12,
)


def _with_extra(known: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Package]:
    """An object with some of the known keys, and keys nobody knows."""
    extra = st.dictionaries(text.filter(lambda key: key not in known), values, max_size=2)
    return st.tuples(extra, st.fixed_dictionaries({}, optional=known)).map(lambda both: {**both[0], **both[1]})


options = _with_extra({"text": text, "correct": st.booleans(), "id": text})
questions = _with_extra(
    {"id": st.one_of(text, st.integers(0, 9)), "enunciate": text, "options": st.lists(options, max_size=4)}
)
nodes: st.SearchStrategy[Package] = st.recursive(
    _with_extra({"color": text}).flatmap(lambda extra: text.map(lambda label: {**_plain(extra), "label": label})),
    lambda inner: st.tuples(_with_extra({"id": text}), text, st.lists(inner, max_size=4)).map(
        lambda parts: {**_plain(parts[0]), "label": parts[1], "children": parts[2]}
    ),
    max_leaves=8,
)


def _plain(extra: Package) -> Package:
    """Extra keys that are no label and no children under another name."""
    return {key: value for key, value in extra.items() if key not in (*CHILDREN, *LABELS)}


packages = _with_extra(
    {
        "questions": st.lists(st.one_of(questions, values), max_size=5),
        "questions_config": _with_extra({"num_answers": st.integers(0, 9), "show_results": st.booleans()}),
        "mindmap": st.one_of(nodes, st.dictionaries(text, values, max_size=3)),
        "abstract": text,
        "abstract_html": text,
        "abstract_summary": text,
        "abstract_cover": _with_extra({"kicker": text, "title": text, "subtitle": text, "edition_label": text}),
    }
)


def options_of(*texts: str, correct: int | None = 0) -> list[JSON]:
    """Alternatives with these texts, one of them correct, or none."""
    return [{"text": text, "correct": place == correct} for place, text in enumerate(texts)]


def question(number: int, **more: JSON) -> Package:
    """Question `number`, with three alternatives of which the first is correct."""
    return {
        "id": f"q-{number}",
        "enunciate": f"Question number {number}?",
        "options": [{"text": f"Answer {number}.{letter}", "correct": letter == "a"} for letter in "abc"],
        **more,
    }


def package(count: int = 3) -> Package:
    """A package with every block, unknown keys included."""
    return {
        "schema": 7,
        "questions": [question(number, difficulty="easy") for number in range(1, count + 1)],
        "questions_config": {"num_answers": 3, "shuffle": True, "theme": {"accent": "#0a6"}},
        "mindmap": {
            "label": "Coffee",
            "theme": "warm",
            "children": [
                {
                    "id": "n1",
                    "label": "Cherry",
                    "children": [{"id": "n2", "label": "Harvest"}, {"id": "n3", "label": "Wash"}],
                },
                {"id": "n4", "label": "Cup", "color": "#321"},
            ],
        },
        "abstract": "# From cherry to cup\n\nThe *whole* way.\n\n## Harvest\n\nBy hand.\n",
        "abstract_html": "<h1>From cherry to cup</h1>\n<p>The <em>whole</em> way.</p>\n<h2>Harvest</h2>\n<p>By hand.</p>\n",
        "abstract_summary": "From the tree to the table.",
        "abstract_cover": {
            "kicker": "Coffee school",
            "title": "From cherry to cup",
            "subtitle": "",
            "edition_label": "1",
        },
        "generated": {"model": "x-1", "tokens": [1, 2, 3]},
    }
