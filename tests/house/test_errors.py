"""The end of a session reaches the middleware, which leads to sign-in: no view has to hand it on."""

import ast

from tests.house.sources import assert_none, list_modules, read_text, relative_name


def is_only_handed_on(handler: ast.ExceptHandler) -> bool:
    """Whether the handler catches `BadToken` and raises it again without doing anything."""
    match handler.body:
        case [ast.Raise(exc=None)]:
            return handler.type is not None and ast.unparse(handler.type).endswith("BadToken")
    return False


def test_no_bad_token_is_caught_to_be_raised_again() -> None:
    assert_none(
        f"{relative_name(path)}:{node.lineno}: `except PlatformError` leaves BadToken alone; delete this handler"
        for path in list_modules().values()
        for node in ast.walk(ast.parse(read_text(path)))
        if isinstance(node, ast.ExceptHandler) and is_only_handed_on(node)
    )
