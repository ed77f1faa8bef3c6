"""`plyforge match`."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.games import load
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.executors import ExecutorOptions
from plyforge.interfaces.cli.output import console, plot_path, print_json, print_table
from plyforge.interfaces.cli.progress import Progress
from plyforge.match.files import check_output, write_text
from plyforge.match.openings import OpeningSource
from plyforge.match.plan import Plan
from plyforge.match.players import Kind, MoveLimits, read_description
from plyforge.match.players.limits import parse_clock
from plyforge.match.ratings import Estimate, Sprt, elo
from plyforge.match.records import make_record
from plyforge.match.referee import Adjudication, MatchRules
from plyforge.match.report import (
    difference_remark,
    difference_text,
    fault_remarks,
    figures_table,
    final_score_remark,
    games_remark,
    tables,
)
from plyforge.match.results import Standings, apply_sprt, standings
from plyforge.match.schedule import Format
from plyforge.match.store import Store, StoredGame
from plyforge.match.tournament import Tournament


@dataclass(frozen=True)
class Outputs:
    """Files to write when the match is over."""

    records: str | None = None
    markdown: str | None = None
    csv: str | None = None
    plot: str | None = None
    overwrite: bool = False

    def check(self) -> Path | None:
        """Reject files that cannot be written; return the path of the plot."""
        for name in (self.records, self.markdown, self.csv):
            if name is not None:
                check_output(Path(name), self.overwrite)
        return None if self.plot is None else plot_path(self.plot)


def game_and_players(game: str | None, players: list[str]) -> tuple[str, list[str]]:
    """Split the arguments: GAME A B ..., or A B ... with --game."""
    if game is not None:
        return game, players
    if not players or players[0].partition(":")[0] in list(Kind):
        raise PlyforgeError(
            "the game is missing; write 'plyforge match checkers A B', or give --game"
        )
    return players[0], players[1:]


def parse_sprt(text: str | None) -> Sprt | None:
    """Parse `ELO0,ELO1[,ALPHA,BETA]`."""
    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError
    except ValueError:
        raise PlyforgeError(
            f"--sprt '{text}': write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,10"
        ) from None
    return Sprt(*numbers)


def make_plan(
    game: str | None,
    players: list[str],
    games: int,
    openings: str,
    form: str,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    clock: str | None,
    max_plies: int,
    adjudicate_win: float | None,
    adjudicate_draw: float | None,
    sprt: str | None,
    seed: int,
) -> Plan:
    """Make the plan of a command line, checking its values."""
    name, rest = game_and_players(game, players)
    if form not in list(Format):
        raise UnknownName("format", form, list(Format))
    parsed_clock = None if clock is None else parse_clock(clock)
    loaded = load(name)
    return Plan(
        name,
        tuple(str(read_description(loaded, text)) for text in rest),
        games,
        Format(form),
        OpeningSource.parse(openings),
        seed,
        MoveLimits(depth, nodes, seconds, parsed_clock),
        MatchRules(
            max_plies, parsed_clock, adjudication=Adjudication(adjudicate_win, adjudicate_draw)
        ),
        parse_sprt(sprt),
    )


def run(
    plan: Plan,
    file: str,
    workers: ExecutorOptions,
    outputs: Outputs,
    as_json: bool,
    print_fields: Callable[[dict[str, Any]], None] = print_json,
) -> int:
    """Play the games that are not stored, then print; return 130 if interrupted."""
    plot = outputs.check()
    load(plan.game)  # an unknown game must not create a file
    executor = workers.choose()
    with Store(file) as store:
        tournament = Tournament(plan, store, executor)
        interrupted = not _play(tournament)
        games = _counted_games(tournament)
        results = standings(plan.names, games)
        if games:
            _write(tournament, games, results, outputs, plot)
        if as_json:
            print_fields(_fields(tournament, results, interrupted))
        elif not games:
            sys.stderr.write(
                "interrupted before the first game ended; run the same command to resume\n"
            )
        else:
            _print(tournament, results, interrupted)
    return exits.INTERRUPTED if interrupted else exits.DONE


def _counted_games(tournament: Tournament) -> list[StoredGame]:
    """Return the games that count: with a sequential test, those up to its decision."""
    games = sorted(tournament.games, key=lambda game: game.pairing.number)
    sprt = tournament.plan.sprt
    return apply_sprt(sprt, games)[0] if sprt is not None and tournament.ended else games


def _play(tournament: Tournament) -> bool:
    """Play the match with a progress bar; return False if interrupted."""
    try:
        with Progress("games", tournament.executor) as progress:
            tournament.prepare(lambda what: progress.prepare(f"preparing {what}"))
            stored = len(tournament.games)
            if tournament.earlier is not None:
                progress.print(tournament.earlier)
            if stored:
                progress.print(f"{stored} games are stored already in {tournament.store.file}")
            progress.start(tournament.plan.total, stored)
            for _ in tournament.run():
                progress.update(len(tournament.games), lambda: _elo_note(tournament))
    except KeyboardInterrupt:
        return False
    return True


def _elo_note(tournament: Tournament) -> str:
    """Return the rating difference of two players with its interval."""
    if len(tournament.plan.players) != 2:
        return ""
    return f"Elo {difference_text(elo(tournament.score.sample))}"


# Output


def _remarks(tournament: Tournament, results: Standings) -> list[str]:
    """Return the lines below the tables."""
    plan = tournament.plan
    lines = difference_remark(plan.names, results) + final_score_remark(plan.names, results)
    if plan.sprt is not None:
        progress = apply_sprt(plan.sprt, tournament.games)[1]
        lines.append(
            f"SPRT {plan.sprt.elo0:g} against {plan.sprt.elo1:g}: LLR {progress.llr:.2f}"
            f" ({progress.lower:.2f} to {progress.upper:.2f}), {_VERDICTS[progress.verdict]}"
        )
    lines.append(games_remark(results, tournament.game.players[0]))
    lines += fault_remarks(plan.names, _counted_games(tournament))
    return lines


_VERDICTS: Final = {
    "continue": "not decided",
    "H0": "H0 accepted: the first player is not better",
    "H1": "H1 accepted: the first player is better",
}


def _print(tournament: Tournament, results: Standings, interrupted: bool) -> None:
    out = console()
    for table in tables(results):
        print_table(table)
    for line in _remarks(tournament, results):
        out.print(line, markup=False)
    file, total = tournament.store.file, tournament.plan.total
    if interrupted:
        out.print(
            f"interrupted after {results.games} of {total} games; run the same command to resume"
            f" ({file})",
            markup=False,
        )
    else:
        out.print(f"the games are in {file}", markup=False)


def _write(
    tournament: Tournament,
    games: list[StoredGame],
    results: Standings,
    outputs: Outputs,
    plot: Path | None,
) -> None:
    plan = tournament.plan
    if outputs.records is not None:
        game, openings = tournament.game, tournament.store.openings(tournament.number)
        records = [
            make_record(game, one, openings[one.pairing.opening], plan.names) for one in games
        ]
        write_text(Path(outputs.records), game.write_games(records))
    if outputs.markdown is not None:
        parts = [table.markdown() for table in tables(results)]
        parts.append("\n\n".join(_remarks(tournament, results)) + "\n")
        write_text(Path(outputs.markdown), "\n".join(parts))
    if outputs.csv is not None:
        write_text(Path(outputs.csv), figures_table(results).csv())
    if plot is not None:
        from plyforge.interfaces.plots.standings import draw

        draw(f"{tournament.game.title}: {results.games} games", results, plot)


def _fields(tournament: Tournament, results: Standings, interrupted: bool) -> dict[str, Any]:
    plan = tournament.plan
    fields: dict[str, Any] = {
        "game": plan.game,
        "games": results.games,
        "total": plan.total,
        "draws": results.draws,
        "loops": results.loops,
        "adjudicated": results.adjudicated,
        "first_side_points": results.first.wins + results.first.draws / 2,
        "interrupted": interrupted,
        "file": str(tournament.store.file),
        "seed": plan.seed,
        "players": [
            {
                "name": row.name,
                "elo": row.rating.value,
                "interval": [row.rating.low, row.rating.high],
                "games": row.games,
                "wins": row.score.wins,
                "draws": row.score.draws,
                "losses": row.score.losses,
                "points": row.points,
                "loops": row.loops,
                "forfeits": row.forfeits,
                "seconds": row.seconds,
                "nodes": row.nodes,
            }
            for row in results.rows
        ],
    }
    fields["faults"] = fault_remarks(plan.names, _counted_games(tournament))
    if results.difference is not None:
        fields["elo"] = _estimate_fields(results.difference)
        fields["superiority"] = results.superiority
        fields["pairs"] = list(results.against[0, 1].pairs)
    if results.final_score is not None:
        fields["final_score"] = _estimate_fields(results.final_score)
    if plan.sprt is not None:
        progress = apply_sprt(plan.sprt, tournament.games)[1]
        fields["sprt"] = {
            "llr": progress.llr,
            "lower": progress.lower,
            "upper": progress.upper,
            "verdict": progress.verdict,
        }
    return fields


def _estimate_fields(estimate: Estimate) -> dict[str, float | None]:
    """Return an estimate for JSON, which has no infinity: null instead."""
    values = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: value if abs(value) < float("inf") else None for name, value in values.items()}
