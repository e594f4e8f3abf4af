"""What Activity keeps of a write never holds a secret."""

from dashboard.activity.recorder import masked


def test_secrets_never_enter_the_log() -> None:
    kept = masked({"token": "abc", "nested": [{"Authorization": "abc", "stream_key": "abc", "name": "fine"}]})
    assert "abc" not in str(kept)
    assert kept["nested"][0]["name"] == "fine"
