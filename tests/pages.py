"""Pages and files as tests read them: how an answer reads, the words that people see of it, the rows of a file."""

import csv
import io
import re
from html import unescape
from typing import Any

from django.test import Client

BETWEEN_TAGS = re.compile(r"(?<=>)\s*\n\s*|\s*\n\s*(?=[<>])")
BREAK = re.compile(r"\s*\n\s*")
TAG = re.compile(r"<[^>]+>")


def one_line(html: str) -> str:
    """The page without line breaks: none beside a tag, a space for one inside a text or a tag."""
    return BREAK.sub(" ", BETWEEN_TAGS.sub("", html))


def page_of(answer: Any) -> str:
    """An answer as a test quotes it: on one line, and its entities resolved."""
    return unescape(one_line(answer.content.decode()))


def read_page(client: Client, address: str, status: int = 200, **headers: str) -> str:
    """The page at an address, which has that status, as a test quotes it."""
    answer = client.get(address, headers=headers)
    assert answer.status_code == status, f"{address}: {answer.status_code}\n{answer.content.decode()[:2000]}"
    return page_of(answer)


def words_of(html: str) -> str:
    """What people read of a page or of a piece of one: no tags, and one space between words."""
    return unescape(" ".join(TAG.sub(" ", html).split()))


def rows_of_file(content: bytes) -> list[list[str]]:
    """The lines of a CSV file by their cells."""
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def read_file(client: Client, address: str) -> list[dict[str, str]]:
    """The lines of the CSV file at an address, by the names of its columns."""
    answer = client.get(address)
    assert answer.status_code == 200, f"{address}: {answer.status_code}\n{answer.content.decode()[:2000]}"
    first, *rest = rows_of_file(answer.content)
    return [dict(zip(first, row, strict=True)) for row in rest]
