"""The built-in experiments: every file here is one."""
