"""The engine `dashboard.postgresql`; Django looks for it under this name."""

import select

from django.db.backends.postgresql import base
from psycopg import OperationalError


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, whose check of a kept connection asks the server only where there is a reason to."""

    def is_usable(self) -> bool:
        """Whether the connection can be used: one that the server has left alone since its last answer can.

        A server that stops, restarts or ends a session says so on the connection, and then it is asked, as Django always does:
        a question before each request costs a poll a tenth of its CPU.
        """
        if self.connection is None or not self._has_news():
            return self.connection is not None
        return super().is_usable()

    def _has_news(self) -> bool:
        try:
            waiting = select.poll()
            waiting.register(self.connection.fileno(), select.POLLIN | select.POLLPRI)
            return bool(waiting.poll(0))
        except OperationalError:
            return True
