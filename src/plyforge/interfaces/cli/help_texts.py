"""Help without the names of Python types, such as `<bool>`, and without braces around arguments."""

from typing import Any, Final

from typer.core import TyperArgument, TyperOption

_PLAIN: Final = ("<bool>", "<str>", "<list[str]>")
"""Types that a reader needs no word for; numbers and files have names such as N and FILE."""


def hide_types() -> None:
    """Leave the types of switches and texts out of `--help`, as older versions of Typer do.

    The usage line names a required argument `GAME`, not `{GAME}`, and others `[NAME ...]`, not
    `[NAME ...]...`.
    """
    for kind in (TyperOption, TyperArgument):
        original = getattr(kind, "display_type", None)
        if original is not None and not hasattr(original, "hides_types"):
            kind.display_type = _without_plain_types(original)  # type: ignore[method-assign]

    usage = getattr(TyperArgument, "_usage_display_name", None)
    if usage is not None and not hasattr(usage, "hides_types"):
        TyperArgument._usage_display_name = _without_braces(usage)  # type: ignore[method-assign]


def _without_braces(original: Any) -> Any:
    def usage_display_name(self: Any) -> str:
        shown = str(original(self))
        if shown.endswith("...]..."):  # the name says already that it can be repeated
            return shown.removesuffix("...")
        if not shown.startswith("{"):
            return shown
        name, dots = shown[1:].rsplit("}", 1)
        return name if name.endswith("...") else name + dots

    usage_display_name.hides_types = True  # type: ignore[attr-defined]
    return usage_display_name


def _without_plain_types(original: Any) -> Any:
    def display_type(self: Any, ctx: Any) -> str:
        shown = str(original(self, ctx))
        return "" if shown in _PLAIN else shown

    display_type.hides_types = True  # type: ignore[attr-defined]
    return display_type
