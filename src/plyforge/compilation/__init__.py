"""Compile plain Python rules to machine code, or run the same kernels uncompiled.

A kernel is written against the names in `hooks_api`.  `kernel` declares it and builds it for a
game, in one of two backends.  In the compiled backend, `linker` clones the kernel's functions and
puts the game's hooks into them, `generators` turns `yield` into stores to a buffer, and `lint`
looks for integers that became something else.  `fingerprint` names the result after everything
that can change it, and `store` keeps it on disk.  `interpreted` is the uncompiled backend.
"""
