"""MTD(f): null windows only, starting at the guess."""

from plyforge.engine.window_search import WindowSearch
from plyforge.search.values import next_above, to_float32

SUMMARY = "null windows only, starting at the guess"
PAPER = "Plaat, Schaeffer, Pijls, de Bruin 1996; Mańdziuk, Osman 2004"


def find_value(windows: WindowSearch, guess: float) -> float:
    return converge(windows, to_float32(guess))


def converge(windows: WindowSearch, bound: float) -> float:
    """Test whether the value is at least `bound`, and repeat with the bound that is returned."""
    while True:
        value = windows.test(bound)
        if windows.settled:
            return value
        bound = next_above(value) if value >= bound else value
