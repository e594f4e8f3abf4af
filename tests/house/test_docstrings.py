"""Docstrings name only what exists: a name in backticks is a name of the code, of its data, or of its templates."""

import builtins
import re
from functools import cache

from tests.house.sources import assert_none, list_modules, list_project_files, read_text, relative_name

DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)
QUOTED = re.compile(r"`+([^`\n]+)`+")
NAME = re.compile(
    r"_?[a-z]\w*(?:\.\w+)+(?:\(\))?|_?[a-z]\w*\(\)|_?[a-z]+_\w+|[A-Z]\w*\.\w[\w.]*|_?[A-Z]+_[A-Z_]+|(?:[A-Z][a-z]+){2,}",
    re.ASCII,
)
"""What looks like a name of ours: dotted, a call, in snake or camel case, or a constant. One plain word may be anything."""
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
ENDINGS = {"html", "md", "js", "css", "toml", "txt", "vtt", "po", "mo", "json", "env", "sqlite3", "com", "io", "br"}
"""Behind a dot, these are other files and hosts."""


def code_of(text: str) -> str:
    """A Python file without its docstrings and comments."""
    return re.sub(r"#.*", "", DOCSTRING.sub("", text))


@cache
def all_code() -> str:
    """The product's Python: what a module of another project, or a variable of that name, has is written somewhere."""
    return "\n".join(code_of(read_text(path)) for path in list_modules().values())


@cache
def known_words() -> frozenset[str]:
    """Every word of the product's Python, templates, scripts and settings, and of the names of files."""
    words = set(dir(builtins))
    for path in list_project_files():
        words |= {path.stem, *path.parts}
        if "tests" in path.parts and path.suffix == ".py":
            words.update(re.findall(r"def (test_\w+)", read_text(path)))
        elif path.suffix in {".html", ".js", ".toml"} and "tests" not in path.parts:
            words.update(WORD.findall(read_text(path)))
    return frozenset(words.union(WORD.findall(all_code())))


@cache
def words_by_module() -> dict[str, set[str]]:
    """The words of modules, and the modules of packages, by last name alone: modules of one name share theirs."""
    words: dict[str, set[str]] = {}
    for dotted, path in list_modules().items():
        package, _, module = dotted.rpartition(".")
        words.setdefault(package.rpartition(".")[2], set()).add(module)
        words.setdefault(module, set()).update(WORD.findall(code_of(read_text(path))))
    return words


def is_there(name: str) -> bool:
    """Whether a quoted name exists: all of its words, and what follows a module of ours in one of that name."""
    *before, last = parts = name.removesuffix("()").split(".")
    if last in ENDINGS:
        return True
    if last == "py":
        return parts[-2] in words_by_module()
    return known_words().issuperset(parts) and all(
        after in words_by_module().get(module, {after}) or f"{module}.{after}" in all_code()
        for module, after in zip(before, parts[1:], strict=True)
    )


def test_docstrings_name_only_what_exists() -> None:
    assert_none(
        f"{relative_name(path)}:{text.count(chr(10), 0, match.start()) + 1}: {quoted}"
        for path in list_modules().values()
        for text in [read_text(path)]
        for match in DOCSTRING.finditer(text)
        for quoted in QUOTED.findall(match[1])
        if NAME.fullmatch(quoted) and not is_there(quoted)
    )
