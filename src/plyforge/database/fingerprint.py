"""The fingerprint of a game's rules: what the values of a database belong to."""

from typing import Final
from weakref import WeakKeyDictionary

from plyforge.compilation.fingerprint import Unhashable
from plyforge.core.errors import PlyforgeError
from plyforge.evaluate.fingerprint import SourceFingerprint
from plyforge.game.game import Game

_HOOKS: Final = (
    *("moves", "play", "outcome", "stuck", "drawn", "turn", "in_check"),
    *("index", "unindex", "secured_score"),
)
_known: WeakKeyDictionary[Game, str] = WeakKeyDictionary()


def rules_fingerprint(game: Game) -> str:
    """Return the fingerprint of the rules and the index, the same on every machine.

    It covers the source of the functions and of what they call, and the start position, which
    gives the variant.
    """
    if game not in _known:
        digest = SourceFingerprint()
        digest.text(game.position_type.fields, f"{game.key(game.initial()):016x}")
        try:
            for name in _HOOKS:
                digest.text(name)
                if name in game.rules.hooks:
                    digest.value(game.rules.hooks[name])
        except Unhashable as error:
            raise PlyforgeError(
                f"{game.rules.file}: a database needs rules with a fingerprint: {error}"
            ) from error
        _known[game] = digest.hexdigest()
    return _known[game]
