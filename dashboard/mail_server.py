"""EMAIL_URL: the mail server in one variable, as Django's settings want it. Raises `ValueError` for what is none."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

PORTS: Final = {"smtp": 25, "submission": 587, "smtps": 465}


@dataclass(frozen=True)
class MailServer:
    """How the mail server is reached. Without `host` there is none."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False

    @property
    def is_encrypted(self) -> bool:
        return self.starttls or self.tls


def parse_email_url(address: str) -> MailServer:
    """`smtps://name:password@host:465` (TLS), `submission://…` (STARTTLS) or `smtp://…` (readable)."""
    if not address:
        return MailServer()
    parts = urlsplit(address)
    has_more = parts.path.strip("/") or parts.query or parts.fragment
    nameless = "@" in parts.netloc and not parts.username
    if parts.scheme not in PORTS or not parts.hostname or nameless or has_more:
        raise ValueError(address)
    return MailServer(
        host=parts.hostname,
        port=parts.port or PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "submission",
        tls=parts.scheme == "smtps",
    )
