"""The arguments of the commands, and the module that each command calls to do the work."""
