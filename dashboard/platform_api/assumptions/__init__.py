"""What the specification does not show, and what was assumed instead: one row each.

`tests/platform_api/test_assumptions.py` holds a proof per row, so a row is what the client really does. To learn that
one is wrong is to change the row, its proof and the reader beside it, and nothing else.
"""

from typing import Final

from dashboard.platform_api.assumptions import account, answers, reviews, videos
from dashboard.platform_api.assumptions.assumption import Assumption, Basis

__all__ = ["ALL", "Assumption", "Basis"]

ALL: Final = {
    name: value
    for module in (videos, reviews, account, answers)
    for name, value in vars(module).items()
    if isinstance(value, Assumption)
}
"""Every row by its name, in this order."""
