"""What each operation does: plain functions from a request to an answer, one module per group."""
