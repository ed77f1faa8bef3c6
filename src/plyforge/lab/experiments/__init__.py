"""The built-in experiments, one per file; files that begin with `_` are shared helpers."""
