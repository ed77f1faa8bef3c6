"""Output in any encoding: a letter that it lacks is replaced by a similar one, never an error."""

import codecs
import sys
import unicodedata
from typing import Final, TextIO

_HANDLER: Final = "plyforge.similar"
_SIMILAR: Final = {
    "±": "+/-", "∞": "inf", "×": "x", "÷": "/", "−": "-", "→": "->", "←": "<-", "·": ".",
    "≥": ">=", "≤": "<=", "≠": "!=", "≈": "~", "…": "...", "‰": "per mille", "∆": "d",
    "–": "-", "—": "-", "―": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "•": "*", "°": " deg",
    "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "Æ": "AE", "đ": "d", "Đ": "D",
    "─": "-", "━": "-", "│": "|", "┃": "|", "█": "#", "α": "alpha", "β": "beta", "λ": "lambda",
    "π": "pi", "σ": "sigma", "√": "sqrt", "²": "^2", "³": "^3", "µ": "u", "ε": "epsilon",
}  # fmt: skip


def accept_any_letter() -> None:
    """Let standard output and standard error write every text, whatever their encoding."""
    codecs.register_error(_HANDLER, _replace)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and getattr(stream, "errors", "") in ("strict", None):
            stream.reconfigure(errors=_HANDLER)


def is_unicode(stream: TextIO | None) -> bool:
    """Return whether a stream can write every letter."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "").replace("_", "").startswith("utf")


def similar(text: str) -> str:
    """Return a text in ASCII letters that look or read alike.

    >>> similar("Mańdziuk: 42 ± 5, ∞")
    'Mandziuk: 42 +/- 5, inf'
    """
    return "".join(map(_similar_letter, text))


def _similar_letter(letter: str) -> str:
    if letter.isascii():
        return letter
    if letter in _SIMILAR:
        return _SIMILAR[letter]
    plain = "".join(c for c in unicodedata.normalize("NFKD", letter) if c.isascii())
    return plain or "?"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return similar(error.object[error.start : error.end]), error.end
