"""A small world of our own for the embedded platform's tests, one way to call it, and what refusals look like."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx

from dashboard.sandbox.models import (
    Organization,
    ReviewComment,
    ReviewLink,
    Subtitle,
    Token,
    User,
    Video,
)
from dashboard.sandbox.transport import SandboxTransport

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
BOTH = ["get-subaccount", "put-subaccount"]
REVIEWER = "5e55aaaa-0000-4000-8000-000000000001"
STRANGER = "5e55aaaa-0000-4000-8000-000000000002"
NOBODY = "00000000-0000-4000-8000-00000000dead"


@dataclass
class World:
    """Accounts by role, each with a token of that name, and a video of the owner."""

    users: dict[str, User] = field(default_factory=dict)
    video: Video = field(default_factory=Video)
    other_video: Video = field(default_factory=Video)

    def fill(self) -> "World":
        """Make everybody who can call."""
        everybody = [
            self._planned("owner", BOTH),
            self._planned("other", BOTH),
            self._planned("sub", BOTH, parent=self.owner),
            self._planned("trial", BOTH, plan="trial"),
            self._planned("past_due", BOTH, plan="past_due"),
            self._planned("canceled", BOTH, plan="canceled"),
            self._planned("unreadable", BOTH, plan=""),
            self._planned("inactive", BOTH, active=False),
            self._planned("no_permission", BOTH[:1]),
        ]
        Organization.objects.bulk_create(user.organization for user in everybody if user.organization)
        User.objects.bulk_create(everybody)
        Token.objects.bulk_create(Token(value=user.name, user=user) for user in everybody)
        self.user("orphan", None, BOTH)
        self.video = self.new_video()
        self.other_video = self.new_video("other")
        return self

    @property
    def owner(self) -> Organization:
        organization = self.users["owner"].organization
        assert organization is not None
        return organization

    def account(self, role: str, permissions: list[str], **values: Any) -> User:
        """Make an organization with a user whose token is the role's name."""
        user = self._planned(role, permissions, **values)
        assert user.organization is not None
        user.organization.save()
        user.save()
        Token.objects.create(value=role, user=user)
        return user

    def _planned(self, role: str, permissions: list[str], **values: Any) -> User:
        """A user in an organization, neither of them saved yet."""
        organization = Organization(
            name=role.title(),
            pullzone=f"vz-{uuid4().hex[:8]}-{uuid4().hex[:3]}",
            ready_at=NOW,
            created_at=NOW - timedelta(days=1),
            **values,
        )
        email = f"{role}@example.org"
        self.users[role] = User(organization=organization, name=role, email=email, permissions=permissions)
        return self.users[role]

    def user(self, role: str, organization: Organization | None, permissions: list[str]) -> User:
        """Make a user whose token is the role's name."""
        self.users[role] = User.objects.create(
            organization=organization, name=role, email=f"{role}@example.org", permissions=permissions
        )
        Token.objects.create(value=role, user=self.users[role])
        return self.users[role]

    def new_video(self, role: str = "owner", **values: Any) -> Video:
        """Make a video of 90 seconds."""
        user = self.users[role]
        assert user.organization is not None
        defaults = {"title": "Interview", "length": 90.0, "created_at": NOW, "updated_at": NOW}
        return Video.objects.create(organization=user.organization, user=user, **{**defaults, **values})

    def subtitle(self, lang: str, video: Video | None = None) -> Subtitle:
        """Give a video a subtitle."""
        vtt = "WEBVTT\n\n00:00.000 --> 00:04.000\nOlá\n"
        return Subtitle.objects.create(video=video or self.video, lang=lang, label=lang, vtt=vtt)

    def link(self, video: Video | None = None, **values: Any) -> ReviewLink:
        """Make a review link that works for a day."""
        defaults = {"name": "Cut 1", "expires_at": NOW + timedelta(days=1)}
        return ReviewLink.objects.create(video=video or self.video, **{**defaults, **values})

    def comment(self, video: Video | None = None, **values: Any) -> ReviewComment:
        """Make a comment of the reviewer at second 10."""
        defaults = {"token": UUID(REVIEWER), "user_name": "Ana", "text": "Louder, please", "time": 10}
        return ReviewComment.objects.create(video=video or self.video, **{**defaults, **values})


class Api:
    """Calls the embedded platform in-process. `last` is the last response."""

    def __init__(self) -> None:
        self.http = httpx.Client(transport=SandboxTransport(), base_url="http://platform.internal/sandbox")

    def __call__(self, method: str, path: str, body: Any = None, token: str | None = "owner", **more: Any) -> Any:
        """Send; return (status, JSON). `token` None sends no Authorization."""
        response = self.send(method, path, body, token, **more)
        return response.status_code, response.json()

    def send(
        self, method: str, path: str, body: Any = None, token: str | None = "owner", **more: Any
    ) -> httpx.Response:
        """Send; return the response."""
        headers = {"authorization": token} if token else {}
        headers |= more.pop("headers", {})
        if body is not None:
            more["content" if isinstance(body, bytes) else "json"] = body
        return self.http.request(method, path, headers=headers, **more)


def refused(message: str, code: str = "BadRequest", status: int = 400) -> tuple[int, dict[str, str]]:
    """What a refusal looks like."""
    return status, {"errCode": code, "errMsg": message}


UNAUTHORIZED = (401, {"message": "Unauthorized"})
