"""The table of enhancements: every step of the search that can be switched, in one place.

The command line's help, the documentation, the validation of options and the experiments are all
derived from it.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.search.kernels import context as c

MAX_PLIES: Final = 250
"""The greatest depth of a search."""


@dataclass(frozen=True)
class Parameter:
    """One number, word or list that an enhancement takes.

    A number lies from `least` to `greatest`; a word is one of `choices`, which map to what the
    kernel knows them by; `sequence` is a list of different ones of the choices.
    """

    name: str
    default: Any
    summary: str
    least: float = 0
    greatest: float = 0
    choices: dict[str, int] = field(default_factory=dict)
    sequence: bool = False
    real: bool = False

    @property
    def range(self) -> str:
        """What values there are, in words."""
        if self.sequence:
            return "a list of " + ", ".join(self.choices)
        if self.choices:
            return ", ".join(self.choices)
        return f"{self.least:g} to {self.greatest:g}"

    def read(self, given: Any) -> Any:
        """A value for this parameter from what a user gave, or an error that tells the range."""
        if self.sequence:
            return self._read_sequence(given)
        if self.choices:
            word = str(given).strip().lower()
            if word not in self.choices:
                raise UnknownName(f"value of {self.name}", word, self.choices)
            return word
        try:
            number = float(given) if self.real else int(str(given).strip())
        except (TypeError, ValueError, OverflowError):
            kind = "a number" if self.real else "a whole number"
            raise PlyforgeError(
                f"{self.name} = '{clip(str(given))}' is not {kind}; it goes from {self.range}"
            ) from None
        if not self.least <= number <= self.greatest:
            raise PlyforgeError(
                f"{self.name} = {number} is out of range; it goes from {self.range}"
            )
        return number

    def _read_sequence(self, given: Any) -> tuple[str, ...]:
        if not isinstance(given, (str, list, tuple)):
            raise PlyforgeError(f"{self.name} = {given!r} is not {self.range}")
        words = given.split(",") if isinstance(given, str) else given
        names = tuple(str(word).strip().lower() for word in words if str(word).strip())
        for name in names:
            if name not in self.choices:
                raise UnknownName(f"source in {self.name}", name, self.choices)
        if len(set(names)) < len(names):
            raise PlyforgeError(f"{self.name} = '{','.join(names)}' names something twice")
        return names


@dataclass(frozen=True)
class Enhancement:
    """One switchable step: a row of the table."""

    name: str
    summary: str
    exact: bool
    """Whether the value stays that of minimax, with the parameters of the preset `exact`."""
    paper: str
    file: str
    parameters: tuple[Parameter, ...] = ()
    needs: tuple[str, ...] = ()
    """Switches without which this one does nothing."""
    in_presets: bool = True
    rule: bool = False
    """Whether it is no enhancement but belongs to the rules: `all` leaves it as it is."""


def _plies(name: str, default: int, summary: str, least: int = 0) -> Parameter:
    return Parameter(name, default, summary, least, MAX_PLIES)


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
GUESSES: Final = {"zero": 0, "last": 1, "two-back": 2}

_ROWS = [
    Enhancement(
        "table",
        "results are kept in a transposition table, and narrow the window or settle a node when its position comes up again",
        True,
        "Greenblatt, Eastlake, Crocker 1967; Mańdziuk, Osman 2004; Koneru",
        "search/kernels/table.py",
        (
            Parameter("depth-rule", "equal", "of which depth an entry must be to be believed: the same, which finds minimax values, or at least that", choices=DEPTH_RULES),
            Parameter("replace", "two-level", "when a new result takes the place of an old one", choices=REPLACEMENTS),
            Parameter("same-position", "yes", "whether the rule of replacement also holds when the same position is stored again", choices=YES_NO),
            Parameter("stamp", "save", "what the time stamps of `deeper-timestamp` count: saves, or moves of the game", choices={"save": 1, "move": 0}),
            Parameter("store-leaves", "no", "whether leaves are kept and looked up, too", choices=YES_NO),
        ),
    ),
    Enhancement(
        "table-move",
        "the best move of a position's entry is tried first",
        True,
        "Slate, Atkin 1977; Duarte, Otsuka, Julia",
        "search/kernels/alpha_beta.py",
        (Parameter("table-move-depth", -1, "only from entries at most so many plies less deep than the node, and not at the root (2 in Duarte, Otsuka, Julia); -1 for any entry", -1, MAX_PLIES),),
        needs=("table",),
    ),
    Enhancement(
        "etc",
        "enhanced transposition cut-offs: all children are looked up before the first is searched",
        True,
        "Plaat, Schaeffer, Pijls, de Bruin 1996 (AAAI)",
        "search/kernels/ordering.py",
        (_plies("etc-depth", 3, "only where so many plies are left", 2),),
        needs=("table",),
    ),
    Enhancement(
        "eib",
        "children are ordered by the bounds that the table has for them (the source only names EIB; this reading is ours)",
        True,
        "named in Mańdziuk, Osman 2004",
        "search/kernels/ordering.py",
        needs=("table",),
        in_presets=False,
    ),
    Enhancement(
        "killers",
        "the last two quiet moves that cut at the same ply are tried early",
        True,
        "Akl, Newborn 1977; Koneru",
        "search/kernels/history.py",
    ),
    Enhancement(
        "history",
        "moves that cut anywhere are tried earlier everywhere, by side and move slot",
        True,
        "Schaeffer 1983, 1989; Mańdziuk, Osman 2004",
        "search/kernels/history.py",
        (
            Parameter("history-growth", "square", "what a cut at remaining depth d adds: d^2 or 2^d", choices={"square": c.SQUARE, "power": c.POWER}),
            Parameter("history-penalty", 16, "what quiet moves tried in vain before a cut lose, in sixteenths of what the cut adds", 0, 16),
            Parameter("history-ageing", 0, "between iterations histories are divided by 2 to this power", 0, 40),
        ),
    ),
    Enhancement(
        "continuation",
        "the same by the pair of a move and the one before it",
        True,
        "the countermove heuristic of Uiterwijk 1992, carried on as in Stockfish",
        "search/kernels/history.py",
    ),
    Enhancement(
        "child-eval",
        "children are ordered by their static evaluation",
        True,
        "Koneru; Kishimoto, Müller, tutorial on alpha-beta",
        "search/kernels/ordering.py",
        (_plies("child-eval-depth", 2, "only where so many plies are left", 1),),
        in_presets=False,
    ),
    Enhancement(
        "wins",
        "moves that win at once are tried first",
        True,
        "Koneru",
        "search/kernels/ordering.py",
        (_plies("wins-depth", 2, "only where so many plies are left", 1),),
        in_presets=False,
    ),
    Enhancement(
        "pvs",
        "all moves but the first are tested with a null window, and searched again if they turn out better",
        True,
        "Pearl 1980; Marsland, Campbell 1982; Reinefeld 1983",
        "search/kernels/alpha_beta.py",
        (Parameter("skip-research", "yes", "leave out repeated searches near the horizon that can find nothing new (Reinefeld's condition)", choices=YES_NO),),
    ),
    Enhancement(
        "horizon-moves",
        "moves are generated at the horizon, too, so that a side that cannot move there is seen",
        True,
        "",
        "search/kernels/ends.py",
        rule=True,
    ),
    Enhancement(
        "cycles",
        "repetition and lack of progress on the path end the game as the rules say",
        True,
        "Campbell 1985; Kishimoto, Müller 2004",
        "search/kernels/cycles.py",
        (
            Parameter("cycle-policy", "safe", "path-dependent values in the table: `safe` keeps them apart by their paths, `fast` does not", choices=CYCLE_POLICIES),
            Parameter("repeats", 0, "the occurrence of a position on the path that counts as repetition; 0 for the game's own rule", 0, 10),
        ),
        rule=True,
    ),
    Enhancement(
        "deepening",
        "shallower searches come first, and leave their best moves in the table",
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
    "the sequence in which moves are tried, by what speaks for them: of the table's move, wins and killers the earliest counts; history and evaluation sort the rest, the later one its equals",
    choices=SOURCES,
    sequence=True,
)
DISTINCT: Final = Parameter(
    "distinct",
    "no",
    "count different positions among interior nodes, up to some 14 millions; takes 128 MiB",
    choices=YES_NO,
)
DRIVER_PARAMETERS: Final = (
    Parameter("guess", "two-back", "the first guess of drivers that take one: 0, the value of the last iteration, or of the one before it", choices=GUESSES),
    Parameter("epsilon", 0.01, "real-mtdf: the greatest error; mtd-bi: the width of a window", 0.0, 2.0**23, real=True),
    Parameter("closing", "yes", "real-mtdf: whether a last search makes the value exact", choices=YES_NO),
    Parameter("mtd-step", 1.0, "mtd-step: the first step, in units of the evaluation", 0.0, 2.0**23, real=True),
    Parameter("mtd-step-growth", 2.0, "mtd-step: by what the step grows when the value lies further on", 1.0, 1024.0, real=True),
    Parameter("aspiration", 0.0, "aspiration: half the width of the first window; 0 for a hundredth of the evaluation's range", 0.0, 2.0**23, real=True),
    Parameter("aspiration-growth", 4.0, "aspiration: by what it grows after a failure", 1.0, 1024.0, real=True),
)  # fmt: skip


@dataclass(frozen=True)
class DriverRow:
    """How a sequence of searches finds a value; `engine.drivers` holds the function."""

    name: str
    summary: str
    paper: str
    guesses: bool = False
    """Whether it makes use of a first guess."""


_DRIVER_ROWS = [
    DriverRow("minimax", "every node, no windows; enhancements only where switched on by name", "Shannon 1950"),
    DriverRow("alphabeta", "one search with the full window", "Knuth, Moore 1975"),
    DriverRow("aspiration", "a window around the guess, widened when the value lies outside", "Kishimoto, Müller, tutorial on alpha-beta", True),
    DriverRow("pvs", "alphabeta with the switch pvs on", "Marsland, Campbell 1982"),
    DriverRow("mtdf", "null windows alone, from the guess on", "Plaat, Schaeffer, Pijls, de Bruin 1996; Mańdziuk, Osman 2004", True),
    DriverRow("real-mtdf", "windows of width epsilon in steps of epsilon from the guess on", "Mańdziuk, Osman 2004", True),
    DriverRow("mtd-bi", "windows of width epsilon that bisect the range of values", "Mańdziuk, Osman 2004"),
    DriverRow("mtd-step", "null windows in growing steps from the guess on, then one search between the bounds", "Mańdziuk, Osman 2004", True),
    DriverRow("sss", "SSS*: null windows from above all values down", "Stockman 1979; Plaat and others 1996"),
    DriverRow("dual", "DUAL*: null windows from below all values up", "Marsland, Reinefeld, Schaeffer 1987"),
]  # fmt: skip

DRIVERS: Final[dict[str, DriverRow]] = {row.name: row for row in _DRIVER_ROWS}

PARAMETERS: Final[dict[str, Parameter]] = {
    parameter.name: parameter
    for parameter in [
        *(parameter for row in _ROWS for parameter in row.parameters),
        ORDER,
        DISTINCT,
        *DRIVER_PARAMETERS,
    ]
}


def enhancement(name: str) -> Enhancement:
    """A row by its name, or an error with a suggestion."""
    if name not in ENHANCEMENTS:
        raise UnknownName("switch", name, ENHANCEMENTS)
    return ENHANCEMENTS[name]


def parameter(name: str) -> Parameter:
    """A parameter by its name, or an error with a suggestion."""
    if name not in PARAMETERS:
        raise UnknownName("parameter", name, PARAMETERS)
    return PARAMETERS[name]
