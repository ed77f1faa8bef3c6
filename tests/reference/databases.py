"""The slow twin of databases: values by repeated rounds over all positions, without an index."""

from plyforge.core.scores import SCORE_LIMIT, WIN


def closure(game, positions):
    """Return all positions that moves lead to, by their hashable form."""
    found, stack = {}, list(positions)
    while stack:
        position = stack.pop()
        form = game.position_type.to_hashable(position)
        if form in found:
            continue
        found[form] = position
        if not game.verdict(position).over:
            stack += [game.play(position, move) for move in game.moves(position)]
    return found


def reference_values(game, positions):
    """Return the value of every position of the closure, as a search counts it.

    Round n decides the wins and losses in n plies; positions with a final score are decided when
    all their children are.  What stays undecided is a draw.
    """
    form_of = game.position_type.to_hashable
    everything = closure(game, positions)
    children, values = {}, {}
    for form, position in everything.items():
        verdict = game.verdict(position)
        if verdict.over:
            values[form] = float(verdict.value)
            continue
        moves = [game.play(position, move) for move in game.moves(position)]
        children[form] = [(form_of(c), _flips(game, position, c)) for c in moves]
    plies, changed = 0, True
    longest = 0
    while changed or plies <= longest:
        plies += 1
        changed = False
        for form, after in children.items():
            if form in values:
                continue
            known = [_before(values[c], flips) for c, flips in after if c in values]
            best = max(known, default=None)
            complete = len(known) == len(after)
            if complete or (best is not None and best > SCORE_LIMIT and WIN - best <= plies):
                # A later round may still find something faster, except at this distance.
                if abs(best) > SCORE_LIMIT and WIN - abs(best) > plies:
                    longest = max(longest, int(WIN - abs(best)))
                    continue
                values[form] = best
                changed = True
    return {form: values.get(form, 0.0) for form in everything}


def _flips(game, position, child):
    side = game.turn(position)
    return side is None or side != game.turn(child)


def _before(value, flips):
    value = -value if flips else value
    if value > SCORE_LIMIT:
        return value - 1
    return value + 1 if value < -SCORE_LIMIT else value
