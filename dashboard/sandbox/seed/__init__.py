"""What the embedded platform holds when it is new, and a large library for measurements."""
