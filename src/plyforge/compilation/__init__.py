"""From plain Python rules to machine code, and to the same kernels run uncompiled.

`kernel` declares a kernel and builds it for a game, in one of two backends; `linker` clones its
functions and puts the game's hooks into them; `fingerprint` names the result by everything that
matters; `store` keeps it on disk; `generators` turns `yield` into buffer stores; `intrinsics`
holds what has no Python form; `lint` looks for integers that stopped being integers.
"""
