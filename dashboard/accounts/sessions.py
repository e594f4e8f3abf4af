"""SESSION_ENGINE: Django's sessions in the database, each under the sha256 of its key. Who reads a row gets no cookie from it."""

from hashlib import sha256
from typing import Any, cast

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone


def hash_key(session_key: str | None) -> str:
    """Under what the database knows the session of a cookie; "" for no session. Keys are random, so no salt is needed."""
    return sha256(session_key.encode()).hexdigest() if session_key else ""


class SessionStore(db.SessionStore):
    """`session_key` is what the cookie holds. The methods for asynchronous views, which there are none of, are Django's own."""

    def _get_session_from_db(self) -> Session | None:
        alive = Session.objects.filter(expire_date__gt=timezone.now())
        session = alive.filter(session_key=hash_key(self.session_key)).first()
        if session is None:
            self._session_key = None
        return session

    def exists(self, session_key: str) -> bool:
        return super().exists(hash_key(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        row.session_key = hash_key(row.session_key)
        return row

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            super().delete(hash_key(key))
