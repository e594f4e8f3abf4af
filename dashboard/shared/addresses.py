"""Addresses of other features, which may not be there: a link is left out instead of breaking the page."""

from urllib.parse import urlencode
from uuid import UUID

from django.urls import NoReverseMatch, reverse


def address(name: str, *args: object, **query: object) -> str:
    """The address of the view `name` ("videos:video") with its query: lists repeat their key, empty values are left out.

    "" when its feature or its arguments do not exist.
    """
    try:
        path = reverse(name, args=args)
    except NoReverseMatch:
        return ""
    parameters = {key: value for key, value in query.items() if value not in (None, "", (), [])}
    return f"{path}?{urlencode(parameters, doseq=True)}" if parameters else path


def video_address(video_id: str) -> str:
    """The page of one video, or "" for an id that cannot be one."""
    try:
        return address("videos:video", UUID(video_id))
    except ValueError:
        return ""
