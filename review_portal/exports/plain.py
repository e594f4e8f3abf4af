"""Text without what files cannot hold."""


def clean(words: str) -> str:
    """Without control characters, lone surrogates and non-characters; line breaks as \\n. Emoji and accents stay whole."""
    lines = words.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char for char in lines if char in "\n\t" or not _unfit(ord(char)))


def one_line(words: str) -> str:
    """The same with every run of white space, line breaks included, as one space."""
    return " ".join(clean(words).split())


def _unfit(code: int) -> bool:
    return code < 0x20 or 0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE
