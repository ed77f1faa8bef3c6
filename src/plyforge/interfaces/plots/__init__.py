"""Plots.  Importing any of these modules imports matplotlib."""
