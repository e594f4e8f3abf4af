"""Limits of sign-in."""

ATTEMPTS_PER_ADDRESS = 10
ATTEMPTS_PER_NETWORK = 60
CONNECTS_PER_ADDRESS = 40
"""Of people who are signed in already and connect the sub-accounts of their account one after the other."""
ATTEMPT_WINDOW = 300
"""Seconds."""
