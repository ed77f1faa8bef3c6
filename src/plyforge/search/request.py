"""A search as data: what to search, and what was found.

A `SearchRequest` is one search of one position within a window.  The engine, its helper threads and
processes on other machines use the same type.  Within a process nothing is packed; `pack` makes
bytes for another one, which needs the game and the options once, as a setup (`engine.setup`), and
finds it by the digest in each request.
"""

import math
from collections.abc import Iterable
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from plyforge.core.errors import PlyforgeError
from plyforge.core.positions import position_type
from plyforge.game.game import Game, History
from plyforge.search.counts import CORE_COUNTS, Counts
from plyforge.search.kernels.context import ONE_PLY
from plyforge.search.packing import Format, PackedDataError
from plyforge.search.parameters import MAX_PLIES
from plyforge.search.values import round_window

MAX_DEPTH: Final = MAX_PLIES * ONE_PLY
DIGEST_BYTES: Final = 16
"""The length of a setup's digest."""


class SearchRoot(Struct, frozen=True, eq=False):
    """A position to search, and what the search needs to know about the moves before it."""

    position: Any
    side: int
    """The side to move, 0 or 1."""
    path: tuple[int, ...] = ()
    """The keys of the earlier positions that can come back, the oldest first."""
    reversible_plies: int = 0
    """Plies since the last irreversible move; more than `path` has if the game counted some before
    its first position."""
    slot: int = -1
    """The slot of the last move, or -1."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SearchRoot):
            return NotImplemented
        rest = (self.side, self.path, self.reversible_plies, self.slot)
        if rest != (other.side, other.path, other.reversible_plies, other.slot):
            return False
        mine, theirs = position_type(self.position), position_type(other.position)
        if not mine.compilable or mine.fields != theirs.fields:
            return bool(self.position == other.position)
        return mine.to_bytes(self.position) == theirs.to_bytes(other.position)

    def __hash__(self) -> int:
        return hash((self.side, self.path, self.reversible_plies, self.slot))


class SearchRequest(Struct, frozen=True):
    """One search."""

    root: SearchRoot
    low: float
    """The window; its ends are float32."""
    high: float
    depth: int
    """The depth in sixteenths of a ply, as in the kernel."""
    moves: tuple[int, ...] = ()
    """The root moves to search; empty for all."""

    @classmethod
    def of(
        cls, root: SearchRoot, low: float, high: float, plies: int, moves: Iterable[int] = ()
    ) -> "SearchRequest":
        """Return the request for a search that is `plies` deep; the window is checked."""
        low, high = validate_window(low, high)
        return cls(root, low, high, plies * ONE_PLY, tuple(moves))

    def pack(self, game: Game, setup: bytes) -> bytes:
        """Return the request as bytes; `setup` is the digest of what they depend on."""
        root = self.root
        return _REQUEST.pack(
            _PackedRequest(
                setup,
                pack_position(game, root.position),
                root.side,
                root.path,
                root.reversible_plies,
                root.slot,
                self.low,
                self.high,
                self.depth,
                self.moves,
            )
        )

    @classmethod
    def unpack(cls, data: bytes, game: Game, setup: bytes) -> "SearchRequest":
        """Return the request in these bytes, which must be of this game and this setup."""
        packed = _REQUEST.unpack(data)
        if packed.setup != setup:
            raise PackedDataError(
                f"the search request is for the setup {packed.setup.hex()}, not {setup.hex()}"
            )
        packed.check_limits(game)
        try:
            low, high = validate_window(packed.low, packed.high)
            position = unpack_position(game, packed.position)
        except PlyforgeError as error:
            raise PackedDataError(f"the search request is not valid: {error}") from None
        root = SearchRoot(position, packed.side, packed.path, packed.reversible_plies, packed.slot)
        return cls(root, low, high, packed.depth, packed.moves)


def requested_setup(data: bytes) -> bytes:
    """Return the digest of the setup that a packed request needs."""
    return _REQUEST.unpack(data).setup


class WindowResult(Struct, frozen=True):
    """The result of one search; values are for the side to move at the root."""

    value: float
    alpha: float
    beta: float
    move: int | None
    """The best move; None only if the search was stopped before it completed one."""
    line: tuple[int, ...]
    """The principal variation as far as it is known; empty if the value is a bound."""
    proven: bool
    """Whether the value, or the bound, depends on no leaf at the horizon."""
    stopped: bool

    @property
    def bound(self) -> str:
        """The kind of `value`: `exact`, or a `lower` or `upper` bound."""
        if self.value <= self.alpha:
            return "upper"
        return "lower" if self.value >= self.beta else "exact"


class SearchReply(Struct, frozen=True):
    """The answer to a request: the result, and the counts of this search alone."""

    result: WindowResult
    counts: Counts

    def pack(self) -> bytes:
        """Return the reply as bytes."""
        one, counts = self.result, self.counts
        core = tuple(getattr(counts, name) for name in CORE_COUNTS)
        packed = _PackedReply(
            *(one.value, one.alpha, one.beta, one.move, one.line, one.proven, one.stopped),
            core,
            dict(counts.steps),
        )
        return _REPLY.pack(packed)

    @classmethod
    def unpack(cls, data: bytes) -> "SearchReply":
        """Return the reply in these bytes."""
        packed = _REPLY.unpack(data)
        if math.isnan(packed.value) or not packed.alpha < packed.beta:
            raise PackedDataError(
                f"the search reply is not valid: the value is {packed.value:g}, and the window"
                f" ({packed.alpha:g}, {packed.beta:g})"
            )
        result = WindowResult(
            packed.value,
            packed.alpha,
            packed.beta,
            packed.move,
            packed.line,
            packed.proven,
            packed.stopped,
        )
        core = dict(zip(CORE_COUNTS, packed.counts, strict=True))
        return cls(result, Counts(**core, steps=packed.step_counts))


def root_of(history: History, game: Game) -> SearchRoot:
    """Return what a search of `game` needs of a history; raise an error if its game is over."""
    validate_root(history)
    ours = game.position_type
    # Each history casts its positions once.
    cast = history.game.position_type is ours
    keys, plies = history.keys, history.plies_without_progress
    before = len(keys) - 1
    return SearchRoot(
        history.position if cast else ours.cast(history.position),
        history.turn,
        tuple(keys[max(before - plies, 0) : before]) if plies > 0 else (),
        plies,
        game.slot(history.positions[-2], history.moves[-1]) if history.moves else -1,
    )


def validate_root(root: History, moves: Iterable[int] = ()) -> None:
    """Raise an error if there is nothing to search, or if one of the root moves is not legal."""
    verdict = root.verdict()
    if verdict.over:
        raise PlyforgeError(
            f"the game is over in this position ({verdict.reason}): there is nothing to search"
        )
    if root.game.is_chance(root.position):
        example = root.game.move_text(root.position, root.legal_moves()[0])
        raise PlyforgeError(
            "chance moves in this position, so there is no best move; choose an outcome first,"
            f" such as '{example}'"
        )
    legal = root.legal_moves() if moves else []
    for move in moves:
        if move not in legal:
            raise PlyforgeError(f"move {move} is not legal in the position that is searched")


def validate_window(low: float, high: float) -> tuple[float, float]:
    """Return a window with float32 ends, or raise an error if it is none.

    All values are float32, so the same values lie inside.
    """
    try:
        low, high = float(low), float(high)
    except (TypeError, ValueError, OverflowError):
        low = math.nan
    if math.isnan(low) or math.isnan(high):
        raise PlyforgeError("the ends of the window must be numbers")
    if not low < high:
        raise PlyforgeError(f"the window ({low:g}, {high:g}) is empty; low must be below high")
    return round_window(low, high)


# Packing

_Count = Annotated[int, Meta(ge=0)]
_Key = Annotated[int, Meta(ge=0)]
_Move = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class _PackedRequest(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    setup: Annotated[bytes, Meta(min_length=DIGEST_BYTES, max_length=DIGEST_BYTES)]
    position: bytes
    """The fields, or the game's text in UTF-8 for a position that is a Python object."""
    side: Annotated[int, Meta(ge=0, le=1)]
    path: tuple[_Key, ...]
    reversible_plies: Annotated[int, Meta(ge=0, le=1 << 32)]
    slot: Annotated[int, Meta(ge=-1)]
    low: float
    high: float
    depth: Annotated[int, Meta(ge=1, le=MAX_DEPTH)]
    moves: tuple[_Move, ...]

    def check_limits(self, game: Game) -> None:
        """Refuse what would exceed the memory that a search of this game has."""
        constant = game.rules.constant
        for what, value, limit in (
            ("the slot of the last move", self.slot, int(constant("MOVE_SLOTS")) - 1),
            ("the number of root moves", len(self.moves), int(constant("MAX_MOVES"))),
            ("the number of keys in the path", len(self.path), self.reversible_plies),
        ):
            if value > limit:
                raise PackedDataError(
                    f"the search request is not valid: {what} is {value}, and at most {limit}"
                )


class _PackedReply(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    value: float
    alpha: float
    beta: float
    move: _Move | None
    line: tuple[_Move, ...]
    proven: bool
    stopped: bool
    counts: Annotated[
        tuple[_Count, ...], Meta(min_length=len(CORE_COUNTS), max_length=len(CORE_COUNTS))
    ]
    """In the order of `CORE_COUNTS`."""
    step_counts: dict[str, _Count]


_REQUEST: Final = Format(b"Q", _PackedRequest)
_REPLY: Final = Format(b"R", _PackedReply)


def pack_position(game: Game, position: Any) -> bytes:
    if game.position_type.compilable:
        return game.position_type.to_bytes(position)
    text = game.text(position)
    try:
        data, exact = text.encode(), game.parse(text) == position
    except (PlyforgeError, UnicodeEncodeError) as error:
        raise PackedDataError(f"a position of {game.name} cannot be packed: {error}") from error
    if not exact:
        raise PackedDataError(
            f"a position of {game.name} cannot be packed: from_text does not return the position"
            " that to_text wrote; make them exact, or the position a NamedTuple of int, u64, bool,"
            " float and NDArray"
        )
    return data


def unpack_position(game: Game, data: bytes) -> Any:
    if game.position_type.compilable:
        return game.position_type.from_bytes(data)
    return game.parse(data.decode(errors="replace"))
