"""Readers of environment variables. A wrong value does not raise here: it is kept and named by a system check."""

import os
from dataclasses import dataclass, field

TRUE = frozenset({"on", "true", "yes", "1"})
FALSE = frozenset({"off", "false", "no", "0", ""})


@dataclass
class Environment:
    """Reads variables and remembers those that could not be understood, for `checks.py` to report at start."""

    problems: dict[str, str] = field(default_factory=dict)

    def text(self, name: str, default: str = "") -> str:
        """The variable without surrounding spaces, or `default`. One of several lines is a problem."""
        value = os.environ.get(name, default).strip()
        if len(value.splitlines()) > 1:
            self.problems[name] = "Write it on one line."
        return value

    def flag(self, name: str, default: bool) -> bool:
        """on/off, true/false, yes/no, 1/0; anything else is a problem and counts as `default`."""
        if name not in os.environ:
            return default
        value = self.text(name).lower()
        if value in TRUE or value in FALSE:
            return value in TRUE
        self.problems[name] = "Write on or off."
        return default

    def number(self, name: str, default: float, *, least: float, most: float) -> float:
        """A number within [least, most]; anything else is a problem and counts as `default`."""
        if name not in os.environ:
            return default
        try:
            value = float(self.text(name))
        except ValueError:
            value = float("nan")
        if least <= value <= most:
            return value
        self.problems[name] = f"Write a number from {least:g} to {most:g}."
        return default

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        """One of `choices`; anything else is a problem and counts as `default`."""
        value = self.text(name, default).lower()
        if value in choices:
            return value
        self.problems[name] = f"Write one of {', '.join(choices)}."
        return default

    def pairs(self, name: str) -> dict[str, str]:
        """`name=value` pairs, separated by commas or line breaks; anything else is a problem and left out."""
        pairs = {}
        for pair in os.environ.get(name, "").replace("\n", ",").split(","):
            key, mark, value = (part.strip() for part in pair.partition("="))
            if key and mark and value:
                pairs[key] = value
            elif pair.strip():
                self.problems[name] = f"Write name=value pairs, separated by commas, not {pair.strip()}."
        return pairs

    def words(self, name: str) -> list[str]:
        """A comma-separated list, empty entries dropped."""
        return [word.strip() for word in self.text(name).split(",") if word.strip()]
