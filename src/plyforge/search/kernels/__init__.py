"""The search kernel: plain Python over the holes of `compilation.hooks_api`.

`alpha_beta` holds the one function that recurses; every other file holds one step of it.
"""
