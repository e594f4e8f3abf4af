"""What operators see of a running installation: logs, metrics, reports of errors."""
