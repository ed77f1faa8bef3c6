"""The commands: their arguments, and which module does the work once one is called."""
