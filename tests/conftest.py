"""Settings of all tests."""

from hypothesis import Phase, settings

# To explain failures, Hypothesis traces every line of every example, which takes time.
settings.register_profile("plyforge", phases=set(Phase) - {Phase.explain})
settings.load_profile("plyforge")
