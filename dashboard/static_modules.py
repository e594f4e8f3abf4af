"""Modules joined into one script: thirty small files are pleasant to edit, and four rounds of requests to fetch.

Each module becomes a block, which keeps its names to itself; what it exports goes into a list from which later blocks take
what they import. That is what the browser does with the files, as long as no two modules import each other and no export
is assigned anew: both are refused here.
"""

import posixpath
import re
from collections.abc import Callable

LIST = "$$"
IMPORT = re.compile(r'^import (?:(?P<names>\{[^}]*\}|\* as \w+) from )?"(?P<file>\.[^"]+)";\n?', re.MULTILINE)
EXPORT = re.compile(r"^export (?P<kind>const|class|function|async function) (?P<name>\w+)", re.MULTILINE)
EXPORTED = re.compile(r"^export \{(?P<names>[^}]*)\};\n?", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class NotJoinable(ValueError):
    """A module says something that a block cannot: the message names it."""


def joined(first: str, read: Callable[[str], str]) -> str:
    """The module `first` with everything it imports, each once, in the order in which a browser runs them."""
    order: dict[str, str] = {}
    _visit(first, read, order, ())
    numbers = {name: number for number, name in enumerate(order)}
    offered = {name: _offered(text) for name, text in order.items()}
    blocks = [_block(name, text, numbers, offered) for name, text in order.items()]
    return f"const {LIST} = [];\n{''.join(blocks)}"


def imports(name: str, text: str) -> list[tuple[str, str]]:
    """What a module imports: the file, and the names as they are written."""
    folder = posixpath.dirname(name)
    return [
        (posixpath.normpath(posixpath.join(folder, match["file"])), match["names"] or "")
        for match in IMPORT.finditer(text)
    ]


def _visit(name: str, read: Callable[[str], str], order: dict[str, str], above: tuple[str, ...]) -> None:
    if name in order:
        return
    if name in above:
        raise NotJoinable(f"{name} imports itself, by way of {above[-1]}")
    text = read(name)
    for file, _names in imports(name, text):
        _visit(file, read, order, (*above, name))
    order[name] = text


def _offered(text: str) -> list[str]:
    names = [match["name"] for match in EXPORT.finditer(text)]
    return names + [name.strip() for match in EXPORTED.finditer(text) for name in match["names"].split(",")]


def _block(name: str, text: str, numbers: dict[str, int], offered: dict[str, list[str]]) -> str:
    taken = []
    for file, names in imports(name, text):
        if names.startswith("*"):
            taken.append(f"const {names.removeprefix('* as ')} = {LIST}[{numbers[file]}];\n")
        elif names:
            missing = {part.split()[0] for part in names.strip("{} \n,").split(",")} - set(offered[file])
            if missing:
                raise NotJoinable(f"{name} imports {', '.join(sorted(missing))} from {file}, which has no such export")
            taken.append(f"const {names.replace(' as ', ': ')} = {LIST}[{numbers[file]}];\n")
    body = EXPORT.sub(r"\g<kind> \g<name>", EXPORTED.sub("", IMPORT.sub("", text)))
    if left := LEFT.search(body):
        raise NotJoinable(f"{name}: {left[0]}")
    given = f"{LIST}[{numbers[name]}] = {{ {', '.join(offered[name])} }};\n" if offered[name] else ""
    return f"{{\n{''.join(taken)}{body}{given}}}\n"
