"""Kernels of databases: retrograde analysis, verification and probing."""
