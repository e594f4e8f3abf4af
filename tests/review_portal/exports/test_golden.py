"""The files byte for byte, at three rates. `GOLDEN=write pytest …` writes them anew: then read the difference."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from review_portal.exports.files import EXTENSIONS, write
from review_portal.exports.notes import Note, Options
from review_portal.exports.timecode import RATES

FOLDER = Path(__file__).parent / "golden"
CASES = [(key, extension) for key in ("25", "23.976", "29.97df") for extension in EXTENSIONS]


@pytest.mark.parametrize(("key", "extension"), CASES)
def test_the_file_is_what_it_was(key: str, extension: str, notes: list[Note], options: Options) -> None:
    content = write(extension, notes, replace(options, rate=RATES[key])).content
    golden = FOLDER / f"{key}.{extension}"
    if os.environ.get("GOLDEN") == "write":
        golden.write_bytes(content)
    assert content == golden.read_bytes()
