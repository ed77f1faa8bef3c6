"""Settings of all tests."""

import pytest
from hypothesis import Phase, settings

# To explain failures, Hypothesis traces every line of every example, which takes time.
settings.register_profile("plyforge", phases=set(Phase) - {Phase.explain})
settings.load_profile("plyforge")


@pytest.fixture(autouse=True)
def one_kernel_per_game(request, monkeypatch):
    """Search usual options with the kernel of all other options, which saves compiling a second.

    Tests marked `special_kernel` use the kernels that users get; node counts of both are compared
    in tests/search/kernel/test_counts.py.
    """
    if request.node.get_closest_marker("special_kernel") is None:
        for module in ("engine", "setup"):
            monkeypatch.setattr(f"plyforge.engine.{module}.uses_special_kernel", _only_if_asked)


def _only_if_asked(game, options):
    return options.get("specialise") == "yes"
