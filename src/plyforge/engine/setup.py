"""What all searches of an analysis have in common: the game, the options and the evaluation.

A process that has only the bytes of a `SearchSetup` can carry out requests: built-in games are
loaded by name, and files of the user travel by content, with the modules that they import.  It is
sent once; requests refer to it by its digest (`search.request`).
"""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

import plyforge
from plyforge.compilation.kernel import Backend, kernel_name
from plyforge.compilation.notices import Notices
from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.database.files import database_files
from plyforge.engine.presets import uses_special_kernel
from plyforge.evaluate import EvaluationChoice, with_evaluation
from plyforge.evaluate.fingerprint import evaluation_fingerprint
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.jobs.user_files import (
    BESIDE_GAME,
    UserFile,
    file_names,
    game_file_path,
    read_user_file,
    use_files,
)
from plyforge.search.fits import fit_path
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels.table import DEEPER_TIMESTAMP
from plyforge.search.options import Options
from plyforge.search.packing import Format, PackedDataError
from plyforge.search.request import DIGEST_BYTES
from plyforge.search.searcher import Searcher
from plyforge.search.steps.files import load_step
from plyforge.search.steps.linking import search_kernel

_BUILT_IN: Final = "plyforge.games."
_PATH_CONSTANTS: Final = (
    *("REPETITION", "REPETITION_COUNT", "NO_PROGRESS_LIMIT", "MOVE_SLOTS", "EVALUATION_RANGE"),
    "STATE",
)
"""Constants that the search reads besides those that are compiled into the kernel."""

Setting = int | float | str | tuple[str, ...]


class SearchSetup(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a process needs to know once in order to carry out search requests."""

    program: str
    """The version of Plyforge: another one may have other rules."""
    game: str
    """The name of the game or the path of its file, with the variant."""
    evaluation: str
    """The evaluation that replaces the game's own: a name or files; empty for the game's own."""
    evaluation_fingerprint: str
    """The fingerprint of the evaluation and its weights."""
    switches: tuple[str, ...]
    settings: dict[str, Setting]
    steps: tuple[str, ...]
    """The files of users' steps, in the order in which they act."""
    files: tuple[UserFile, ...]
    """Files of the user, by content."""
    backend: Backend
    entries: Annotated[int, Meta(ge=1)]
    """The size of the transposition table, on which the counts of a search depend."""
    prunes: bool
    """Whether searches use windows; plain minimax does not."""

    def pack(self) -> bytes:
        """Return the setup as bytes; equal setups give equal bytes."""
        return _SETUP.pack(self)

    @classmethod
    def unpack(cls, data: bytes) -> "SearchSetup":
        """Return the setup in these bytes.  Nothing in it is executed yet."""
        return _SETUP.unpack(data)

    def digest(self) -> bytes:
        """Return the digest by which requests refer to it."""
        return hashlib.blake2b(self.pack(), digest_size=DIGEST_BYTES).digest()

    def load_game(self, notices: Notices | None = None) -> Game:
        """Load the game with its evaluation.  Files of the user are executed."""
        if self.program != plyforge.__version__:
            raise PackedDataError(
                f"the search setup is of Plyforge {clip(self.program)}, and this is"
                f" {plyforge.__version__}: use the same version everywhere"
            )
        with use_files(self.files):
            game = load(self.game, self.backend, notices)
            if self.evaluation:
                game = with_evaluation(game, self.evaluation)
            found = evaluation_fingerprint(game.rules)
        if found != self.evaluation_fingerprint:
            raise PackedDataError(
                f"the evaluation of {game.name} has the fingerprint {found} here, and the search"
                f" setup needs {clip(self.evaluation_fingerprint)}"
            )
        return game

    def load_options(self) -> Options:
        """Return the options.  Files of users' steps are executed."""
        with use_files(self.files):
            options = Options().with_steps([load_step(file) for file in self.steps])
        for name in self.switches:
            if name not in options.rows:
                raise UnknownName("switch", name, options.rows)
        return replace(options, switches=frozenset(self.switches)).changed(settings=self.settings)

    def make_searcher(self, notices: Notices | None = None) -> Searcher:
        """Return a searcher that carries out requests for this setup; it may have to compile."""
        game, options = self.load_game(notices), self.load_options()
        stamped = options.code("replace") == DEEPER_TIMESTAMP
        table = HashTable.sized(entries=self.entries, stamped=stamped)
        with use_files(self.files):
            searcher = Searcher(
                game,
                options,
                table,
                backend=self.backend,
                notices=notices,
                specialised=uses_special_kernel(game, options),
            )
        searcher.prune(self.prunes)
        return searcher


_SETUP: Final = Format(b"S", SearchSetup)


def make_setup(
    game: Game,
    options: Options,
    evaluation: EvaluationChoice | None = None,
    *,
    backend: Backend,
    entries: int,
    prunes: bool,
) -> SearchSetup:
    """Return the setup of searches; raise an error if another process could not repeat them.

    `evaluation` is the choice with which the game's own was replaced.
    """
    if evaluation is not None and not isinstance(evaluation, str):
        raise PlyforgeError(
            "an evaluation that is a Python object cannot be sent to other processes; name a file"
            " or one of the game's evaluations"
        )
    rules = game.rules
    built_in = rules.module.__name__.startswith(_BUILT_IN)
    name = rules.name if built_in else rules.file
    steps = tuple(step.file for step in options.added)
    own = [] if built_in else [name]
    if evaluation and evaluation.startswith(BESIDE_GAME) and not built_in:
        own.append(str(game_file_path(name, evaluation)))
    database = database_files(options.get("database"))
    used = [*file_names(evaluation or ""), *steps, *_fit_files(game, options), *database]
    names = dict.fromkeys([*own, *used])
    known = Options().with_steps(options.added).parameters
    setup = SearchSetup(
        plyforge.__version__,
        name if game.variant is None else f"{name}:{game.variant}",
        evaluation or "",
        evaluation_fingerprint(rules),
        tuple(sorted(options.switches)),
        {name: _plain(value) for name, value in options.settings.items() if name in known},
        steps,
        tuple(read_user_file(name) for name in names),
        backend,
        entries,
        prunes,
    )
    _check(setup, game, options)
    return setup


def _fit_files(game: Game, options: Options) -> list[str]:
    """Return the files of fitted numbers in use, except those of a built-in game itself."""
    names = [
        options.get(step.fit_parameter)
        for step in options.steps
        if step.fit is not None and options.has(step.name)
    ]
    paths = [fit_path(game.rules, name) for name in names]
    folder = Path(game.rules.file).parent
    built_in = game.rules.module.__name__.startswith(_BUILT_IN)
    return [str(path) for path in paths if not (built_in and path.parent == folder)]


def _plain(value: Any) -> Setting:
    """Return the value of a parameter in one form."""
    return tuple(value) if isinstance(value, list) else value


def _check(setup: SearchSetup, game: Game, options: Options) -> None:
    """Raise an error if the setup does not lead to the same rules and steps."""
    try:
        other, others = setup.load_game(), setup.load_options()
    except PackedDataError:
        same = False
    else:
        same = _identity(game, options) == _identity(other, others)
    if not same:
        files = ", ".join(file.name for file in setup.files) or game.name
        raise PlyforgeError(
            f"{files}: the searches use rules, an evaluation or steps that are not those of the"
            " files now, and cannot be repeated elsewhere; if a file was changed, load it again"
        )


def _identity(game: Game, options: Options) -> list[Any]:
    """Return what identifies the code and constants of a search within a process."""
    name, obstacle = kernel_name(
        search_kernel(options.kernel_steps), game.rules, game.position_type
    )
    constants = [game.rules.constant(name) for name in _PATH_CONSTANTS]
    return [obstacle or name, game.variant, *constants]
