"""Getting started: what works with this platform, the address to allow on it, whether its videos play here."""
