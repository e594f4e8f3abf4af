"""The result of creating a sub-account [2.2]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dashboard.platform_api.values import JSON, rest, text


@dataclass(frozen=True, slots=True)
class SubAccount:
    """`status` is `creating`: it becomes usable when provisioning ends, which no documented read tells."""

    organization_id: str
    name: str
    status: str
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            organization_id=text(source.get("organization_id")),
            name=text(source.get("name")),
            status=text(source.get("status")),
            extra=rest(source, "organization_id name status"),
        )
