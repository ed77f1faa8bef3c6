"""A custom driver: find the value by halving the range in which it lies.

    plyforge analyse checkers --depth 9 --driver examples/drivers/halving.py
    plyforge analyse checkers --depth 9 --driver examples/drivers/halving.py --set width=0.1

docs/search/drivers.md explains it line by line.
"""

from plyforge import Parameter, WindowSearch

SUMMARY = "windows in the middle of the values that are still possible"
PARAMETERS = [
    Parameter("width", 1.0, "the width of a window", minimum=0.001, maximum=1000.0, real=True)
]


def find_value(windows: WindowSearch, guess: float, width: float) -> float:
    """Return the value by searches around the guess, then in the middle of its possible values."""
    middle = guess
    while True:
        value = windows.search(middle - width / 2, middle + width / 2)
        if windows.settled:
            return value
        lower, upper = max(windows.lower, windows.minimum), min(windows.upper, windows.maximum)
        if lower >= upper:  # a win or a loss, which lies outside the range of evaluations
            return windows.search(windows.lower, windows.upper)
        middle = (lower + upper) / 2
