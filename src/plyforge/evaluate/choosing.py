"""Replacing a game's evaluation: by a file, by one that the game lists, or by a function.

A Python file of an evaluation defines one as a game does: EVALUATION, FEATURES, `evaluate(position,
weights)` with WEIGHTS, or `evaluate(position)`; and it may define `terms`, `begin` and `advance`
with STATE, EVALUATION_RANGE and EVALUATION_MEANING.  A file of weights belongs to a form of the
game, or to the form of a Python file that is named before it: `myeval.py:weights.npz`.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from plyforge.core.contract import HOOKS
from plyforge.core.errors import GameFileError, PlyforgeError, UnknownName
from plyforge.evaluate.automatic import AUTOMATIC_RANGE, build_evaluation, evaluation_like
from plyforge.evaluate.files import (
    SUFFIX,
    WeightsFile,
    WeightsFileError,
    form_text,
    read_weights,
)
from plyforge.evaluate.fingerprint import form_fingerprint
from plyforge.evaluate.quantisation import PRECISIONS, quantise
from plyforge.game.forms import (
    Evaluation,
    Form,
    install_evaluation,
    read_evaluation,
    replace_weights,
)
from plyforge.game.game import Game
from plyforge.game.loading import import_file
from plyforge.game.validation import A_RANGE, MEANINGS, check_state, is_range
from plyforge.jobs.user_files import BESIDE_GAME, file_names, game_file_path

EvaluationChoice = str | ModuleType | Callable[..., Any] | Evaluation

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_HOOKS: Final = ("evaluate", "terms", "begin", "advance")
_A_FILE: Final = "the path of a Python file with an evaluation, or of a file of weights"
_CONSTANTS: Final = ("EVALUATION_RANGE", "EVALUATION_MEANING", "STATE")
_DECLARATIONS: Final = ("EVALUATION", "FEATURES", "WEIGHTS")
NONE: Final = "none"
"""The name of the evaluation that is always 0: only the ends of games count."""
OWN: Final = "own"
"""The name of the evaluation in the game's own file."""
AUTOMATIC: Final = "automatic"
"""The name of the evaluation that is found from the rules; its weights are 0."""
_AUTOMATIC_CONSTANTS: Final = {"EVALUATION_RANGE": AUTOMATIC_RANGE, "EVALUATION_MEANING": "points"}


def _zero(position: Any) -> float:
    return 0.0


def with_evaluation(game: Game, evaluation: EvaluationChoice, *, untrained: bool = False) -> Game:
    """Return the game with another evaluation.

    `evaluation` is the path of a Python file or of a file of weights (after `game:`, beside the
    game's own file), a name that the game lists in EVALUATIONS, `none`, a module, a function of a
    position, or an `Evaluation`.  `untrained` leaves the weights of a form as they are declared
    where they would come from a file that belongs to it.
    """
    source, label = _find_evaluation(game, evaluation, untrained)
    declared = _limited(read_evaluation(source, label), game, source)
    hooks = {name: hook for name, hook in game.rules.hooks.items() if name not in _HOOKS}
    constants = {
        name: value
        for name, value in game.rules.constants.items()
        if name not in (*_CONSTANTS, *_DECLARATIONS)
    }
    for name in _HOOKS:
        if name in source and not (declared and name == "evaluate"):
            hooks[name] = _check_function(label, name, source[name], "STATE" in source)
    for name in _CONSTANTS:
        if name in source:
            constants[name] = source[name]
    constants["SEARCH"] = _without_evaluations(game.rules.constant("SEARCH"))
    bare = replace(game.rules, hooks=hooks, constants=constants, weights=None)
    rules = install_evaluation(bare, declared)
    if "evaluate" not in rules.hooks:
        raise GameFileError(f"{label}: it defines no function 'evaluate(position)', and no form")
    check_state(label, rules.hooks, rules.constant("STATE"))
    changed = Game(rules, game.variant, game.backend, game.notices)
    _check_evaluation(changed, label)
    return changed


def _without_evaluations(search: Mapping[str, Any]) -> dict[str, Any]:
    """Return SEARCH without the evaluations that it names for presets: one was chosen."""
    return {
        key: {k: v for k, v in value.items() if k != "evaluation"}
        if isinstance(value, Mapping) and key != "set"
        else value
        for key, value in search.items()
    }


def weights_beside(game: Game) -> Path | None:
    """Return where weights are found without being named: `mygame.npz` beside `mygame.py`.

    None for the games of Plyforge itself, and for games that are not in a file.
    """
    file = Path(game.rules.file or "")
    if file.suffix != ".py" or _PACKAGE in file.resolve().parents:
        return None
    path = file.with_suffix(SUFFIX)
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def learned_beside(game: Game) -> str | None:
    """Return the file of learned weights beside a game's file, None if there is none."""
    path = weights_beside(game)
    try:
        belongs = path is not None and path.is_file() and read_weights(path).game == game.name
    except WeightsFileError:
        return None  # any other file of this name
    return str(path) if belongs else None


def evaluation_of(game: Game) -> Evaluation:
    """Return the form and the weights of a game's evaluation."""
    evaluation: Evaluation | None = game.rules.constant("EVALUATION")
    if evaluation is None:
        raise PlyforgeError(
            f"the evaluation of {game.name} has no weights: it is a plain function, not a form"
        )
    return evaluation


def find_form(game: Game, fingerprint: str) -> Form | None:
    """Return the form with a fingerprint among those that a game declares, None if none has it."""
    for label, names in _sources_of(game):
        declared = read_evaluation(names, label)
        if declared is not None and form_fingerprint(declared.form) == fingerprint:
            return declared.form
    return None


def with_weights(game: Game, weights: Any) -> Game:
    """Return the game with other weights for the form of its evaluation.

    `weights` is a vector, an `Evaluation` or a file of weights.  A vector is stored in numbers of
    the type of the present ones: int16 and float32 stay, so that the same kernel reads them.
    """
    present = evaluation_of(game)
    if isinstance(weights, str):
        weights = load_evaluation(game, weights)
    elif not isinstance(weights, Evaluation):
        precision = str(present.weights.numbers.dtype)
        try:
            weights = present.with_weights(weights)
        except ValueError as error:
            raise PlyforgeError(str(error)) from error
        if precision in PRECISIONS:
            weights = quantise(weights, precision)
    weights = _limited(weights, game, {})
    if weights.form != present.form:
        return with_evaluation(game, weights)
    return game.with_rules(replace_weights(game.rules, weights))


def _limited(
    evaluation: Evaluation | None, game: Game, names: Mapping[str, Any]
) -> Evaluation | None:
    """Limit the values of weights that are data to the range: nothing is known about them."""
    if evaluation is None or not evaluation.as_data or evaluation.limits is not None:
        return evaluation
    limits = names.get("EVALUATION_RANGE", game.rules.constant("EVALUATION_RANGE"))
    _check_range(limits, str(evaluation))
    return replace(evaluation, limits=tuple(limits))


def _find_evaluation(
    game: Game, evaluation: EvaluationChoice, untrained: bool
) -> tuple[Mapping[str, Any], str]:
    """Return the names that an evaluation defines, and what to call it in messages."""
    if isinstance(evaluation, ModuleType):
        return vars(evaluation), evaluation.__name__
    if isinstance(evaluation, FunctionType):
        return {"evaluate": evaluation}, f"function '{evaluation.__name__}'"
    if isinstance(evaluation, Evaluation):
        data = replace(evaluation, as_data=True)
        return {**_own_constants(game), "EVALUATION": data}, str(evaluation)
    if not isinstance(evaluation, str):
        raise PlyforgeError(
            f"{evaluation!r} is not an evaluation; give a file, a name or a function"
        )
    if evaluation == NONE:
        return {"evaluate": _zero}, NONE
    if evaluation == OWN:
        return _own_evaluation(game), OWN
    if evaluation == AUTOMATIC:
        return {**_AUTOMATIC_CONSTANTS, "EVALUATION": build_evaluation(game)}, AUTOMATIC
    evaluation = _path_beside(game, evaluation)
    if evaluation.endswith(SUFFIX):
        return _find_weights(game, evaluation), evaluation
    if evaluation.endswith(".py"):
        return _import(evaluation), evaluation
    known = game.rules.constant("EVALUATIONS")
    if evaluation not in known:
        if not known:
            raise PlyforgeError(
                f"unknown evaluation '{evaluation}'; {game.name} lists none by name; give {_A_FILE}"
            )
        raise UnknownName("evaluation", evaluation, known)
    names, label = vars(known[evaluation]), f"{game.name}'s evaluation '{evaluation}'"
    return (names if untrained else _with_own_weights(game, names)), label


def _with_own_weights(game: Game, names: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the names of a module, with the weights of the file that it names, if any.

    They are read only when the evaluation is chosen: large tables would slow down every start.
    """
    if "WEIGHTS_FILE" not in names:
        return names
    path = Path(names["__file__"]).parent / names["WEIGHTS_FILE"]
    file, form = read_weights(path), names["EVALUATION"].form
    if file.fingerprint != form_fingerprint(form):
        raise WeightsFileError(
            f"{path}: the code of the evaluation has changed since the weights were made; make new"
            f" ones by 'plyforge learn {game.name} patterns'"
        )
    return {**names, "EVALUATION": file.fit(form, names["EVALUATION_RANGE"])}


def _import(path: str) -> Mapping[str, Any]:
    return vars(import_file(Path(path), f"give {_A_FILE}"))


def _own_evaluation(game: Game) -> Mapping[str, Any]:
    """Return what the game's own file defines, as an evaluation."""
    declared = game.rules.constant("EVALUATION")
    if declared is not None:
        return {**_own_constants(game), "EVALUATION": declared}
    names: dict[str, Any] = {"evaluate": _zero, **_own_constants(game)}
    names |= {name: hook for name, hook in game.rules.hooks.items() if name in _HOOKS}
    state = game.rules.constant("STATE")
    return names if state is None else names | {"STATE": state}


def _own_constants(game: Game) -> dict[str, Any]:
    return {name: game.rules.constant(name) for name in _CONSTANTS if name != "STATE"}


def load_evaluation(game: Game, evaluation: str) -> Evaluation:
    """Return the evaluation of a file of weights: `weights.npz`, or `myeval.py:weights.npz`."""
    if not evaluation.endswith(SUFFIX):
        raise PlyforgeError(f"'{evaluation}' does not end in {SUFFIX}, as a file of weights must")
    found: Evaluation = _find_weights(game, _path_beside(game, evaluation))["EVALUATION"]
    return found


def _path_beside(game: Game, evaluation: str) -> str:
    """Return the path of a file that comes with the game; other texts stay as they are."""
    if not evaluation.startswith(BESIDE_GAME):
        return evaluation
    return str(game_file_path(game.rules.file, evaluation))


def _find_weights(game: Game, evaluation: str) -> Mapping[str, Any]:
    """Return the names that a file of weights and the form that it belongs to define."""
    *code, path = file_names(evaluation)
    file = read_weights(Path(path))
    if file.game != game.name:
        raise WeightsFileError(f"{path} has weights for '{file.game}', not for '{game.name}'")
    owner = code[0] if code else game.name
    sources = [(owner, _import(owner))] if code else list(_sources_of(game))
    forms = [
        (declared.form, names)
        for label, names in sources
        if (declared := read_evaluation(names, label)) is not None
    ]
    forms += _rebuilt_forms(file, sources)
    automatic = evaluation_like(game, file.description())
    if automatic is not None:
        forms.append((automatic.form, _AUTOMATIC_CONSTANTS))
    for form, names in forms:
        if form_fingerprint(form) == file.fingerprint:
            limits = names.get("EVALUATION_RANGE", game.rules.constant("EVALUATION_RANGE"))
            _check_range(limits, owner)
            constants = {name: names[name] for name in _CONSTANTS if name in names}
            return {**constants, "EVALUATION": file.fit(form, limits)}
    if not forms:
        raise WeightsFileError(f"{path}: {owner} has no evaluation with weights")
    if any(file.form == form_text(form) for form, _ in forms):
        reason = f"the code of the features of {owner} has changed since the weights were made"
    else:
        reason = f"the weights belong to other features than those of {owner}"
    raise WeightsFileError(
        f"{path}: {reason} (fingerprint {file.fingerprint}, not"
        f" {', '.join(form_fingerprint(form) for form, _ in forms)}); if their form is in a Python"
        " file, name both, as myeval.py:weights.npz"
    )


def _rebuilt_forms(
    file: WeightsFile, sources: Iterable[tuple[str, Mapping[str, Any]]]
) -> list[tuple[Form, Mapping[str, Any]]]:
    """Return the forms that evaluations build from the description in a file of weights.

    An evaluation whose features can be chosen defines `evaluation_like(description)`, which returns
    an evaluation of the described form, or None.
    """
    found: list[tuple[Form, Mapping[str, Any]]] = []
    for _, names in sources:
        if "evaluation_like" in names:
            like = names["evaluation_like"](file.description())
            if like is not None:
                found.append((like.form, names))
    return found


def _sources_of(game: Game) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the evaluations that a game declares: its own, then those that it lists by name."""
    own = game.rules.constant("EVALUATION")
    if own is not None:
        yield game.name, {**_own_constants(game), "EVALUATION": own}
    for name, module in game.rules.constant("EVALUATIONS").items():
        yield f"{game.name}'s evaluation '{name}'", vars(module)


def _check_function(label: str, name: str, function: Any, stateful: bool) -> Callable[..., Any]:
    count = len(HOOKS[name].arguments) + (name == "evaluate" and stateful)
    if not isinstance(function, FunctionType):
        raise GameFileError(f"{label}: '{name}' must be a plain function, not {function!r}")
    if len(inspect.signature(function).parameters) != count:
        arguments = "(position, state)" if count == 2 else f"({', '.join(HOOKS[name].arguments)})"
        raise GameFileError(f"{label}: '{name}' must take {arguments}")
    return function


def _check_range(bounds: Any, label: str) -> None:
    if not is_range(bounds):
        raise GameFileError(f"{label}: EVALUATION_RANGE is {bounds!r}; it must be {A_RANGE}")


def _check_evaluation(game: Game, label: str) -> None:
    """Check the constants, and evaluate the start position to see whether the game fits."""
    _check_range(game.rules.constant("EVALUATION_RANGE"), label)
    meaning = game.rules.constant("EVALUATION_MEANING")
    if meaning not in MEANINGS:
        raise GameFileError(
            f"{label}: EVALUATION_MEANING is {meaning!r}; it must be one of {MEANINGS}"
        )
    try:
        game.evaluation(game.initial())
    except PlyforgeError as error:
        raise GameFileError(f"{label} does not fit {game.name}: {error}") from error
    except Exception as error:
        raise GameFileError(f"{label} does not fit {game.name}: {error!r}") from error
