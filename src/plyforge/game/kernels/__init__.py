"""Kernel sources: plain Python over the holes of `core.compilation.holes`."""
