"""The kernels of proof search."""
