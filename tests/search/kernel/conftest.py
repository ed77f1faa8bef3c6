"""Fixtures of all tests in this folder."""

from tests.search.kernel.linking import kernels_built_once

__all__ = ["kernels_built_once"]
