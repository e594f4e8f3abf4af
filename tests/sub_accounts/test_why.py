"""Why the plays of sub-accounts changed: each row leads to its own account's page, all together to parts that add up."""

import re
from datetime import date
from html import unescape

import pytest
from django.test import Client
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from dashboard.shared.change_parts import Part
from dashboard.shared.ranges import Days
from dashboard.sub_accounts import portfolio_pages
from dashboard.sub_accounts.portfolio_pages import split_plays
from dashboard.sub_accounts.rules import Plays, SubAccountState, TokenState, add_up
from tests.pages import one_line
from tests.sub_accounts.family import CAFE, HERE, connect, plant_schools, rows

DAYS = Days(date(2026, 10, 1), date(2026, 10, 28))
COUNTS = st.integers(0, 10**7).map(float)
STATES = st.lists(
    st.builds(
        lambda name, now, past: SubAccountState(name, TokenState.CONNECTED, plays=Plays(now, past, DAYS)),
        st.text(max_size=3), COUNTS, st.none() | COUNTS,
    ),
    max_size=15,
)  # fmt: skip


@given(STATES)
def test_parts_of_all_sub_accounts_add_up_to_the_change_of_their_total(states: list[SubAccountState]) -> None:
    difference, totals = split_plays(states), add_up(states)
    assert (difference.now, difference.past) == (totals.compared.value, totals.before.value)
    assert sum(part.change for part in difference.all_parts) == difference.now - difference.past


needs_pages = pytest.mark.django_db(databases=["default", "sandbox"])


@needs_pages
def test_number_that_moved_leads_into_its_sub_account_and_splits_there(owner: Client) -> None:
    account = connect(owner, CAFE)
    page = one_line(owner.get(HERE).content.decode())
    form = page.split("change__form")[1].split("</form>")[0]
    assert f'action="/accounts/{account.pk}/use/"' in form and CAFE in unescape(form)
    target = unescape(form.split('name="next" value="')[1].split('"')[0])
    answer = owner.post(f"/accounts/{account.pk}/use/", {"next": target}, follow=True)
    split = one_line(answer.content.decode())
    assert "Why did plays change?" in split and 'class="parts"' in split
    last = re.findall(r'parts__value">([^<]+)<', split)[-1]
    owner.post(f"/accounts/{account.parent_id}/use/", {"next": HERE})
    assert rows(owner)[CAFE][0].split()[0] == last


@needs_pages
def test_total_leads_to_parts_of_the_report_that_add_up(owner: Client) -> None:
    plant_schools(12)
    for name in ("School 3", "School 7", CAFE):
        connect(owner, name)
    total = one_line(owner.get(HERE).content.decode()).split("<tfoot>")[1]
    assert f'href="{HERE}report/#why"' in total
    part = one_line(owner.get(f"{HERE}report/").content.decode()).split('id="why"')[1].split("</section>")[0]
    cells = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in part.split("<tr>")[2:]]
    numbers = [[int(re.sub(r"[^\d-]", "", cell.replace("−", "-"))) for cell in row] for row in cells]
    assert len(numbers) == 4 and [sum(column) for column in zip(*numbers[:-1], strict=True)] == numbers[-1]
    assert all(now - past == change for past, now, change in numbers)
    sizes = [abs(row[2]) for row in numbers[:-1]]
    assert sizes == sorted(sizes, reverse=True)


@needs_pages
def test_nothing_is_split_where_nothing_is_compared(owner: Client) -> None:
    page = owner.get(HERE).content.decode() + owner.get(f"{HERE}report/").content.decode()
    assert "change__why" not in page and 'id="why"' not in page


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [
        ("en", "Other sub-accounts (1)", "Other sub-accounts (3)"),
        ("pt-br", "Outra subconta (1)", "Outras subcontas (3)"),
        ("es", "Otra subcuenta (1)", "Otras subcuentas (3)"),
    ],
)
def test_rest_of_the_parts_is_named_as_sub_accounts(language: str, one: str, several: str) -> None:
    with translation.override(language):
        assert portfolio_pages._format_part(Part("", 1, 1, 0)) == one
        assert portfolio_pages._format_part(Part("", 3, 3, 0, labels=3)) == several
