"""Linear programs, solved by HiGHS through SciPy."""

from typing import Any

from plyforge.core.errors import PlyforgeError


def find_solver() -> Any:
    """Import SciPy's function for linear programs; raise an error if it is not installed."""
    try:
        from scipy.optimize import linprog
    except ImportError:
        raise PlyforgeError(
            "linear programs need the package 'scipy'; install it: pip install scipy"
        ) from None
    return linprog


def minimize_linear(
    objective: Any,
    *,
    upper: tuple[Any, Any],
    equal: tuple[Any, Any],
    bounds: Any,
    options: dict[str, Any] | None = None,
) -> Any:
    """Return SciPy's result of a linear program; raise an error if it has no solution.

    `upper` are the matrix and the limits of inequalities, `equal` those of equations.
    """
    found = find_solver()(
        objective,
        A_ub=upper[0],
        b_ub=upper[1],
        A_eq=equal[0],
        b_eq=equal[1],
        bounds=bounds,
        method="highs",
        options=options or {},
    )
    if found.status != 0:
        raise PlyforgeError(f"the linear program was not solved: {found.message}")
    return found
