"""Rows of analytics' tables that are drawn where they are built: what the platform names is text, whatever it is."""

import html
import re
from dataclasses import replace

from dashboard.analytics.tables import CityRow, GroupRow, draw_rows
from dashboard.shared.charts.figures import Change


def test_names_of_places_are_shown_as_text_whatever_they_are() -> None:
    name, address = "<i>\"Goiânia\" & 'co'</i>", '?region="x"&page=2'
    moved = Change("<b>5%</b>", up=True, down=False)
    rows = draw_rows(
        [
            CityRow(name, name, "<u>1</u>", moved, address),
            GroupRow(name, address, "<u>1</u>", "<u>2%</u>", moved, address),
        ]
    )
    assert {word for word in ("<i>", "<b>", "<u>", '"Goi', '"x"') if word in rows} == set()
    shown = html.unescape(re.sub(r"<[^>]*>", "|", rows))
    assert shown.count(name) == 5 and shown.count("<b>5%</b>") == 2  # with those that name a link to who only hears it
    assert html.unescape(rows).count(f'href="{address}"') == 3


def test_rows_of_places_have_a_cell_for_the_change_only_where_something_is_compared() -> None:
    compared = CityRow("Lima", "Peru", "1", Change("0%", up=False, down=False))
    assert draw_rows([compared]).count("<td") == 2
    assert draw_rows([replace(compared, change=None)]).count("<td") == 1
    group = GroupRow("Peru", "?country=PE", "1", "100%", compared.change)
    assert draw_rows([group]).count("<td") == 3
    assert draw_rows([replace(group, change=None)]).count("<td") == 2
