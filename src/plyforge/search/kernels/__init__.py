"""The search kernel: plain Python that calls the game through `compilation.hooks_api`.

`alpha_beta` holds the one function that recurses; every other file holds one step of it.
"""
