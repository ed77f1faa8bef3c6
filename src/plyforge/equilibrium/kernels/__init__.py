"""Kernels of counterfactual regret minimisation."""
