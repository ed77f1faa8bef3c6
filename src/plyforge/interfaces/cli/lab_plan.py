"""`plyforge lab plan`: how many positions an experiment needs for intervals of a given width."""

import shlex
from dataclasses import asdict, replace

from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.lab_run import RunOptions, experiment_executor, run_with_progress
from plyforge.interfaces.cli.output import console, format_duration, print_json, print_table
from plyforge.lab.experiment import Experiment
from plyforge.lab.plan import ASSURANCE, Plan, make_plan, pilot_positions
from plyforge.lab.runner import run_experiment
from plyforge.lab.store import LabStore
from plyforge.match.tables import Table


def plan_and_report(
    experiment: Experiment, margin: float, metric: str | None, options: RunOptions
) -> None:
    """Run the pilot, unless it is stored, and print what each comparison needs."""
    if options.positions is None and not options.quick:
        options = replace(options, positions=pilot_positions(experiment))
    scale = replace(options.scale(experiment), repeats=1)
    executor = experiment_executor(experiment, options)
    with LabStore(options.db) as store:
        stored = store.run(experiment, options.seed)
        steps = run_experiment(experiment, scale, store, stored, options.seed, executor)
        if not run_with_progress(steps, store, executor):
            raise KeyboardInterrupt
        made = [one for one in store.measurements(stored) if one.depth in scale.depths]
    repeats = experiment.repeats if options.repeats is None else options.repeats
    plan = make_plan(experiment, experiment.data(made), margin, metric, repeats)
    words = ["--positions", str(plan.positions), "--depths", ",".join(map(str, scale.depths))]
    words += ["--seed", str(options.seed)] * bool(options.seed)
    command = f"plyforge {experiment.command} {shlex.join(words)}"
    if options.json:
        fields = asdict(plan)
        print_json({**fields, "positions": plan.positions, "command": command})
        return
    _print_plan(plan, command)
    exits.finish(exits.DONE)


def _print_plan(plan: Plan, command: str) -> None:
    rows = tuple(
        (
            f"{need.group}: {need.variation}" if need.group else need.variation,
            str(need.depth),
            f"{need.ratio:.3g}",
            f"{100 * need.deviation:.1f} %",
            str(need.pilot_games),
            f"{need.games:,}",
            f"{need.positions:,}",
        )
        for need in plan.needs
    )
    headings = ("comparison", "depth", f"{plan.metric} ×", "deviation", "pilot games", "games")
    print_table(Table((*headings, "positions"), rows, f"Over {plan.baseline}"))
    out = console()
    out.print(
        f"{plan.positions:,} positions give each comparison an interval of at most"
        f" ±{100 * plan.margin:g} % of its ratio (95 % confidence), with a probability of"
        f" {100 * ASSURANCE:g} %.",
        markup=False,
    )
    if plan.seconds is not None:
        time = format_duration(plan.seconds)
        out.print(f"The searches of that run take about {time} in one process.", markup=False)
    out.print(command, markup=False, soft_wrap=True)
