"""Every documented operation leaves exactly once and exactly as documented, whatever the platform lacks."""

import pytest

from tests.due import run_due
from tests.strict import reading_drives, review_drives, writing_drives
from tests.strict.assumed import Manner
from tests.strict.documented import OPERATIONS
from tests.strict.drives import DRIVES, Desk, Drive

pytestmark = [pytest.mark.django_db, pytest.mark.loopback]
WITH_DRIVES = (reading_drives, review_drives, writing_drives)


@pytest.mark.parametrize("manner", list(Manner), indirect=True, scope="module", ids=str)
@pytest.mark.parametrize("drive", [drive for _operation, drive in DRIVES], ids=lambda drive: drive.__name__)
def test_documented_operation_leaves_once_and_as_documented(desk: Desk, drive: Drive) -> None:
    drive(desk)
    left = [str(call) for call in desk.platform.writes]
    run_due(120)
    assert [str(call) for call in desk.platform.writes] == left, "the worker sends nothing a second time"
    assert desk.platform.wrong == []


def test_every_documented_operation_has_a_drive() -> None:
    assert {operation.name for operation in OPERATIONS} == {operation for operation, _drive in DRIVES}
