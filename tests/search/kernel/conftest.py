"""Fixtures of all tests in this folder."""

from tests.search.kernel.linking import linked_once

__all__ = ["linked_once"]
