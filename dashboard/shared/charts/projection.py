"""Where a place of the earth lies on the map: an equidistant projection that is true at 28.5 degrees north and south."""

from typing import Final

NORTH: Final = 84.0
SOUTH: Final = -57.0
ACROSS: Final = 5.6
"""Units per degree of longitude."""

DOWN: Final = ACROSS / 0.8788
"""Units per degree of latitude: stretched by 1/cos(28.5°), so that the middle latitudes keep their shape."""

WIDTH: Final = round(360 * ACROSS)
HEIGHT: Final = round((NORTH - SOUTH) * DOWN)


def x_of(longitude: float) -> float:
    return (longitude + 180) * ACROSS


def y_of(latitude: float) -> float:
    return (NORTH - max(SOUTH, min(NORTH, latitude))) * DOWN
