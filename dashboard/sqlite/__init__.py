"""Django's SQLite, whose threads can share the open connections of their process."""
