"""The tables of enhancements and parameters of the search.

From these tables come the validation of options (`search.options`), the help of `--on` and
`--replace` and the output of `plyforge options`, the choices of the web page, the page
`docs/reference/search.md` and the variations of `plyforge lab ablate`.  Not derived from them: the
code of each step, the words of the kernel's context that switch it (`search.searcher`) and the
presets (`search.options`).  Drivers declare themselves (`engine.drivers`).
"""

from dataclasses import dataclass, field
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.search.kernels import context as c

MAX_PLIES: Final = 250
"""The maximum depth of a search."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of an enhancement or a driver: a number, a word or a list of words.

    A number lies between `minimum` and `maximum`.  A word is one of `choices`, which map to the
    numbers that stand for them in the kernel.  With `sequence`, a value is a list of different
    choices.
    """

    name: str
    default: Any
    summary: str
    minimum: float = 0
    maximum: float = 0
    choices: dict[str, int] = field(default_factory=dict)
    sequence: bool = False
    real: bool = False

    @property
    def range(self) -> str:
        """The allowed values, in words."""
        if self.sequence:
            return "a list of " + ", ".join(self.choices)
        if self.choices:
            return ", ".join(self.choices)
        return f"{self.minimum:g} to {self.maximum:g}"

    def read(self, text: Any) -> Any:
        """Return the value that a user gave, as a text or as it is, or raise an error."""
        if self.sequence:
            return self._read_sequence(text)
        if self.choices:
            word = str(text).strip().lower()
            if word not in self.choices:
                raise UnknownName(f"value of {self.name}", word, self.choices)
            return word
        try:
            number = float(text) if self.real else int(str(text).strip())
        except (TypeError, ValueError, OverflowError):
            kind = "a number" if self.real else "an integer"
            raise PlyforgeError(
                f"{self.name} must be {kind} between {self.minimum:g} and {self.maximum:g}, not"
                f" '{clip(str(text))}'"
            ) from None
        if not self.minimum <= number <= self.maximum:
            raise PlyforgeError(
                f"{self.name} must be between {self.minimum:g} and {self.maximum:g}, not {number}"
            )
        return number

    def _read_sequence(self, text: Any) -> tuple[str, ...]:
        if not isinstance(text, (str, list, tuple)):
            raise PlyforgeError(f"{self.name} must be {self.range}, not {text!r}")
        words = text.split(",") if isinstance(text, str) else text
        names = tuple(str(word).strip().lower() for word in words if str(word).strip())
        for name in names:
            if name not in self.choices:
                raise UnknownName(f"source in {self.name}", name, self.choices)
        if len(set(names)) < len(names):
            raise PlyforgeError(f"{self.name} must name each source once, not '{','.join(names)}'")
        return names


@dataclass(frozen=True)
class Enhancement:
    """A step of the search that can be switched on and off: a row of the table."""

    name: str
    summary: str
    exact: bool
    """Whether the search still returns the minimax value, with the parameters of preset `exact`."""
    paper: str
    file: str
    parameters: tuple[Parameter, ...] = ()
    needs: tuple[str, ...] = ()
    """Switches without which this one has no effect."""
    in_presets: bool = True
    rule: bool = False
    """Whether it is part of the rules rather than an enhancement: `all` leaves it as it is."""


def _plies(name: str, default: int, summary: str, minimum: int = 0) -> Parameter:
    return Parameter(name, default, summary, minimum, MAX_PLIES)


DEPTH_RULES: Final = {"equal": 0, "at-least": 1}
REPLACEMENTS: Final = {
    "newer": c.NEWER,
    "deeper": c.DEEPER,
    "sharply-deeper": c.SHARPLY_DEEPER,
    "deeper-timestamp": c.DEEPER_TIMESTAMP,
    "old": c.OLD,
    "two-level": c.TWO_LEVEL,
}
CYCLE_POLICIES: Final = {"fast": c.CYCLES_FAST, "safe": c.CYCLES_SAFE}
YES_NO: Final = {"no": 0, "yes": 1}
SOURCES: Final = {"table": 0, "wins": 1, "killers": 2, "history": 3, "child-eval": 4}
PARITIES: Final = {"any": 0, "odd": 1, "even": 2}

_ROWS = [
    Enhancement(
        "table",
        "a transposition table stores results, which narrow the window or answer a node when its position comes up again",
        True,
        "Greenblatt, Eastlake, Crocker 1967; Mańdziuk, Osman 2004; Koneru",
        "search/kernels/table.py",
        (
            Parameter("depth-rule", "equal", "the depth at which an entry is valid: `equal` to that of the node, which gives minimax values, or `at-least` that", choices=DEPTH_RULES),
            Parameter("replace", "two-level", "when a new result replaces an old one", choices=REPLACEMENTS),
            Parameter("same-position", "yes", "whether the replacement rule also applies when the same position is stored again", choices=YES_NO),
            Parameter("stamp", "save", "what the time stamps of `deeper-timestamp` count: saves, or moves of the game", choices={"save": 1, "move": 0}),
            Parameter("store-leaves", "no", "whether leaves are stored and looked up, too", choices=YES_NO),
        ),
    ),
    Enhancement(
        "table-move",
        "the best move of the position's entry is tried first",
        True,
        "Slate, Atkin 1977; Duarte, Otsuka, Julia",
        "search/kernels/alpha_beta.py",
        (Parameter("table-move-depth", -1, "how many plies shallower than the node an entry may be for its move to be tried first, not at the root (2 in Duarte, Otsuka, Julia); -1 for any entry", -1, MAX_PLIES),),
        needs=("table",),
    ),
    Enhancement(
        "etc",
        "enhanced transposition cut-offs: all children are looked up before the first is searched",
        True,
        "Plaat, Schaeffer, Pijls, de Bruin 1996 (AAAI)",
        "search/kernels/ordering.py",
        (_plies("etc-depth", 3, "the minimum remaining depth, in plies", 2),),
        needs=("table",),
    ),
    Enhancement(
        "eib",
        "moves are ordered by the bounds that the table has for the children (the source only names EIB; this reading is ours)",
        True,
        "named in Mańdziuk, Osman 2004",
        "search/kernels/ordering.py",
        needs=("table",),
        in_presets=False,
    ),
    Enhancement(
        "killers",
        "the last two quiet moves that caused a cut at the same ply are tried early",
        True,
        "Akl, Newborn 1977; Koneru",
        "search/kernels/history.py",
    ),
    Enhancement(
        "history",
        "moves that caused cuts anywhere in the tree are tried earlier, by side and move slot",
        True,
        "Schaeffer 1983, 1989; Mańdziuk, Osman 2004",
        "search/kernels/history.py",
        (
            Parameter("history-growth", "square", "what a cut at remaining depth d adds: d^2 or 2^d", choices={"square": c.SQUARE, "power": c.POWER}),
            Parameter("history-penalty", 16, "what a cut subtracts from the quiet moves tried before it, in sixteenths of what it adds", 0, 16),
            Parameter("history-ageing", 0, "between iterations histories are divided by 2 to this power", 0, 40),
        ),
    ),
    Enhancement(
        "continuation",
        "as `history`, by the pair of a move and the move before it",
        True,
        "the countermove heuristic of Uiterwijk 1992, as developed in Stockfish",
        "search/kernels/history.py",
    ),
    Enhancement(
        "child-eval",
        "moves are ordered by the static evaluation of the children",
        True,
        "Koneru; Kishimoto, Müller, tutorial on alpha-beta",
        "search/kernels/ordering.py",
        (_plies("child-eval-depth", 2, "the minimum remaining depth, in plies", 1),),
        in_presets=False,
    ),
    Enhancement(
        "wins",
        "moves that win at once are tried early",
        True,
        "Koneru",
        "search/kernels/ordering.py",
        (_plies("wins-depth", 2, "the minimum remaining depth, in plies", 1),),
        in_presets=False,
    ),
    Enhancement(
        "pvs",
        "all moves but the first are searched with a null window, and again if they turn out better",
        True,
        "Pearl 1980; Marsland, Campbell 1982; Reinefeld 1983",
        "search/kernels/alpha_beta.py",
        (Parameter("skip-research", "yes", "skip searches near the horizon that cannot change the value (Reinefeld's condition)", choices=YES_NO),),
    ),
    Enhancement(
        "horizon-moves",
        "moves are generated at the horizon, too, to detect a side that has no move",
        True,
        "",
        "search/kernels/ends.py",
        rule=True,
    ),
    Enhancement(
        "cycles",
        "repetition and lack of progress end the game as the rules say, positions before the root included",
        True,
        "Campbell 1985; Kishimoto, Müller 2004",
        "search/kernels/cycles.py",
        (
            Parameter("cycle-policy", "safe", "how path-dependent values are stored in the table: `safe` by path, `fast` by position", choices=CYCLE_POLICIES),
            Parameter("repeats", 0, "the number of occurrences of a position that counts as a repetition; 0 for the game's own rule", 0, 10),
        ),
        rule=True,
    ),
    Enhancement(
        "deepening",
        "iterative deepening: shallower searches come first, and leave their best moves in the table",
        True,
        "Slate, Atkin 1977; Kishimoto, Müller, tutorial on alpha-beta",
        "engine/deepening.py",
        (
            _plies("start", 0, "the first depth; 0 for the step, or 1 if the depth is odd and the step 2"),
            Parameter("step", 2, "plies from one iteration to the next", 1, 8),
            Parameter("parity-first", "any", "whether the first player searches only odd or even depths (Koneru: even for White, who begins in Andantino)", choices=PARITIES),
            Parameter("parity-second", "any", "the same for the second player (Koneru: odd for Black)", choices=PARITIES),
        ),
    ),
]  # fmt: skip

ENHANCEMENTS: Final[dict[str, Enhancement]] = {row.name: row for row in _ROWS}

ORDER: Final = Parameter(
    "order",
    ("table", "wins", "killers", "history", "child-eval"),
    "the order in which moves are tried: table move, wins and killers come in this sequence; history and evaluation sort the rest, the later of the two only breaks ties",
    choices=SOURCES,
    sequence=True,
)
DISTINCT: Final = Parameter(
    "distinct",
    "no",
    "count different positions among interior nodes, up to about 14 million; takes 128 MiB",
    choices=YES_NO,
)

PARAMETERS: Final[dict[str, Parameter]] = {
    parameter.name: parameter
    for parameter in [
        *(parameter for row in _ROWS for parameter in row.parameters),
        ORDER,
        DISTINCT,
    ]
}


def enhancement(name: str) -> Enhancement:
    """Return a row by its name, or raise an error with a suggestion."""
    if name not in ENHANCEMENTS:
        raise UnknownName("switch", name, ENHANCEMENTS)
    return ENHANCEMENTS[name]
