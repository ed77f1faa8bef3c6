"""Kernels of learning: networks, their gradients and their training.  They depend on no game."""
