"""The headers of answers as a table: what every one says, and which addresses say something else."""

from django.http import HttpResponseBase

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types default parsing; img-src 'self' data: blob:; "
    "media-src 'self' blob:; frame-src 'self'",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "private, no-store",
    "Vary": "Accept-Language, Cookie",
}
"""What every answer of ours says over http, with the embedded platform: pages, parts, files, redirects and errors."""
UNKNOWN_HOST = {"X-Frame-Options": "", "Vary": "Accept-Language"}
"""What a request for a host that is not ours is told otherwise: nobody has looked who asks."""
NOTHING_NEW = {"Content-Security-Policy": "default-src 'none'"}
"""What a 204 says otherwise: it has no body."""
OTHERWISE: dict[str, dict[str, str]] = {
    "notices:mail_html": {
        "Content-Security-Policy": "default-src 'none'; style-src 'sha256-5+/WvUDJkmupJaai7rydF1XdpxEk69dml3csKY9tAzo='; "
        "sandbox allow-top-navigation-by-user-activation; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
        "X-Frame-Options": "SAMEORIGIN",
    },
    "review_portal:captions": {"Cache-Control": "private, max-age=600"},
    "review_portal:device": {"Referrer-Policy": "same-origin"},
    "sandbox:player": {
        "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
        "X-Frame-Options": "",
    },
    "sandbox:platform": {"Cache-Control": "public, max-age=3600"},
}
"""What an address says otherwise where it shows what it is for; where it does not, it may answer as all do."""
SHOWN = {
    "ai_content:paste", "healthz", "metrics", "readyz", "review_portal:captions", "sandbox:document", "sandbox:platform",
}  # fmt: skip
"""Addresses whose answers are no pages and are shown; a browser saves every other."""
READ_BY_SCRIPTS = {"csrftoken", "language", "theme"}
"""Cookies that scripts of a page may read."""


def list_wrong_headers(name: str, response: HttpResponseBase, expected: dict[str, str] = HEADERS) -> list[str]:
    """What an answer of the address `name` says in its headers that is not in the table."""
    expected = expected | (NOTHING_NEW if response.status_code == 204 else {})
    own = expected | OTHERWISE.get(name, {})
    wrong = []
    for header, value in expected.items():
        said = response.headers.get(header, "")
        if header == "Vary":  # compression adds its own where there is something to compress
            said = ", ".join(sorted({part.strip() for part in said.split(",")} - {"Accept-Encoding"}))
        if said != own[header] and (response.status_code == 200 or said != value):
            wrong.append(f"{header} is {said!r} with {response.status_code}")
    kind, saved = (response.headers.get(header, "") for header in ("Content-Type", "Content-Disposition"))
    is_file = response.status_code == 200 and not kind.startswith("text/html") and name not in SHOWN
    if is_file and not saved.startswith("attachment"):
        wrong.append(f"{kind} is not saved as a file")
    for cookie in response.cookies.values():
        is_kept = cookie["max-age"] != 0
        if is_kept and (cookie["samesite"] != "Lax" or bool(cookie["httponly"]) == (cookie.key in READ_BY_SCRIPTS)):
            wrong.append(f"cookie {cookie.OutputString()}")
    return wrong
