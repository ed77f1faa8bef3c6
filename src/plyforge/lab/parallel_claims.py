"""What the experiments on parallel search with real threads have to show, by stated rules."""

from collections.abc import Callable
from typing import Final

from plyforge.lab.claims import Claim, LessThan, MoreThan
from plyforge.lab.data import Data
from plyforge.lab.parallel_report import (
    METHOD_OF,
    ONE,
    THREADS_OF,
    common_depth,
    extra_nodes,
    name_of,
    residual,
    speed_up,
)
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation

MIN_SECONDS: Final = 10.0
"""Searches that one thread ends sooner are not judged."""
MIN_SPEED_UP: Final = 1.5
AIM: Final = 1.6
MAX_EXTRA_NODES: Final = 15.0
MAX_RESIDUAL: Final = 5.0
_OWN: Final = "bar set for Plyforge"
_WHERE: Final = f"positions that take one thread at least {MIN_SECONDS:g} s"


def claims(game: str) -> list[Claim]:
    """Return the claims about a game."""
    two = name_of("ybwc", 2)
    variation = Variation(two, extra={METHOD_OF: "ybwc", THREADS_OF: 2})

    def on_long(
        figure: Callable[[Data, int], Estimate | None],
    ) -> Callable[[Data], Estimate | None]:
        def estimate(data: Data) -> Estimate | None:
            depth = common_depth(data)
            return None if depth is None else figure(long_searches(data, depth), depth)

        return estimate

    def time_over_ybwc(method: str) -> Callable[[Data, int], Estimate | None]:
        return lambda data, depth: data.ratio(name_of(method, 2), two, depth, "seconds")

    return [
        Claim(
            f"YBWC with two threads is at least {MIN_SPEED_UP:g} times as fast in {game}",
            f"at least {MIN_SPEED_UP:g}",
            f"time to depth of one thread over that of two; {_WHERE}",
            MoreThan(MIN_SPEED_UP),
            on_long(lambda data, depth: speed_up(data, two, depth)),
            source=_OWN,
            samples="positions",
        ),
        Claim(
            f"YBWC with two threads is at least {AIM:g} times as fast in {game}",
            f"the aim: {AIM:g}",
            f"time to depth of one thread over that of two; {_WHERE}",
            MoreThan(AIM),
            on_long(lambda data, depth: speed_up(data, two, depth)),
            source=_OWN,
            samples="positions",
        ),
        Claim(
            f"The search overhead of YBWC with two threads is at most {MAX_EXTRA_NODES:g} %",
            f"at most {MAX_EXTRA_NODES:g} %",
            f"nodes of both threads over those of one, with a table of the same size; {_WHERE}",
            LessThan(MAX_EXTRA_NODES),
            on_long(lambda data, depth: extra_nodes(data, two, depth)),
            " %",
            source=_OWN,
            samples="positions",
        ),
        Claim(
            f"The account predicts the speed-up of YBWC within {MAX_RESIDUAL:g} %",
            f"at most {MAX_RESIDUAL:g} %",
            f"mean absolute difference of predicted and measured speed-up, two threads; {_WHERE}",
            LessThan(MAX_RESIDUAL),
            on_long(lambda data, depth: residual(data, variation, depth)),
            " %",
            source=_OWN,
            samples="positions",
        ),
        *(
            Claim(
                statement,
                "slower",
                f"time to depth with two threads, {method} over YBWC; {_WHERE}",
                MoreThan(1),
                on_long(time_over_ybwc(method)),
                source="Kishimoto and Müller, tutorial on alpha-beta",
                place="Young Brothers Wait Concept",
                note="described there without figures",
                samples="positions",
            )
            for method, statement in (
                ("root-split", "The first move must be searched before the others"),
                ("pv-split", "YBWC generalises PV splitting to more nodes, and gains by that"),
            )
        ),
    ]


def long_searches(data: Data, depth: int) -> Data:
    """Return the data of the positions that take one thread long enough."""
    chosen = {
        case
        for case in data.cases(depth, [ONE], ["seconds"])
        if data.row(ONE, depth, case)["seconds"] >= MIN_SECONDS
    }
    left = [one for one in data.measurements if one.case in chosen]
    return Data(left, data.variations, data.groups, data.together, data.strict)
