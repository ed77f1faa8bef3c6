"""Settings of all tests, and their groups: one process runs the tests of a group.

Two processes that run tests of the same kernel at once compile it twice.  So most kernels of the
search are compiled by the first group, while another process runs the second, which needs none of
them.  Each of the other files is a group, and finds most kernels in the cache.
"""

import gc
from functools import cache
from pathlib import Path

import pytest
from hypothesis import Phase, settings

FOLDER = Path(__file__).parent
GROUPS = {
    "search": ("engine", "search"),
    "rules": ("games", "compilation", "check", "evaluate", "game", "core"),
    "chess-play": ("interfaces/test_uci.py", "search/test_positions.py"),
    "browser": ("interfaces/web/browser",),
}
"""Files and folders of tests that run in one process, in the order in which they start."""
SHARED = ("browser", "chess-play")
FAST_EXAMPLES = 30
"""The number of examples that Hypothesis tries in the fast tier, unless a test has its own."""

# To explain failures, Hypothesis traces every line of every example, which takes time.
# Without a deadline, which depends on the machine's load.
settings.register_profile("plyforge", deadline=None, phases=set(Phase) - {Phase.explain})
settings.load_profile("plyforge")
settings.register_profile("fast", max_examples=FAST_EXAMPLES)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Collect no garbage while tests are made, and never look through these objects again.

    There are millions of them; looking through all would take most of a second, whenever a test or
    Python itself collects garbage.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def freeze_garbage_collector():
    """Do the same with the modules that tests have imported and the kernels that they compiled."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def one_kernel_per_game(request, monkeypatch):
    """Search usual options with the kernel of all other options, which saves compiling a second.

    Tests marked `special_kernel` use the kernels that users get; node counts of both are compared
    in tests/search/kernel/test_counts.py.
    """
    if request.node.get_closest_marker("special_kernel") is None:
        for module in ("engine", "setup"):
            monkeypatch.setattr(f"plyforge.engine.{module}.uses_special_kernel", _only_if_asked)


def pytest_configure(config):
    if _is_fast(config):
        settings.load_profile("fast")


def pytest_collection_modifyitems(config, items):
    """Put the tests of large groups first."""
    if _is_fast(config):
        order = {group: place for place, group in enumerate(GROUPS)}
        items.sort(key=lambda item: order.get(_group(item.path), len(order)))


def pytest_xdist_make_scheduler(config, log):
    """Give the tests of a group to one process.

    If the long tests run, too, only those that share a server or a large kernel have a group.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduler(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            group = _group(config.rootpath / nodeid.split("::")[0])
            return group if _is_fast(config) or group in SHARED else nodeid

    return Scheduler(config, log)


def _is_fast(config):
    return "not long" in config.option.markexpr


@cache
def _group(file):
    """Return the group with the longest path that leads to a file of tests, or the file."""
    found = [
        (len(place), group)
        for group, places in GROUPS.items()
        for place in places
        if FOLDER / place in (file, *file.parents)
    ]
    return max(found)[1] if found else str(file)


def _only_if_asked(game, options):
    return options.get("specialise") == "yes"
