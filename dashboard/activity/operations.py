"""What each recorded operation is called where people see it. Features declare the names in their `apps.py`."""

from collections.abc import Mapping
from functools import cache

from django.utils.translation import gettext as _

from dashboard.feature import list_features


@cache
def list_names() -> Mapping[str, str]:
    """The name (a msgid) of every operation that a feature sends, by the platform client's method."""
    return {operation: name for feature in list_features() for operation, name in feature.operation_names.items()}


@cache
def list_annotated() -> tuple[str, ...]:
    """The operations that charts mark, because they may change what people watch."""
    return tuple(operation for feature in list_features() for operation in feature.annotated_operations)


def name_of(operation: str) -> str:
    """“A/B test finished”; an operation without a name as it is."""
    names = list_names()
    return _(names[operation]) if operation in names else operation
