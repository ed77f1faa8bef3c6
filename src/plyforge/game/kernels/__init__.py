"""Kernel sources: plain Python that calls the names in `compilation.hooks_api`."""
