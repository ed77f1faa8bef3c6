"""The counts of Kalah's evaluation, slow and obvious, by sowing seed by seed.

All counts are from the perspective of the side to move, on the board of the twin in
`tests.reference.kalah`.
"""

from tests.reference.kalah import Game


def seeds_of(game: Game, player: int) -> list[int]:
    return [game.board[place] for place in game.row(player)]


def sow(game: Game, player: int, number: int) -> tuple[int, list[int]]:
    """Where the last seed of a pit falls, and the board then, before any capture."""
    board = list(game.board)
    place = game.row(player)[number]
    hand, board[place] = board[place], 0
    while hand:
        place = (place + 1) % len(board)
        if place != game.store(1 - player):
            board[place] += 1
            hand -= 1
    return place, board


def capture_size(game: Game, player: int, number: int) -> int:
    """What a capture from a pit brings to the store; 0 if there is none."""
    place, board = sow(game, player, number)
    if place not in game.row(player) or board[place] != 1:
        return 0
    prey = board[game.row(1 - player)[game.pits - 1 - game.row(player).index(place)]]
    return 1 + prey if prey else 0


def features(game: Game) -> list[int]:
    me, other = game.mover, 1 - game.mover
    filled = {p: [n for n, seeds in enumerate(seeds_of(game, p)) if seeds] for p in (me, other)}
    extra = {
        p: sum(sow(game, p, number)[0] == game.store(p) for number in filled[p]) for p in filled
    }
    capture = {
        p: max([0, *(capture_size(game, p, number) for number in filled[p])]) for p in filled
    }
    return [
        game.score(),
        sum(seeds_of(game, me)) - sum(seeds_of(game, other)),
        len(filled[me]) - len(filled[other]),
        extra[me],
        extra[other],
        capture[me],
        capture[other],
    ]
