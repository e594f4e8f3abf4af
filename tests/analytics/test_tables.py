"""Rows of the tables of places: what the platform names is text, whatever it is."""

import html
import re

from django.template.loader import render_to_string

from dashboard.analytics.tables import PanelTable, Places, TableRow
from dashboard.shared.charts.bubbles import BubbleMap
from dashboard.shared.charts.figures import Change
from dashboard.shared.charts.lines import Measure

CHART = BubbleMap("cities", "Cities", "", Measure("Views", "%(shown)s"), (), compared=False, foot="")


def draw(cities: list[TableRow], groups: list[TableRow]) -> str:
    """The rows of both tables."""
    content = Places(PanelTable((), tuple(cities)), tuple(groups), are_regions=False, hidden=0)
    page = render_to_string("analytics/_cities.html", {"chart": CHART, "content": content, "name": "cities"})
    return "".join(re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL))


def test_names_of_places_are_shown_as_text_whatever_they_are() -> None:
    name, address = "<i>\"Goiânia\" & 'co'</i>", '?region="x"&page=2'
    moved = Change("<b>5%</b>", up=True, down=False)
    rows = draw(
        [TableRow(name, ("<u>1</u>",), moved, address, note=name)],
        [TableRow(name, ("<u>1</u>", "<u>2%</u>"), moved, address, address=address)],
    )
    assert {word for word in ("<i>", "<b>", "<u>", '"Goi', '"x"') if word in rows} == set()
    shown = html.unescape(re.sub(r"<[^>]*>", "|", rows))
    assert shown.count(name) == 5 and shown.count("<b>5%</b>") == 2  # with those that name a link to who only hears it
    assert html.unescape(rows).count(f'href="{address}"') == 3


def test_rows_of_places_have_a_cell_for_the_change_only_where_something_is_compared() -> None:
    same = Change("0%", up=False, down=False)
    assert draw([TableRow("Lima", ("1",), same, note="Peru")], []).count("<td") == 2
    assert draw([TableRow("Lima", ("1",), note="Peru")], []).count("<td") == 1
    lima = TableRow("Lima", ("1",))
    assert draw([lima], [TableRow("Peru", ("1", "100%"), same)]).count("<td") == 1 + 3
    assert draw([lima], [TableRow("Peru", ("1", "100%"))]).count("<td") == 1 + 2
