"""The functions of a module as they exist in this process, and the way to change what they do."""

import ast
import gc
from collections.abc import Iterator
from types import CodeType, FunctionType

Key = tuple[str, int]


class Functions:
    """All functions whose source is in one file, however they are decorated or nested."""

    def __init__(self, file: str) -> None:
        self.file = file
        gc.unfreeze()  # what collection froze is not listed otherwise
        self.functions = [
            thing for thing in gc.get_objects() if type(thing) is FunctionType and thing.__code__.co_filename == file
        ]

    def replace(self, tree: ast.Module) -> bool:
        """Give the functions the code of a changed tree. False: none differs, or one cannot take it."""
        codes = dict(_codes(compile(tree, self.file, "exec", dont_inherit=True)))
        placed = False
        for function in self.functions:
            code = codes.get(_key(function.__code__))
            if code is not None and code != function.__code__:
                try:
                    function.__code__ = code
                except ValueError:  # other names from outside than before
                    return False
                placed = True
        return placed


def _codes(code: CodeType) -> Iterator[tuple[Key, CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield _key(constant), constant
            yield from _codes(constant)


def _key(code: CodeType) -> Key:
    return code.co_qualname, code.co_firstlineno
