"""What was typed is found without regard to case and accents, and with a slip of the finger where nothing else matches."""

import pytest

from dashboard.search.registry import matches, nearly_matches


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Traffic", "trafic"), ("Traffic", "trafffic"), ("Traffic", "rtaffic"), ("Analytics", "anlytics"),
        ("Analytics", "anla"), ("Sub-accounts", "sub-acounts"), ("Create review link", "reveiw lnik"),
        ("Légendes de l’été", "legnedes"), ("Playlists", "plaslits"), ("Sign out", "sign out"), ("Overview", "overveiw"),
    ],
)  # fmt: skip
def test_a_slip_is_forgiven(text: str, typed: str) -> None:
    assert nearly_matches(text, typed)


@pytest.mark.parametrize(
    ("text", "typed"),
    [("Traffic", "tax"), ("Traffic", "traxxic"), ("Videos", "folders"), ("A/B tests", "zz"), ("", "abcd")],
)
def test_another_word_is_not(text: str, typed: str) -> None:
    assert not nearly_matches(text, typed)


def test_what_matches_exactly_needs_no_slip() -> None:
    assert matches("Tráfego", "trafego") and nearly_matches("Tráfego", "trafego")
